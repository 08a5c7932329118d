package history

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/kept"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// acceptedBetween reports whether a change was accepted on a commit after last,
// in first or before it.
type acceptedBetween func(last, first string) bool

// Regressions returns the regressions of all benchmarks that are still in
// force, the newest first. Commits that this repository has but not on the line of
// HEAD, or of the branch asked for, are left out. One of a commit without a date is of
// any time. What took long is kept in the file keep, as [Outline] keeps it, but for ratios to an anchor.
func Regressions(ctx context.Context, a *workspace.Session, opt Options, keep string) (all steps.Regressions, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	if opt.Anchor != "" { // whose commit may be another one tomorrow
		keep = ""
	}
	return keptOr(r, a, kept.File{Path: keep, Form: keptRegressionsForm}, func() (steps.Regressions, error) {
		_, all, err := r.regressionsOfAll(ctx, a)
		return all, err
	})
}

// All returns the series of all benchmarks, without their points, and [Regressions] of them.
func (l *Lines) All(ctx context.Context, a *workspace.Session) (found []steps.Series, all steps.Regressions, err error) {
	return l.r.regressionsOfAll(ctx, a)
}

// regressionsOfAll is [Lines.All] of a reader.
func (r *reader) regressionsOfAll(ctx context.Context, a *workspace.Session) (found []steps.Series, all steps.Regressions, err error) {
	if err := r.verify(ctx, a); err != nil {
		return nil, all, err
	}
	checked, err := r.checked(ctx, a)
	if err != nil {
		return nil, all, err
	}
	parts := make([]part, len(r.all))
	did := a.Counting("computing the histories", len(r.all))
	if err := eachOf(len(r.all), func(i int) (err error) {
		parts[i], err = r.part(ctx, r.all[i])
		did()
		return err
	}); err != nil {
		return nil, all, err
	}
	for i, p := range parts {
		b := r.all[i]
		if check := checked[checkedName{b.Target, b.BenchmarkID}]; check.Worst() != nil && (p.newest == "" || r.standsFor(check, p.newest)) {
			all.Proved = append(all.Proved, steps.Proved{Target: b.Target, BenchmarkID: b.BenchmarkID, Check: check})
		}
		found = append(found, p.series...)
		all.List, all.Lines, all.Older = append(all.List, p.List...), append(all.Lines, p.Lines...), all.Older+p.Older
	}
	all.Anchor.Level = len(r.levelled)
	if all.Hidden = len(r.hidden); r.anchor != nil {
		all.Anchor = r.anchor.summary()
		if !r.anchor.any {
			return found, all, r.anchor.errNone("any benchmark")
		}
	}
	position := func(sha string) int {
		if i, ok := r.position[sha]; ok {
			return i
		}
		return -1 // what this repository does not have is older
	}
	slices.SortStableFunc(all.List, func(x, y steps.Regression) int {
		return cmp.Or(cmp.Compare(position(y.First.Commit), position(x.First.Commit)), y.When.Compare(x.When))
	})
	if list := r.checks(); len(list) > 0 && list[0].Base.SHA != list[0].Head.SHA {
		all.Trial = [2]string{list[0].Base.SHA, list[0].Head.SHA}
	}
	return found, all, nil
}

// A part is what one benchmark adds to [Lines.All].
type part struct {
	series []steps.Series
	newest string // commit of the line that was measured last, "" for none
	steps.Regressions
}

// part drops the points of the series, which for all benchmarks together are too many to keep.
func (r *reader) part(ctx context.Context, b store.BenchmarkInfo) (p part, err error) {
	if r.opt.Unit != "" && len(shownUnits(b, r.opt.Unit)) == 0 {
		return p, nil
	}
	series, err := r.series(ctx, b)
	if err != nil {
		return p, err
	}
	for _, s := range series {
		if !s.aside {
			r.regressions(s.Series, &p.Regressions)
			if s.first && len(s.Points) > 0 {
				p.newest = s.Points[len(s.Points)-1].Run.Commit.SHA
			}
			s.Points = nil
			p.series = append(p.series, s.Series)
		}
	}
	return p, nil
}

// eachOf calls do for 0 to n-1, several at once, and returns the first error.
func eachOf(n int, do func(i int) error) (first error) {
	var next atomic.Int64
	var workers sync.WaitGroup
	var once sync.Once
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					once.Do(func() { first = err })
					next.Store(int64(n))
				}
			}
		})
	}
	workers.Wait()
	return first
}

func (r *reader) regressions(s steps.Series, all *steps.Regressions) {
	runs := map[string]record.RunInfo{}
	for _, p := range s.Points {
		runs[p.Run.ID] = p.Run
	}
	for _, l := range s.Lines {
		all.Lines = append(all.Lines, steps.LineLength{Runs: len(l.Runs), Needs: l.Needs, Enough: l.Enough})
		for _, step := range l.Steps {
			if !step.InForce {
				continue
			}
			when := commitTime(runs[step.First.Run])
			if !when.IsZero() && when.Before(r.opt.Since) {
				all.Older++
				continue
			}
			var since time.Time
			if step.Drift > 0 {
				since = commitTime(runs[step.Last.Run])
			}
			all.List = append(all.List, steps.Regression{
				Target: s.Target, BenchmarkID: s.BenchmarkID, Branch: s.Branch, Environment: l.Environment, Unit: l.Unit, Tidied: l.Tidied,
				When: when, Since: since, Step: step,
			})
		}
	}
}
