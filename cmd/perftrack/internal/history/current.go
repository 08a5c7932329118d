package history

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/current"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// maxCurrent is the maximum number of runs of a target that are read for its current values. A
// check on the main branch may measure only the few benchmarks that reach changed code.
const maxCurrent = 20

// Current returns the newest value of each benchmark on the first line of development. It reads the
// runs of a target, newest first, up to one with all benchmarks of the target. Thus a deleted benchmark
// has no value.
func (l *Lines) Current(ctx context.Context) ([]current.Value, error) {
	var state current.State
	for _, info := range l.currentRuns() {
		run, err := l.r.db.Get(ctx, info.ID)
		if errors.Is(err, store.ErrDamaged) || errors.Is(err, store.ErrNotFound) { // the first is reported by Damaged, the second was just deleted
			continue
		}
		if err != nil {
			return nil, fault.IO(err)
		}
		run.Normalize()
		values, _ := current.Of(run)
		current.Direct(values, l.r.where.Config.Better)
		state.Add(values)
	}
	return state.Values(), nil
}

// currentRuns returns the runs that may have current values, by target and newest first. Runs that
// only serve other runs, and profiles, are no state of the benchmarks.
func (l *Lines) currentRuns() (list []record.RunInfo) {
	var runs []record.HistoryPoint
	for i := range l.r.runs {
		info := &l.r.runs[i]
		_, _, first := l.r.lineOf(info.Target, info.Commit)
		if first && info.Baseline() && !comparison.IsAside(*info) && info.Facts.Get(record.KeyMeasured) == "" {
			runs = append(runs, record.HistoryPoint{Run: info})
		}
	}
	l.r.date(runs)
	l.r.sort(runs)
	slices.Reverse(runs)
	slices.SortStableFunc(runs, func(a, b record.HistoryPoint) int { return cmp.Compare(a.Run.Target, b.Run.Target) })
	count, whole := map[string]int{}, map[string]bool{}
	for _, p := range runs {
		target := p.Run.Target
		if whole[target] || count[target] == maxCurrent {
			continue
		}
		count[target]++
		whole[target] = steps.IsWhole(*p.Run)
		list = append(list, *p.Run)
	}
	return list
}
