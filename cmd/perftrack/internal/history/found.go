package history

import (
	"context"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
)

// A foundUnit is a commit on the line blamed by a bisection for a change in one unit of a
// benchmark.
type foundUnit struct {
	steps.Found
	unit string // unit as shown
}

// readFound reads the results of the newest bisections: pairs of successive commits on the line,
// with a regression at the second. It leaves out pairs with damaged runs.
func (r *reader) readFound(ctx context.Context, a *workspace.Session) error {
	r.found = map[checkedName][]foundUnit{}
	looked := 0
	for _, l := range comparison.Searches(r.runs) {
		base, ok := r.along[l.Base.SHA]
		head, ok2 := r.along[l.Head.SHA]
		if looked == maxSearches || !ok || !ok2 || head != base+1 || l.Head.Dirty {
			continue
		}
		looked++
		c, err := r.judged(ctx, a, l)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		for row := range c.Rows() {
			if row.Verdict == compare.Regressed {
				name := checkedName{row.Target, row.BenchmarkID}
				r.found[name] = append(r.found[name], foundUnit{steps.Found{Commit: l.Head.SHA, Before: l.Base.SHA}, row.Unit})
			}
		}
	}
	return nil
}

// foundIn returns the commit blamed by a bisection for a change in one unit of a benchmark, if it
// is after the commit named after and not after upTo. Otherwise it returns the zero value.
func (r *reader) foundIn(name checkedName, unit, after, upTo string) steps.Found {
	begin, ok := r.along[after]
	end, ok2 := r.along[upTo]
	for _, f := range r.found[name] {
		if at := r.along[f.Commit]; ok && ok2 && f.unit == unit && begin < at && at <= end {
			return f.Found
		}
	}
	return steps.Found{}
}
