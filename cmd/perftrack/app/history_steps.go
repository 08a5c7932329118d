package app

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Line is one unit of a series in one environment, with its steps. Runs that
// may not stand in a history are none of it.
type Line struct {
	Environment string
	Unit        string // as stored
	Tidied      string // as shown
	compare.Course
}

// acceptedBetween reports whether a change was accepted on a commit after last,
// in first or before it.
type acceptedBetween func(last, first string) bool

// lines returns what each environment and unit shows, in the order in which
// they appear. A unit that follows from the time is not asked, where there is
// the time: it would be the same step twice.
func (r *historyReader) lines(b store.BenchmarkInfo, points []record.HistoryPoint) []Line {
	var environments, units []string
	for _, p := range points {
		if !slices.Contains(environments, p.Run.EnvironmentID) {
			environments = append(environments, p.Run.EnvironmentID)
		}
		for _, s := range p.Benchmark.Samples {
			if !slices.Contains(units, s.Unit) {
				units = append(units, s.Unit)
			}
		}
	}
	slices.SortFunc(units, record.CompareUnits)
	timed := slices.Contains(units, "ns/op") || slices.Contains(units, "sec/op")
	var out []Line
	for _, e := range environments {
		for _, u := range units {
			_, tidied := compare.Summarize(record.Samples{Unit: u}, false, 0.95)
			if compare.Follows(tidied) && timed {
				continue
			}
			if l := r.measure(b, points, e, u, tidied); len(l.Runs) > 0 {
				out = append(out, l)
			}
		}
	}
	return out
}

func (r *historyReader) measure(b store.BenchmarkInfo, points []record.HistoryPoint, environment, unit, tidied string) Line {
	opt := compare.LineOptions{
		Unit: tidied, Threshold: r.where.config.Threshold(b.Name), Accepted: r.accepted(b),
		Exact: tidied == "B/op" || tidied == "allocs/op",
	}
	var runs []compare.Measured
	declared := true
	for _, p := range points {
		s, ok := p.Benchmark.Unit(unit)
		if !ok || p.Run.EnvironmentID != environment || !p.Run.Baseline() {
			continue
		}
		exact := p.Run.Exact(unit)
		sum, _ := compare.Summarize(s, exact, 0.95)
		if sum.N == 0 {
			continue
		}
		declared = declared && exact
		opt.Better = cmp.Or(p.Run.Better(unit), opt.Better) // the newest that says it
		opt.Exact = opt.Exact && (exact || sum.N > 1) && same(s.Present())
		runs = append(runs, compare.Measured{Run: p.Run.ID, Commit: p.Run.Commit.SHA, Value: sum.Center})
	}
	opt.Exact = opt.Exact || declared
	line := compare.NewLine(opt)
	for _, m := range runs {
		line.Append(m)
	}
	return Line{environment, unit, tidied, line.Course()}
}

func same(values []float64) bool {
	return len(slices.Compact(values)) <= 1
}

// narrow keeps the steps and outliers of the runs that are shown, and the steps
// that are in force, however long ago they came in. It reports whether there is
// anything left.
func (l *Line) narrow(shown map[string]bool) bool {
	any := slices.ContainsFunc(l.Runs, func(m compare.Measured) bool { return shown[m.Run] })
	if !any {
		l.Levels = nil
	}
	l.Steps = slices.DeleteFunc(l.Steps, func(s compare.Step) bool { return !s.InForce && !shown[s.First.Run] })
	l.Outliers = slices.DeleteFunc(l.Outliers, func(o compare.Outlier) bool { return !shown[o.Run] })
	return any || len(l.Steps) > 0
}

// A Regression is a step for the worse that is in force.
type Regression struct {
	Target string
	record.BenchmarkID
	Branch, Environment string
	Unit, Tidied        string // as stored and as shown
	When                time.Time
	Since               time.Time // of the commit that a drift began after
	compare.Step

	position int // of the commit, -1 where this repository does not have it
}

// A RegressionList is the regressions in force, the newest first, and what was
// looked at to find them.
type RegressionList struct {
	List   []Regression
	Lines  []LineLength // one each environment and unit that was looked at
	Older  int          // in force, but from before the time asked for
	Hidden int          // runs left out, as in a History
	Anchor string
	Alone  int
	// Trial is the newest trial, of the commits Base and Head: what it proved is
	// no step of a history.
	Trial, Base, Head string
}

// A LineLength is how many runs a line has, and whether they are enough for a step.
type LineLength struct {
	Runs, Needs int
	Enough      bool
}

// Regressions returns the regressions of all benchmarks that are still in
// force. Commits that this repository has but not on the
// line of HEAD, or of the branch asked for, are left out. One of a commit without
// a date is of any time.
func Regressions(ctx context.Context, a *App, opt HistoryOptions) (all RegressionList, err error) {
	r, err := openHistory(ctx, a, opt)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	for _, b := range r.all {
		if opt.Unit != "" && len(shownUnits(b, opt.Unit)) == 0 {
			continue
		}
		series, err := r.series(ctx, b)
		if err != nil {
			return all, err
		}
		for _, s := range series {
			if !s.aside {
				r.regressions(s, &all)
			}
		}
	}
	if all.Hidden = len(r.hidden); r.anchor != nil {
		all.Anchor, all.Alone = r.anchor.commit, len(r.anchor.alone)
		if !r.anchor.any {
			return all, r.anchor.nothing("any benchmark")
		}
	}
	slices.SortStableFunc(all.List, func(x, y Regression) int {
		// Commits that this repository does not have are the older ones.
		return cmp.Or(cmp.Compare(y.position, x.position), y.When.Compare(x.When))
	})
	return all, r.newestTrial(ctx, &all)
}

// newestTrial names the trial that was stored last, of those that measured two
// commits and are no search.
func (r *historyReader) newestTrial(ctx context.Context, all *RegressionList) error {
	trials, err := r.db.Trials(ctx)
	if err != nil {
		return err
	}
	for _, t := range slices.Backward(trials) {
		all.Base, all.Head = "", ""
		for _, run := range t.Runs {
			switch {
			case r.opt.Target != "" && run.Target != r.opt.Target, compare.IsAnchor(&run.Run), strings.HasPrefix(t.ID, bisectTrial):
			case run.Side == record.Base:
				all.Base = run.Commit.SHA
			case run.Side == record.Head:
				all.Head = run.Commit.SHA
			}
		}
		if all.Base != "" && all.Head != "" && all.Base != all.Head {
			all.Trial = t.ID
			return nil
		}
	}
	return nil
}

func (r *historyReader) regressions(s Series, all *RegressionList) {
	runs := map[string]record.RunInfo{}
	for _, p := range s.Points {
		runs[p.Run.ID] = p.Run
	}
	for _, l := range s.Lines {
		all.Lines = append(all.Lines, LineLength{len(l.Runs), l.Needs, l.Enough})
		for _, step := range l.Steps {
			if !step.InForce {
				continue
			}
			run := runs[step.First.Run]
			when := commitTime(run)
			if !when.IsZero() && when.Before(r.opt.Since) {
				all.Older++
				continue
			}
			position, ok := r.position[run.Commit.SHA]
			if !ok {
				position = -1
			}
			var since time.Time
			if step.Drift > 0 {
				since = commitTime(runs[step.Last.Run])
			}
			all.List = append(all.List, Regression{s.Target, s.BenchmarkID, s.Branch, l.Environment, l.Unit, l.Tidied, when, since, step, position})
		}
	}
}
