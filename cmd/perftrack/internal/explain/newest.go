package explain

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	explanationreport "github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// Newest explains the worst row in the newest trial. If opt names a benchmark, it considers only
// that benchmark's rows.
func Newest(ctx context.Context, a *workspace.Session, opt Options) (*explanationreport.Explanation, error) {
	if opt.Flags.Suite != "" {
		return nil, fault.Usagef("the revisions are missing: perftrack explain BASE HEAD --suite %s", opt.Flags.Suite)
	}
	c, err := comparison.Compare(ctx, a, nil)
	if err != nil {
		return nil, err
	}
	row := worst(opt.named(slices.Collect(c.Rows())))
	if row == nil {
		return nil, fault.Usagef("the newest trial has no benchmark to explain: name one with perftrack explain BASE HEAD --bench NAME")
	}
	a.Noticef("explaining %s in the newest trial, from %.7s to %.7s", row.Name, commitOfTarget(c.Base.Runs, row.Target).SHA, commitOfTarget(c.Head.Runs, row.Target).SHA)
	opt.Target, opt.Flags.Bench, opt.Package = row.Target, row.Name, row.Package
	return opt.limited(ctx, func(ctx context.Context, opt Options) (*explanationreport.Explanation, error) {
		return explainRow(ctx, a, commitOfTarget(c.Base.Runs, row.Target), commitOfTarget(c.Head.Runs, row.Target), opt, row)
	})
}

// named returns the rows of the benchmark named in the options. Without such a row, --bench is
// taken as an expression. Without --bench, all benchmarks are included. The rows must also be in
// the target and package named in the options, if any.
func (o Options) named(rows []*compare.Row) []*compare.Row {
	bench := strings.TrimPrefix(o.Flags.Bench, "Benchmark")
	is := func(r *compare.Row) bool { return r.Name == bench }
	if pattern, err := naming.ParsePattern(o.Flags.Bench); err == nil && !slices.ContainsFunc(rows, is) {
		is = func(r *compare.Row) bool { return bench == "" || pattern.Matches(r.Name) }
	}
	return slices.DeleteFunc(rows, func(r *compare.Row) bool {
		return !is(r) || o.Target != "" && r.Target != o.Target || o.Package != "" && r.Package != o.Package
	})
}

// worst returns the row with the largest regression in time or allocations, the units explainable
// by functions. Without a regression, it returns the row with the largest improvement or else with
// the largest change. It returns nil if no row has such a unit.
func worst(rows []*compare.Row) (of *compare.Row) {
	rank := func(r *compare.Row) (class int, change float64) {
		if r.Verdict == compare.Regressed {
			return 2, r.Change()
		}
		if r.Verdict == compare.Improved {
			return 1, math.Abs(r.Change())
		}
		return 0, math.Abs(r.Change())
	}
	for _, r := range rows {
		if r.Kind == record.Scope || r.CorrelatedWith != nil || r.Unit != "sec/op" && r.Unit != "B/op" && r.Unit != "allocs/op" || r.Base.N == 0 || r.Head.N == 0 {
			continue
		}
		if of == nil {
			of = r
			continue
		}
		class, change := rank(r)
		if best, most := rank(of); class > best || class == best && change > most {
			of = r
		}
	}
	return of
}

// limited calls explain with a context that is canceled when the budget is used up.
func (o Options) limited(ctx context.Context, explain func(context.Context, Options) (*explanationreport.Explanation, error)) (*explanationreport.Explanation, error) {
	within, limit := newLimit(ctx, o.Budget)
	defer limit.end()
	o.limit = limit
	out, err := explain(within, o)
	if within.Err() != nil && ctx.Err() == nil {
		return nil, fault.Usagef("the budget of %v ran out before %s was explained; the trial is stored if it was finished, and the next call uses it", o.Budget, o.Flags.Bench)
	}
	return out, err
}
