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
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options say which site is made.
type Options struct {
	Branch string // whose line of development is shown; "" is that of HEAD
	Title  string // "" is the name of the repository
	Live   bool   // for a server, which makes more documents than a folder has
	// Reports says that those for people are beside it; a live site has them up to MaxReported points.
	Reports bool
	Now     time.Time
	// Last leaves out the points, values and comparisons of older commits than so many, 0 none; what is said of
	// steps stays as it is. Package leaves out benchmarks of packages without this in their name.
	Last    int
	Package string

	before *Site // of the same database, at an earlier time: what it knows of runs is true still
}

// A Site is what a database held when it was opened, as documents. It is a [site.Source]; its
// methods may be called by several goroutines.
type Site struct {
	session *workspace.Session
	opt     Options
	lines   *history.Lines
	db      *store.DB
	meta    site.Meta

	runs         []record.RunInfo // the newest first
	commits      []site.Commit
	forking      sync.Once
	environments []site.Environment
	benchmarks   []store.BenchmarkInfo
	ids          []string // of the benchmarks' documents
	at           site.Places
	known        map[string]int // benchmarks by id

	compared comparisons

	making sync.Mutex
	index  *site.Index

	progress progress

	keeping sync.Mutex
	kept    map[int]*site.Benchmark // made together with the index
	made    *earlier                // for the next site of a server
	earlier *earlier                // of the one before, until the index is made

	machine  machine
	gathered gathered
	beside   keptProfiles
}

var _ site.Source = (*Site)(nil)

// Open opens the database of a session and reads all but the samples. Outside of a repository,
// commits have no subjects and no order but that of their times.
func Open(ctx context.Context, a *workspace.Session, opt Options) (_ *Site, err error) {
	lines, err := history.Open(ctx, a, history.Options{Branch: opt.Branch, All: true})
	if err != nil {
		return nil, err
	}
	s := &Site{session: a, opt: opt, lines: lines, db: lines.DB()}
	if opt.before != nil {
		s.db.Learn(opt.before.db)
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

// Empty reports whether nothing is stored.
func (s *Site) Empty() bool { return len(s.runs) == 0 }

// whole reports that all runs were read that the documents were to be made of.
func (s *Site) whole() bool { return len(s.db.Damaged()) == 0 }

// MaxReported is how many points of histories the reports beside the page are made of: theirs
// are all in memory at a time.
const MaxReported = 200_000

// oldest is the place of the oldest commit whose points the site shows.
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

// Points is how many points the histories of all benchmarks have together.
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
	s.environments = site.Environments(s.runs)
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

// when is when a run began, or its commit was made where nothing tells that.
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
	s.meta = site.Meta{
		Schema: site.Schema, Title: s.opt.Title, Branch: s.lines.Branch(), Generated: s.opt.Now.Unix(), Version: s.session.Version,
		Threshold: where.Config.Defaults.Threshold, Alpha: where.Config.Defaults.Alpha, Live: s.opt.Live, Reports: s.opt.Reports && (!s.opt.Live || s.Points() <= MaxReported),
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
		if tip, err := where.Repo.Resolve(ctx, cmp.Or(s.opt.Branch, "HEAD")); err == nil { // else there is no commit yet
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

// nameBenchmarks gives each benchmark its id.
func (s *Site) nameBenchmarks() {
	s.benchmarks = slices.DeleteFunc(slices.Clone(s.lines.Benchmarks()), func(b store.BenchmarkInfo) bool { return !strings.Contains(b.Package, s.opt.Package) })
	type key struct {
		target string
		record.BenchmarkID
	}
	s.known = make(map[string]int, len(s.benchmarks))
	at := make(map[key]int, len(s.benchmarks))
	for i, b := range s.benchmarks {
		id := site.BenchmarkFile(b.Target, b.BenchmarkID)
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
