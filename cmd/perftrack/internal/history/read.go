package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A reader reads histories, one benchmark after the other. What git says
// of all commits is asked once.
type reader struct {
	where        workspace.Place
	db           *store.DB
	state        string // of the database, before anything was read
	opt          Options
	all          []store.BenchmarkInfo
	runs         []record.RunInfo               // of the target
	position     map[string]int                 // of the commits that this repository has
	times        map[string]time.Time           // of those whose runs do not tell it
	main         map[string]bool                // those on the line of HEAD, or of the branch asked for
	along        map[string]int                 // and their places on it, the oldest first
	merged       map[string]bool                // those of main that are on merged branches: see readLine
	onMerged     map[string]bool                // targets whose history they are
	branch       string                         // its name, "" when HEAD is detached
	found        map[checkedName][]foundUnit    // by bisections
	judgedBefore map[string]*compare.Comparison // by trials: see judged
	carried      []record.RunInfo               // for whose commits a run of another one counts
	anchor       *anchorRatios                  // nil when values are drawn as they were measured
	noting       sync.Mutex                     // of the next four
	hidden       map[string]bool                // runs left out because they may not stand in a history
	baselines    bool                           // others may
	anchors      bool                           // runs left out because they are those of anchors
	levelled     map[string]bool                // runs whose values are at the level of their anchor
	intended     compare.Accepted
	accepted     func(b store.BenchmarkInfo) acceptedBetween
}

func openReader(ctx context.Context, a *workspace.Session, opt Options) (_ *reader, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{where: where, db: db, opt: opt, hidden: map[string]bool{}, levelled: map[string]bool{}, judgedBefore: map[string]*compare.Comparison{}}
	if r.state, err = db.State(ctx); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if r.intended, err = comparison.ReadAcceptances(ctx, a, db, opt.Target); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	r.accepted = func(b store.BenchmarkInfo) acceptedBetween {
		return r.intended.Changed(b.Target, b.BenchmarkID, r.position)
	}
	if err := errors.Join(r.readBenchmarks(ctx), r.readCommits(ctx), r.readAnchor(ctx)); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := r.readFound(ctx, a); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return r, nil
}

func (r *reader) readBenchmarks(ctx context.Context) (err error) {
	r.all, err = r.db.Benchmarks(ctx, store.Filter{Target: r.opt.Target, Environment: r.opt.Environment})
	switch {
	case err != nil:
		return err
	case len(r.all) == 0 && r.opt.Environment != "":
		return fault.Data(fmt.Errorf("no run of environment %s is stored: see `perftrack list runs`", r.opt.Environment))
	case len(r.all) == 0 && r.opt.Target != "":
		return fault.Data(fmt.Errorf("no run of target %s is stored: see `perftrack list runs`", r.opt.Target))
	}
	if r.opt.Suite != "" {
		r.all = slices.DeleteFunc(r.all, func(b store.BenchmarkInfo) bool { return b.Suite != r.opt.Suite })
	}
	return nil
}

func (r *reader) readCommits(ctx context.Context) error {
	r.branch = r.opt.Branch
	runs, err := r.db.Runs(ctx, store.Filter{Target: r.opt.Target})
	if err != nil {
		return err
	}
	r.runs = runs
	for _, run := range runs {
		if run.CarriedFrom() != "" {
			r.carried = append(r.carried, run)
		}
	}
	if r.where.Repo == nil {
		return nil
	}
	var shas, undated []string
	for _, run := range runs {
		if run.Commit.SHA != "" {
			shas = append(shas, run.Commit.SHA)
			if run.Commit.Time.IsZero() {
				undated = append(undated, run.Commit.SHA)
			}
		}
	}
	tip, err := r.where.Repo.Resolve(ctx, cmp.Or(r.opt.Branch, "HEAD"))
	if err == nil { // else there is no history, as FirstParents says
		if r.intended, err = comparison.AddLanded(ctx, r.where, r.intended, tip.SHA); err != nil {
			return err
		}
	}
	for _, a := range r.intended { // which need no run of their own
		shas = append(shas, a.Commit)
	}
	if r.position, err = r.where.Repo.Order(ctx, shas); err != nil {
		return fault.Git(err)
	}
	if r.times, err = r.where.Repo.Times(ctx, undated); err != nil {
		return fault.Git(err)
	}
	if r.branch == "" {
		if r.branch, err = r.where.Repo.HeadBranch(ctx); err != nil {
			return fault.Git(err)
		}
	}
	return r.readLine(ctx)
}

// verify reads all runs whole, once: of histories that are read at the same time, each would do so.
func (r *reader) verify(ctx context.Context, a *workspace.Session) error {
	_, err := r.db.Sound(ctx, r.runs, a.Counting("reading the runs", len(r.runs)))
	return err
}

// A branchSeries is a series, and whether its commits are known to this repository, but
// not on the line asked for.
type branchSeries struct {
	steps.Series
	aside bool
	first bool // the line asked for, or that of HEAD
}

// series returns the history of one benchmark, each line of development apart,
// with what all of its runs show.
func (r *reader) series(ctx context.Context, b store.BenchmarkInfo) ([]branchSeries, error) {
	out, _, err := r.seriesOf(ctx, b, r.anchor == nil)
	return out, err
}

// seriesOf is series, which also returns all points of the benchmark as they are stored. With level,
// runs that have an anchor are told at its level: see atLevel.
func (r *reader) seriesOf(ctx context.Context, b store.BenchmarkInfo, level bool) (out []branchSeries, all []record.HistoryPoint, err error) {
	all, err = r.db.History(ctx, b.Target, b.BenchmarkID)
	if err != nil {
		return nil, nil, err
	}
	points := r.pointsOf(all)
	if r.opt.Environment != "" {
		points = slices.DeleteFunc(points, func(p record.HistoryPoint) bool { return p.Run.EnvironmentID != r.opt.Environment })
	}
	if level {
		r.atLevel(points, all)
	}
	points = onlyUnits(points, shownUnits(b, r.opt.Unit))
	r.date(points)
	r.sort(points)
	out = r.split(b, points)
	for i := range out {
		if r.anchor != nil {
			out[i].Points = r.anchor.relative(out[i].Points, all)
		}
		out[i].Limits = compare.Limits{List: r.where.Config.Limits(), Alpha: r.where.Config.Defaults.Alpha}
		out[i].Lines = steps.UnitLines(out[i].Points, steps.Options{Threshold: r.where.Config.Threshold(b.Name), Accepted: r.accepted(b)})
		if out[i].first {
			r.addFound(out[i].Series)
		}
	}
	return out, all, nil
}

// addFound says of the steps of a series which commits bisections found.
func (r *reader) addFound(s steps.Series) {
	name := checkedName{s.Target, s.BenchmarkID}
	for _, l := range s.Lines {
		for i := range l.Steps {
			if step := &l.Steps[i]; step.Verdict == compare.Regressed && step.Drift == 0 {
				step.Found = r.foundIn(name, l.Tidied, step.Last.Commit, step.First.Commit)
			}
		}
	}
}

// pointsOf returns those of all points that may stand in a history, and notes what it leaves out.
func (r *reader) pointsOf(all []record.HistoryPoint) []record.HistoryPoint {
	points, anchors := withoutAnchors(all)
	points = append(points, carriedOver(points, r.carried)...)
	r.noting.Lock()
	defer r.noting.Unlock()
	r.anchors = r.anchors || anchors
	if !r.opt.All {
		points = onlyBaselines(points, r.hidden)
	}
	r.baselines = r.baselines || len(points) > 0
	return points
}

// carriedOver returns the points of commits that were not measured, because a run of another
// one with the same machine code counts for them, too. All else of them is that run's, so that
// its anchor is theirs.
func carriedOver(points []record.HistoryPoint, carried []record.RunInfo) (more []record.HistoryPoint) {
	for _, c := range carried {
		from := c.CarriedFrom()
		i := slices.IndexFunc(points, func(p record.HistoryPoint) bool { return p.Run.ID == from && p.Run.Target == c.Target })
		if i < 0 {
			continue
		}
		p := points[i]
		p.CarriedFrom, p.Benchmark.Samples = p.Run.Commit.SHA, slices.Clone(p.Benchmark.Samples)
		p.Run.ID, p.Run.Seq, p.Run.Commit, p.Run.Start, p.Run.End = c.ID, c.Seq, c.Commit, c.Start, c.End
		more = append(more, p)
	}
	return more
}

// date gives the commits whose runs have no date, such as those of an import, the time that
// git has.
func (r *reader) date(points []record.HistoryPoint) {
	for i := range points {
		if c := &points[i].Run.Commit; c.Time.IsZero() {
			c.Time = r.times[c.SHA]
		}
	}
}

// split puts the runs of each line of development in a series of its own, the
// line of HEAD first.
func (r *reader) split(b store.BenchmarkInfo, points []record.HistoryPoint) []branchSeries {
	var out []branchSeries
	for _, p := range points {
		branch, aside, first := r.line(p.Run.Commit)
		if r.merged[p.Run.Commit.SHA] && !r.onMerged[b.Target] {
			branch, aside, first = r.apart(p.Run.Commit), true, false
		}
		if !first && r.opt.Branch != "" {
			continue
		}
		i := slices.IndexFunc(out, func(s branchSeries) bool { return s.Branch == branch })
		switch {
		case i >= 0:
		case first:
			i, out = 0, slices.Insert(out, 0, branchSeries{Series: steps.Series{Target: b.Target, BenchmarkID: b.BenchmarkID, Branch: branch}, first: true})
		default:
			i, out = len(out), append(out, branchSeries{Series: steps.Series{Target: b.Target, BenchmarkID: b.BenchmarkID, Branch: branch}, aside: aside})
		}
		out[i].Points = append(out[i].Points, p)
	}
	if len(out) == 1 && r.opt.Branch == "" {
		out[0].Branch = ""
	}
	return out
}

// line returns the line of development that a commit is on. Git decides for
// the commits that it has; for others, of an import or beyond the end of a
// shallow clone, what was recorded with the run. First is set for the line of
// HEAD or of the branch asked for, aside for one that git knows to be another.
func (r *reader) line(c record.Commit) (branch string, aside, first bool) {
	_, known := r.position[c.SHA]
	name := cmp.Or(r.branch, "HEAD")
	if r.where.Repo == nil {
		name = cmp.Or(r.branch, "no branch")
	}
	switch {
	case r.main[c.SHA]:
		return name, false, true
	case !known && c.Branch == r.branch, !known && c.Branch == "" && r.opt.Branch == "":
		return name, false, true
	case !known:
		return c.Branch, false, false
	}
	return r.apart(c), true, false
}

// apart names the line of a commit that git knows not to be on the one asked for.
func (r *reader) apart(c record.Commit) string {
	if c.Branch == r.branch {
		return "not in the history of " + cmp.Or(r.branch, "HEAD")
	}
	return cmp.Or(c.Branch, "no branch")
}

// sort puts points in the order of the git history: parents before children.
// Clocks do not decide it: commits that this repository does not have come
// first, by their commit time and then as they were stored.
func (r *reader) sort(points []record.HistoryPoint) {
	slices.SortStableFunc(points, func(x, y record.HistoryPoint) int {
		return cmp.Or(r.compare(x.Run.Commit, y.Run.Commit), cmp.Compare(x.Run.Seq, y.Run.Seq))
	})
}

// compare orders two commits.
func (r *reader) compare(x, y record.Commit) int {
	i, xKnown := r.position[x.SHA]
	j, yKnown := r.position[y.SHA]
	switch {
	case xKnown && yKnown:
		return cmp.Compare(i, j)
	case xKnown != yKnown && yKnown:
		return -1
	case xKnown != yKnown:
		return 1
	}
	return x.Time.Compare(y.Time)
}

// narrow drops the runs that are not to be shown, and the steps to them that are
// not in force. It returns how many runs it dropped because they have no date.
func (s *branchSeries) narrow(opt Options) (undated int) {
	s.Points = newestCommits(s.Points, opt.Limit)
	if !opt.Since.IsZero() {
		s.Points = slices.DeleteFunc(s.Points, func(p record.HistoryPoint) bool {
			when := commitTime(p.Run)
			if when.IsZero() {
				undated++
			}
			return when.Before(opt.Since)
		})
	}
	shown := map[string]bool{}
	for _, p := range s.Points {
		shown[p.Run.ID] = true
	}
	lines := s.Lines[:0]
	for _, l := range s.Lines {
		if l.Keep(shown) {
			lines = append(lines, l)
		}
	}
	s.Lines = lines
	return undated
}

// commitTime is that of the measurement where the commit has none.
func commitTime(run record.RunInfo) time.Time {
	if run.Commit.Time.IsZero() {
		return run.Start
	}
	return run.Commit.Time
}
