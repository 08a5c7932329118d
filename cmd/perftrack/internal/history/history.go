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
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Options select a part of a history.
type Options struct {
	Target      string
	Suite       string
	Unit        string    // name as stored (ns/op) or as shown (sec/op); "" means all units
	Branch      string    // line of development; "" means HEAD's line first, then the other lines
	Environment string    // "" means all
	Since       time.Time // hide earlier commits; steps are still found in all commits
	All         bool      // also show partial, failed and dirty runs
	Limit       int       // number of newest commits to show; 0 means all
	Anchor      string    // revision; show ratios to it for the runs measured together with it
}

// A History holds all series with a given name.
type History struct {
	Anchor steps.AnchorCommit // the baseline of all values, if they are ratios
	Series []steps.Series
	Hidden int // number of runs left out because they do not qualify for a history
	Dates  int // number of runs left out because the dates of their commits are unknown
}

// Read returns the series of the benchmarks with the given name. There are several series if
// suites, packages or targets share the name, or if the commits are on several lines of
// development.
func Read(ctx context.Context, a *workspace.Session, name string, opt Options) (h History, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	found, err := comparison.FindBenchmarks(r.all, name)
	if err != nil { // a damaged run may have had a benchmark with this name
		_, rerr := r.db.Runs(ctx, store.Filter{Target: opt.Target})
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
	unresolved := 0 // number of hidden unresolved regressions
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
				unresolved += len(l.Steps) // only unresolved steps are left
			}
		}
	}
	h.Anchor.Level = len(r.notes.levelled)
	if r.anchor != nil {
		h.Anchor = r.anchor.summary()
		if !r.anchor.any {
			return h, r.anchor.errNone(found[0].Name)
		}
	}
	if h.Hidden = len(r.notes.hidden); len(h.Series) == 0 {
		err := r.errNone(found[0].Name)
		switch {
		case unresolved > 0:
			err = fmt.Errorf("%w; earlier unresolved regressions: %d; remove --since to see them", err, unresolved)
		case h.Dates > 0:
			err = fmt.Errorf("%w with a date; runs without a date: %d; import these with --time, or remove --since", err, h.Dates)
		}
		return h, fault.Data(err)
	}
	return h, nil
}

// errNone returns an error explaining why no run of an existing benchmark is shown.
func (r *reader) errNone(name string) error {
	opt := r.opt
	switch {
	case len(r.notes.hidden) > 0 && !r.notes.baselines:
		return fmt.Errorf("%s has no complete run at a clean commit, only partial, failed or uncommitted ones (%d): show them with --all", name, len(r.notes.hidden))
	case opt.Branch != "" && opt.Since.IsZero():
		return fmt.Errorf("%s has no run on branch %s: see `perftrack list runs`", name, opt.Branch)
	case opt.Branch != "":
		return fmt.Errorf("%s has no run on branch %s since then: see `perftrack list runs`", name, opt.Branch)
	case r.notes.anchors && opt.Since.IsZero():
		return fmt.Errorf("%s was measured only as an anchor for other builds: see `perftrack list trials`", name)
	}
	if len(r.db.Damaged()) > 0 && opt.Since.IsZero() {
		return fmt.Errorf("every stored run of %s is damaged", name)
	}
	if opt.Since.IsZero() {
		return fmt.Errorf("%s was measured only by workers whose machines have no name, so its runs are no history: set PERFTRACK_MACHINE on each worker", name)
	}
	return fmt.Errorf("%s has no run since then", name)
}

// withoutAnchors drops the points from runs of anchors, from bisections, which measured only as long
// as their search required, and from any machine of a class. It also reports whether there was an
// anchor.
func withoutAnchors(all []record.HistoryPoint) (points []record.HistoryPoint, anchored bool) {
	points = make([]record.HistoryPoint, 0, len(all))
	for _, p := range all {
		anchor := anchors.Is(&p.Run.Run)
		anchored = anchored || anchor
		if !anchor && !workspace.IsBisectTrial(p.Run.Trial) && !ofAnyMachine(&p.Run.Run) {
			points = append(points, p)
		}
	}
	return points, anchored
}

// ofAnyMachine reports whether any machine of a class may have measured a run, without an anchor
// beside it to tell how fast that machine was.
func ofAnyMachine(r *record.Run) bool {
	return r.OfClass() && r.Protocol.Procedure != anchors.Procedure
}

// onlyBaselines drops the points from runs that do not qualify for a history, and adds these runs
// to hidden.
func onlyBaselines(points []record.HistoryPoint, hidden map[int64]bool) []record.HistoryPoint {
	return slices.DeleteFunc(points, func(p record.HistoryPoint) bool {
		if !p.Run.Baseline() {
			hidden[p.Run.Seq] = true
		}
		return !p.Run.Baseline()
	})
}

// withUnit returns the benchmarks with the given unit, or an error if no benchmark has it.
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
		return nil, fmt.Errorf("%s %q: known units are %s", who, unit, strings.Join(units, ", "))
	}
	return found, nil
}

// printedTotal is the unit of the total time of all calls in a profile report. It is derived from
// the same time as ns/op, so it is not shown separately.
const printedTotal = "total-ns"

// shownUnits returns the units of b to show: the units with the stored or tidied name unit or, if
// unit is "", all units except the printed total.
func shownUnits(b store.BenchmarkInfo, unit string) (units []string) {
	for _, u := range b.Units {
		_, tidied := compare.Summarize(record.Samples{Unit: u}, false, 0.95) // summarizes no values, just to get the tidied unit
		if u == unit || tidied == unit || unit == "" && (u != printedTotal || len(b.Units) == 1) {
			units = append(units, u)
		}
	}
	return units
}

// onlyUnits drops the samples in units other than the given ones, and then the points without
// samples.
func onlyUnits(points []record.HistoryPoint, units []string) []record.HistoryPoint {
	for i := range points {
		b := &points[i].Benchmark
		keep := b.WithCompanions(units)
		b.Samples = slices.DeleteFunc(b.Samples, func(s record.Samples) bool { return !slices.Contains(keep, s.Unit) })
	}
	return slices.DeleteFunc(points, func(p record.HistoryPoint) bool { return len(p.Benchmark.Series()) == 0 })
}

// newestCommits returns the points at the last limit commits, or all points if limit is 0.
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
