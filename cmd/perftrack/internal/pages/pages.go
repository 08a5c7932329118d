package pages

import (
	"cmp"
	"context"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/environments"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options are the options for a site.
type Options struct {
	Branch string // branch to show; "" means HEAD's branch
	Title  string // "" means the name of the repository
	Live   bool   // whether the site is for a server, with more documents than a static site
	// Reports is set if the HTML reports are available next to the page. A live site with more than
	// MaxReported points does not have them.
	Reports bool
	Now     time.Time
	// Last limits points, values and comparisons to this number of the newest commits; 0 means all.
	// Steps are still computed from all points. Package selects the benchmarks with Package in
	// their package path.
	Last    int
	Package string

	rowsOnly bool  // build no documents of benchmarks, see Keep
	before   *Site // earlier site of the same database; its data about runs is still valid
}

// A Site builds documents from the state of its database when the site was opened. It is a
// [documents.Source] and safe for concurrent use.
type Site struct {
	session *workspace.Session
	opt     Options
	lines   *history.Lines
	db      *store.DB
	meta    documents.Meta

	runs         []record.RunInfo // newest first
	commits      []documents.Commit
	forking      sync.Once
	environments []environments.Environment
	benchmarks   []store.BenchmarkInfo
	ids          []string // document ids of the benchmarks
	at           documents.Lookup
	known        map[string]int // indices of benchmarks by document id

	compared comparisons

	making sync.Mutex
	index  *documents.Index

	progress progress

	keeping sync.Mutex
	kept    map[int]*documents.Benchmark // documents built with the index
	made    *earlier                     // benchmarks of this site, passed on to the server's next site
	earlier *earlier                     // benchmarks from the previous site; nil once the index is built

	lastRuns []steps.Measured // see sharedRuns
	stamps   *history.Stamps  // set by readRows

	machine  machine
	gathered gathered
	gauges   keptMetrics
	beside   keptProfiles
}

var _ documents.Source = (*Site)(nil)

// Open opens a session's database and reads everything except the samples. Outside a repository,
// commits have no subjects and are sorted by time.
func Open(ctx context.Context, a *workspace.Session, opt Options) (_ *Site, err error) {
	lines, err := history.Open(ctx, a, history.Options{Branch: opt.Branch, All: true})
	if err != nil {
		return nil, err
	}
	s := &Site{session: a, opt: opt, lines: lines, db: lines.DB()}
	if opt.before != nil {
		s.earlier, s.opt.before = opt.before.newestMade(), nil
	}
	if opt.Now.IsZero() {
		s.opt.Now = a.Now()
	}
	if err := errors.Join(s.readRuns(ctx), s.readMeta(ctx)); err != nil {
		return nil, errors.Join(err, lines.Close())
	}
	s.nameBenchmarks()
	return s, nil
}

// Close closes the database.
func (s *Site) Close() error { return s.lines.Close() }

// Empty reports whether the store contains no runs.
func (s *Site) Empty() bool { return len(s.runs) == 0 }

// whole reports whether all runs read so far were undamaged.
func (s *Site) whole() bool { return len(s.db.Damaged()) == 0 }

// MaxReported is the maximum number of points for HTML reports on a live site. Building the reports
// requires all points to be in memory.
const MaxReported = 200_000

// oldest returns the index of the oldest commit with points shown on the site.
func (s *Site) oldest() int {
	left := s.opt.Last
	for i := len(s.commits) - 1; i >= 0 && s.opt.Last > 0; i-- {
		if s.commits[i].Off {
			continue
		}
		if left--; left == 0 {
			return i
		}
	}
	return 0
}

// Points returns the total number of points in all histories.
func (s *Site) Points() (n int) {
	for _, r := range s.runs {
		n += r.Benchmarks
	}
	return n
}

func (s *Site) readRuns(ctx context.Context) (err error) {
	s.runs, err = s.db.Runs(ctx, store.Filter{})
	if err != nil {
		return fault.IO(err)
	}
	if err := s.readCommits(ctx); err != nil {
		return err
	}
	slices.SortStableFunc(s.runs, func(x, y record.RunInfo) int {
		return cmp.Or(cmp.Compare(s.when(y), s.when(x)), cmp.Compare(y.Seq, x.Seq))
	})
	runAt := make(map[string]int, len(s.runs))
	for i, r := range s.runs {
		runAt[r.ID] = i
	}
	s.at.Run = placeIn(runAt)
	s.environments = environments.Of(s.runs)
	environmentAt := map[string]int{}
	for i, e := range s.environments {
		environmentAt[e.ID] = i
	}
	s.at.Environment = placeIn(environmentAt)
	return nil
}

func placeIn(at map[string]int) func(string) int {
	return func(name string) int {
		if i, ok := at[name]; ok {
			return i
		}
		return -1
	}
}

// when returns the time when a run started, or the time of its commit if the start is unknown.
func (s *Site) when(r record.RunInfo) int64 {
	if !r.Start.IsZero() {
		return r.Start.Unix()
	}
	if i := s.at.Commit(r.Commit.SHA); i >= 0 {
		return s.commits[i].Time
	}
	return 0
}

func (s *Site) readMeta(ctx context.Context) error {
	where := s.lines.Place()
	s.meta = documents.Meta{
		Schema: documents.Schema, Title: s.opt.Title, Branch: s.lines.Branch(), Generated: s.opt.Now.Unix(), Version: s.session.Version,
		Threshold: where.Config.Defaults.Threshold, Alpha: where.Config.Defaults.Alpha, Live: s.opt.Live, Reports: s.opt.Reports && (!s.opt.Live || s.Points() <= MaxReported),
	}
	if s.opt.Live {
		var err error
		if s.meta.Queue, err = s.db.HasQueue(ctx); err != nil {
			return fault.IO(err)
		}
	}
	name := ""
	if where.Repo != nil {
		address, err := where.Repo.RemoteWeb(ctx)
		if err != nil {
			return fault.Git(err)
		}
		s.meta.Repository, name = address, filepath.Base(where.Repo.Root())
		if address != "" {
			name = path.Base(address)
		}
		if tip, err := where.Repo.Resolve(ctx, cmp.Or(s.opt.Branch, "HEAD")); err == nil { // fails if there is no commit yet
			s.meta.Head = tip.SHA
		}
		line, err := where.Repo.FirstParentLine(ctx, "HEAD")
		if err != nil {
			return fault.Git(err)
		}
		s.meta.Depth = len(line)
	}
	if name == "" && len(s.runs) > 0 {
		name = s.runs[0].Target
	}
	s.meta.Title = cmp.Or(s.meta.Title, name)
	return nil
}

// nameBenchmarks selects the site's benchmarks and gives them document ids.
func (s *Site) nameBenchmarks() {
	s.benchmarks = slices.DeleteFunc(slices.Clone(s.lines.Benchmarks()), func(b store.BenchmarkInfo) bool { return !strings.Contains(b.Package, s.opt.Package) })
	type key struct {
		target string
		record.BenchmarkID
	}
	s.known = make(map[string]int, len(s.benchmarks))
	at := make(map[key]int, len(s.benchmarks))
	for i, b := range s.benchmarks {
		id := reports.BenchmarkFile(b.Target, b.BenchmarkID)
		s.ids = append(s.ids, id)
		s.known[id], at[key{b.Target, b.BenchmarkID}] = i, i
	}
	s.at.Benchmark = func(target string, id record.BenchmarkID) int {
		if i, ok := at[key{target, id}]; ok {
			return i
		}
		return -1
	}
}
