package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A reader reads the histories of benchmarks. It reads all commits from git at once.
type reader struct {
	where        workspace.Place
	config       string // text of the configuration file
	db           *store.DB
	state        string // state of the database before anything was read
	opt          Options
	all          []store.BenchmarkInfo
	runs         []record.RunInfo               // all runs of the target
	position     map[string]int                 // positions of the measured commits in this repository
	times        map[string]time.Time           // times of commits whose runs lack them
	main         map[string]bool                // commits on HEAD's line or the chosen branch
	along        map[string]int                 // positions of the commits in main, counted from the oldest
	merged       map[string]bool                // commits in main on merged branches, see readLine
	onMerged     map[string]bool                // targets with a history of merged commits
	branch       string                         // name of the line's branch; "" if HEAD is detached
	found        map[checkedName][]foundUnit    // commits found by bisections
	judgedBefore map[string]*compare.Comparison // remembered comparisons, by their trials, see judged
	carried      []record.RunInfo               // runs carrying a measurement over to a commit without samples
	anchor       *anchorRatios                  // nil if values are shown as measured
	notes        *notes                         // about all runs read so far
	intended     acceptance.List
	accepted     func(b store.BenchmarkInfo) acceptedBetween
}

func openReader(ctx context.Context, a *workspace.Session, opt Options) (_ *reader, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	config, err := configText(where.ConfigPath)
	if err != nil {
		return nil, err
	}
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return nil, err
	}
	r := &reader{where: where, config: config, db: db, opt: opt, notes: newNotes(), judgedBefore: map[string]*compare.Comparison{}}
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
	if err == nil { // otherwise there is no history
		if r.intended, err = comparison.AddLanded(ctx, r.where, r.intended, tip.SHA); err != nil {
			return err
		}
	}
	for _, a := range r.intended { // accepted commits need not have been measured
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

// A branchSeries is a series on one line of development. aside reports whether this repository has
// the commits, but not on the chosen line.
type branchSeries struct {
	steps.Series
	aside bool
	first bool // whether this is HEAD's line or the chosen branch
	units []*steps.UnitPoints
}

// series returns the history of a benchmark, with one entry for each line of development.
func (r *reader) series(ctx context.Context, b store.BenchmarkInfo) ([]branchSeries, error) {
	out, _, err := r.seriesOf(ctx, b, r.anchor == nil, r.notes)
	return out, err
}

// seriesOf returns the series of a benchmark and all its stored points. If level is set, points
// measured together with an anchor are scaled to the anchor's level, see atLevel. It adds to n.
func (r *reader) seriesOf(ctx context.Context, b store.BenchmarkInfo, level bool, n *notes) (out []branchSeries, all []record.HistoryPoint, err error) {
	all, err = r.db.History(ctx, b.Target, b.BenchmarkID)
	if err != nil {
		return nil, nil, err
	}
	points := r.pointsOf(all, n)
	if r.opt.Environment != "" {
		points = slices.DeleteFunc(points, func(p record.HistoryPoint) bool { return p.Run.EnvironmentID != r.opt.Environment })
	}
	if level {
		r.atLevel(points, all, n)
	}
	points = onlyUnits(points, shownUnits(b, r.opt.Unit))
	r.direct(b, points)
	r.date(points)
	r.sort(points)
	out = r.split(b, points)
	for i := range out {
		if r.anchor != nil {
			out[i].Points = r.anchor.relative(out[i].Points, all)
		}
		out[i].Limits = compare.Limits{List: r.where.Config.Limits(), Alpha: r.where.Config.Defaults.Alpha}
		out[i].units = steps.UnitsOf(out[i].Points)
		out[i].Lines = steps.UnitLines(out[i].units, steps.Options{Threshold: r.where.Config.Threshold(b.Name), Accepted: r.accepted(b)})
		if out[i].first {
			r.addFound(out[i].Series)
		}
	}
	return out, all, nil
}

// addFound adds the commits found by bisections to the steps of a series.
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

// pointsOf returns the points that qualify for a history, and notes the omitted runs.
func (r *reader) pointsOf(all []record.HistoryPoint, n *notes) []record.HistoryPoint {
	points, anchors := withoutAnchors(all)
	points = append(points, carriedOver(points, r.carried)...)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.anchors = n.anchors || anchors
	if !r.opt.All {
		points = onlyBaselines(points, n.hidden)
	}
	n.baselines = n.baselines || len(points) > 0
	return points
}

// carriedOver returns points for commits without samples but with the same machine code as another
// commit. The other commit's run also counts for them. Such a point is a copy of the other commit's
// point with a different commit, run id and times.
func carriedOver(points []record.HistoryPoint, carried []record.RunInfo) (more []record.HistoryPoint) {
	for _, c := range carried {
		from := c.CarriedFrom()
		i := slices.IndexFunc(points, func(p record.HistoryPoint) bool { return p.Run.ID == from && p.Run.Target == c.Target })
		if i < 0 {
			continue
		}
		p := points[i]
		p.CarriedFrom, p.Benchmark.Samples = p.Run.Commit.SHA, slices.Clone(p.Benchmark.Samples)
		run := *p.Run
		run.ID, run.Seq, run.Commit, run.Start, run.End = c.ID, c.Seq, c.Commit, c.Start, c.End
		p.Run = &run
		more = append(more, p)
	}
	return more
}

// date takes missing commit times of runs, such as imports, from git.
func (r *reader) date(points []record.HistoryPoint) {
	for i := range points {
		if c := points[i].Run.Commit; c.Time.IsZero() && !r.times[c.SHA].IsZero() {
			run := *points[i].Run
			run.Commit.Time = r.times[c.SHA]
			points[i].Run = &run
		}
	}
}

// split divides points into one series for each line of development, with HEAD's line or the chosen
// branch first.
func (r *reader) split(b store.BenchmarkInfo, points []record.HistoryPoint) []branchSeries {
	var out []branchSeries
	for _, p := range points {
		branch, aside, first := r.lineOf(b.Target, p.Run.Commit)
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
		if out[i].Points == nil && first { // most points are on the first line
			out[i].Points = make([]record.HistoryPoint, 0, len(points))
		}
		out[i].Points = append(out[i].Points, p)
	}
	if len(out) == 1 && r.opt.Branch == "" {
		out[0].Branch = ""
	}
	return out
}

// lineOf is like line, but commits of merged branches count as others unless the target's history
// consists of them.
func (r *reader) lineOf(target string, c record.Commit) (branch string, aside, first bool) {
	if r.merged[c.SHA] && !r.onMerged[target] {
		return r.sideLine(c), true, false
	}
	return r.line(c)
}

// line returns a commit's line of development. For commits in this repository, it uses the git
// history; for imports and commits beyond the end of a shallow clone, it uses the branch recorded
// in the run. first is set for commits on HEAD's line or the chosen branch, and aside for commits
// on another line in git.
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
	return r.sideLine(c), true, false
}

// sideLine returns a name for the line of a commit outside the chosen line.
func (r *reader) sideLine(c record.Commit) string {
	if c.Branch == r.branch {
		return "not in the history of " + cmp.Or(r.branch, "HEAD")
	}
	return cmp.Or(c.Branch, "no branch")
}

// sort sorts points in the order of the git history: parents before children, regardless of clocks.
// Commits missing in this repository come first, ordered by commit time and then in the order their
// runs were stored.
func (r *reader) sort(points []record.HistoryPoint) {
	slices.SortStableFunc(points, func(x, y record.HistoryPoint) int {
		return cmp.Or(r.compare(x.Run.Commit, y.Run.Commit), cmp.Compare(x.Run.Seq, y.Run.Seq))
	})
}

// compare compares two commits in the order used by [reader.sort].
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

// narrow drops the points hidden by the options, along with their steps, except unresolved
// regressions. It returns the number of points dropped for lack of a date.
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

// commitTime returns the time of the run's commit or, if it is unknown, the start of the
// measurement.
func commitTime(run *record.RunInfo) time.Time {
	if run.Commit.Time.IsZero() {
		return run.Start
	}
	return run.Commit.Time
}
