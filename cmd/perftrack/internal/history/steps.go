package history

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
)

// An acceptedBetween reports whether a change was accepted at a commit after last, up to and
// including first.
type acceptedBetween func(last, first string) bool

// Regressions returns the unresolved regressions of all benchmarks, newest first. It leaves out
// commits known not to be on HEAD's line or the chosen branch. It includes regressions without a
// date, regardless of opt.Since. It uses and stores summaries in the same way as [Outline], unless
// the values are ratios to an anchor.
func Regressions(ctx context.Context, a *workspace.Session, opt Options, keep string) (all steps.Regressions, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	found, _, err := r.summaries(ctx, a, r.all, keep)
	if err != nil {
		return all, err
	}
	return r.regressions(ctx, a, found)
}

// All returns the series of all benchmarks, without their points, and their regressions in the same
// way as [Regressions].
func (l *Lines) All(ctx context.Context, a *workspace.Session) (found []steps.Series, all steps.Regressions, err error) {
	r := l.r
	series, summaries := make([][]steps.Series, len(r.all)), make([]keptSummary, len(r.all))
	did := a.Counting("computing the histories", len(r.all))
	if err := EachOf(ctx, len(r.all), func(ctx context.Context, i int) error {
		n := newNotes()
		lines, _, err := r.seriesOf(ctx, r.all[i], r.anchor == nil, n)
		if err != nil {
			return err
		}
		summaries[i].Summary = r.summarize(r.all[i], lines, n)
		for _, s := range lines {
			if !s.aside {
				s.Points = nil // the points of all benchmarks would take too much memory
				series[i] = append(series[i], s.Series)
			}
		}
		did()
		return nil
	}); err != nil {
		return nil, all, err
	}
	all, err = r.regressions(ctx, a, summaries)
	return slices.Concat(series...), all, err
}

// enough reports whether a step can be found in any of the lines. If not, a check is the only evidence.
func enough(lines []steps.LineLength) bool {
	return slices.ContainsFunc(lines, func(l steps.LineLength) bool { return l.Enough })
}

// regressions lists the regressions in the summaries of all benchmarks.
func (r *reader) regressions(ctx context.Context, a *workspace.Session, summaries []keptSummary) (all steps.Regressions, err error) {
	checked, err := r.checked(ctx, a)
	if err != nil {
		return all, err
	}
	for i, b := range r.all {
		s := &summaries[i].Summary
		if check := checked[checkedName{b.Target, b.BenchmarkID}]; check.Worst() != nil && (s.NewestOnLine == "" || r.standsFor(check, s.NewestOnLine) || !enough(s.Lines)) {
			all.Proved = append(all.Proved, steps.Proved{Target: b.Target, BenchmarkID: b.BenchmarkID, Check: check})
		}
		all.Lines = append(all.Lines, s.Lines...)
		for _, one := range s.List {
			if !one.When.IsZero() && one.When.Before(r.opt.Since) {
				all.Older++
			} else {
				all.List = append(all.List, one)
			}
		}
	}
	all.Hidden, all.Anchor.Level = len(r.notes.hidden), len(r.notes.levelled)
	if r.anchor != nil {
		all.Anchor = r.anchor.summary()
		if !r.anchor.any {
			return all, r.anchor.errNone("any benchmark")
		}
	}
	position := func(sha string) int {
		if i, ok := r.position[sha]; ok {
			return i
		}
		return -1 // commits unknown here count as oldest
	}
	slices.SortStableFunc(all.List, func(x, y steps.Regression) int {
		return cmp.Or(cmp.Compare(position(y.First.Commit), position(x.First.Commit)), y.When.Compare(x.When))
	})
	if list := r.checks(); len(list) > 0 && list[0].Base.SHA != list[0].Head.SHA {
		all.Trial = [2]string{list[0].Base.SHA, list[0].Head.SHA}
	}
	return all, nil
}
