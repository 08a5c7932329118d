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

// Newest explains the worst row of the newest trial, or the benchmark of it that opt names.
func Newest(ctx context.Context, a *workspace.Session, opt Options) (*explanationreport.Explanation, error) {
	if opt.Flags.Suite != "" {
		return nil, fault.Usagef("explain which revisions? Name them: perftrack explain BASE HEAD --suite %s", opt.Flags.Suite)
	}
	c, err := comparison.Compare(ctx, a, nil)
	if err != nil {
		return nil, err
	}
	row := worst(opt.named(slices.Collect(c.Rows())))
	if row == nil {
		return nil, fault.Usagef("the newest trial has no benchmark to explain: name one, as in perftrack explain BASE HEAD --bench NAME")
	}
	a.Noticef("explaining %s of the newest trial, %.7s to %.7s", row.Name, commitOfTarget(c.Base.Runs, row.Target).SHA, commitOfTarget(c.Head.Runs, row.Target).SHA)
	opt.Target, opt.Flags.Bench, opt.Package = row.Target, row.Name, row.Package
	return opt.limited(ctx, func(ctx context.Context, opt Options) (*explanationreport.Explanation, error) {
		return explainRow(ctx, a, commitOfTarget(c.Base.Runs, row.Target), commitOfTarget(c.Head.Runs, row.Target), opt, row)
	})
}

// named are the rows of the benchmark that the options name, or of those that --bench matches where none has
// that name; all where it is not given.
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

// worst is the row with the largest regression, or where nothing regressed with the largest change that
// a function can be the cause of; nil where there is none.
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

// limited explains within the budget.
func (o Options) limited(ctx context.Context, explain func(context.Context, Options) (*explanationreport.Explanation, error)) (*explanationreport.Explanation, error) {
	within, limit := newLimit(ctx, o.Budget)
	defer limit.end()
	o.limit = limit
	out, err := explain(within, o)
	if within.Err() != nil && ctx.Err() == nil {
		return nil, fault.Usagef("the budget of %v ended before %s was explained; a trial that was measured to its end is stored and serves the next call", o.Budget, o.Flags.Bench)
	}
	return out, err
}
