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
	"github.com/perftrack/perftrack/reports/filecache"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// An acceptedBetween reports whether a change was accepted at a commit after last, up to and
// including first.
type acceptedBetween func(last, first string) bool

// Regressions returns the regressions of all benchmarks still in force, newest first. It leaves out
// commits known not to be on HEAD's line or the chosen branch. It includes regressions without a
// date, regardless of opt.Since. Like [Outline], it stores a result that took long to compute in
// the file keep, unless the values are ratios to an anchor.
func Regressions(ctx context.Context, a *workspace.Session, opt Options, keep string) (all steps.Regressions, err error) {
	r, err := openReader(ctx, a, opt)
	if err != nil {
		return all, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	if opt.Anchor != "" { // the revision may refer to a different commit tomorrow
		keep = ""
	}
	return keptOr(r, a, filecache.File{Path: keep, Form: keptRegressionsForm}, func() (steps.Regressions, error) {
		_, all, err := r.regressionsOfAll(ctx, a, false)
		return all, err
	})
}

// All returns the series of all benchmarks, without their points, and their regressions in the same
// way as [Regressions].
func (l *Lines) All(ctx context.Context, a *workspace.Session) (found []steps.Series, all steps.Regressions, err error) {
	return l.r.regressionsOfAll(ctx, a, true)
}

// regressionsOfAll implements [Lines.All]. It returns no series unless series is set, because those
// of all benchmarks take much memory.
func (r *reader) regressionsOfAll(ctx context.Context, a *workspace.Session, series bool) (found []steps.Series, all steps.Regressions, err error) {
	checked, err := r.checked(ctx, a)
	if err != nil {
		return nil, all, err
	}
	parts := make([]part, len(r.all))
	did := a.Counting("computing the histories", len(r.all))
	if err := eachOf(len(r.all), func(i int) (err error) {
		if parts[i], err = r.part(ctx, r.all[i]); !series {
			parts[i].series = nil
		}
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
		return -1 // commits unknown here count as oldest
	}
	slices.SortStableFunc(all.List, func(x, y steps.Regression) int {
		return cmp.Or(cmp.Compare(position(y.First.Commit), position(x.First.Commit)), y.When.Compare(x.When))
	})
	if list := r.checks(); len(list) > 0 && list[0].Base.SHA != list[0].Head.SHA {
		all.Trial = [2]string{list[0].Base.SHA, list[0].Head.SHA}
	}
	return found, all, nil
}

// A part is one benchmark's contribution to [Lines.All].
type part struct {
	series []steps.Series
	newest string // newest measured commit on the line, or ""
	steps.Regressions
}

// part computes the contribution of a benchmark. It drops the points of the series, because the
// points of all benchmarks would take too much memory.
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

// eachOf calls do with 0 to n-1, several at a time, and returns the first error.
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
	runs := make(map[string]*record.RunInfo, len(s.Points))
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
