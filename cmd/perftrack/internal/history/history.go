package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options say which part of a history is shown.
type Options struct {
	Target      string
	Suite       string
	Unit        string    // only this one, as stored (ns/op) or as shown (sec/op)
	Branch      string    // only this line of development; "" is that of HEAD, and all others apart
	Environment string    // only this one
	Since       time.Time // not commits before; steps are found in all of them
	All         bool      // also partial, failed and dirty runs
	Limit       int       // newest commits; 0 is all
	Anchor      string    // revision: ratios to it, of the runs measured beside it
}

// A History is the series that a name means.
type History struct {
	Anchor steps.AnchorCommit // of all values
	Series []steps.Series
	Hidden int // runs left out because they may not stand in a history
	Dates  int // runs left out because nothing tells when their commits were made
}

// Read returns the history of what name means: one series, or several where
// suites, packages or targets have a benchmark of the same name, or where its
// commits are not of one line of development.
func Read(ctx context.Context, a *workspace.Session, name string, opt Options) (h History, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	found, err := comparison.FindBenchmarks(r.all, name)
	if err != nil { // its name may be what is damaged
		runs, rerr := r.db.Runs(ctx, store.Filter{Target: opt.Target})
		if rerr == nil {
			_, rerr = r.db.Sound(ctx, runs, nil)
		}
		err = errors.Join(err, rerr)
	}
	if err == nil && opt.Unit != "" {
		found, err = withUnit(found, opt.Unit)
	}
	if err != nil {
		return h, fault.Data(err)
	}
	checked, err := r.checked(ctx, a)
	if err != nil {
		return h, err
	}
	inForce := 0 // of what is not shown
	for _, b := range found {
		series, err := r.series(ctx, b)
		if err != nil {
			return h, err
		}
		for _, s := range series {
			if h.Dates += s.narrow(opt); len(s.Points) > 0 {
				if s.first {
					s.Check = checked[checkedName{b.Target, b.BenchmarkID}]
				}
				h.Series = append(h.Series, s.Series)
				continue
			}
			for _, l := range s.Lines {
				inForce += len(l.Steps) // the others are gone
			}
		}
	}
	h.Anchor.Level = len(r.levelled)
	if r.anchor != nil {
		h.Anchor = r.anchor.summary()
		if !r.anchor.any {
			return h, r.anchor.errNone(found[0].Name)
		}
	}
	if h.Hidden = len(r.hidden); len(h.Series) == 0 {
		err := r.errNone(found[0].Name)
		switch {
		case inForce > 0:
			err = fmt.Errorf("%w; regressions from before that are in force: %d, leave out --since to see them", err, inForce)
		case h.Dates > 0:
			err = fmt.Errorf("%w that tells a date, and %d that do not: import such with --time, or leave out --since", err, h.Dates)
		}
		return h, fault.Data(err)
	}
	return h, nil
}

// errNone returns why no run of a benchmark that exists is shown.
func (r *reader) errNone(name string) error {
	opt := r.opt
	switch {
	case len(r.hidden) > 0 && !r.baselines:
		return fmt.Errorf("%s has no complete run of a clean commit, only partial, failed or uncommitted ones (%d): show them with --all", name, len(r.hidden))
	case opt.Branch != "" && opt.Since.IsZero():
		return fmt.Errorf("%s has no run on branch %s: see `perftrack list runs`", name, opt.Branch)
	case opt.Branch != "":
		return fmt.Errorf("%s has no run on branch %s since then: see `perftrack list runs`", name, opt.Branch)
	case r.anchors && opt.Since.IsZero():
		return fmt.Errorf("%s was measured only in builds that others were measured beside: see `perftrack list trials`", name)
	}
	if len(r.db.Damaged()) > 0 && opt.Since.IsZero() {
		return fmt.Errorf("no run of %s is whole", name)
	}
	return fmt.Errorf("%s has no run since then", name)
}

// withoutAnchors drops what is no point of a history, whatever of it is asked for: the
// runs of anchors, and those of a bisection, which are as short as the search could do
// with. It reports whether there is any anchor.
func withoutAnchors(all []record.HistoryPoint) (points []record.HistoryPoint, anchors bool) {
	for _, p := range all {
		anchor := compare.IsAnchor(&p.Run.Run)
		anchors = anchors || anchor
		if !anchor && !workspace.IsBisectTrial(p.Run.Trial) {
			points = append(points, p)
		}
	}
	return points, anchors
}

// onlyBaselines drops the runs that may not stand in a history, and adds them
// to hidden.
func onlyBaselines(points []record.HistoryPoint, hidden map[string]bool) []record.HistoryPoint {
	return slices.DeleteFunc(points, func(p record.HistoryPoint) bool {
		if !p.Run.Baseline() {
			hidden[p.Run.ID] = true
		}
		return !p.Run.Baseline()
	})
}

// withUnit returns those benchmarks that have the unit.
func withUnit(list []store.BenchmarkInfo, unit string) (found []store.BenchmarkInfo, err error) {
	var units []string
	for _, b := range list {
		if len(shownUnits(b, unit)) > 0 {
			found = append(found, b)
		}
		for _, u := range b.Units {
			if !slices.Contains(units, u) {
				units = append(units, u)
			}
		}
	}
	if len(found) == 0 {
		slices.SortFunc(units, record.CompareUnits)
		who := list[0].Name + " has no unit"
		if slices.ContainsFunc(list, func(b store.BenchmarkInfo) bool { return b.Name != list[0].Name }) {
			who = "no benchmark has the unit"
		}
		return nil, fmt.Errorf("%s %q: there are %s", who, unit, strings.Join(units, ", "))
	}
	return found, nil
}

// printedTotal is the sum over all calls that a profile report prints: of the
// same time as ns/op, and no measure of its own.
const printedTotal = "total-ns"

// shownUnits returns the units of b to be shown: the one that was asked for, by
// its stored or its tidied name; else all but the printed total.
func shownUnits(b store.BenchmarkInfo, unit string) (units []string) {
	for _, u := range b.Units {
		_, tidied := compare.Summarize(record.Samples{Unit: u}, false, 0.95) // of no values: the unit alone
		if u == unit || tidied == unit || unit == "" && (u != printedTotal || len(b.Units) == 1) {
			units = append(units, u)
		}
	}
	return units
}

// onlyUnits drops the samples of other units, and the points that have none.
func onlyUnits(points []record.HistoryPoint, units []string) []record.HistoryPoint {
	for i := range points {
		b := &points[i].Benchmark
		b.Samples = slices.DeleteFunc(b.Samples, func(s record.Samples) bool { return !slices.Contains(units, s.Unit) })
	}
	return slices.DeleteFunc(points, func(p record.HistoryPoint) bool { return len(p.Benchmark.Samples) == 0 })
}

// newestCommits returns the points of the last limit commits.
func newestCommits(points []record.HistoryPoint, limit int) []record.HistoryPoint {
	if limit == 0 {
		return points
	}
	seen := map[string]bool{}
	for i := len(points) - 1; i >= 0; i-- {
		seen[points[i].Run.Commit.SHA] = true
		if len(seen) > limit {
			return points[i+1:]
		}
	}
	return points
}
