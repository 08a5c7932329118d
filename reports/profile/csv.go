package profile

import (
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
)

// records returns the column names followed by one line for each call path.
func records(trees []suite) [][]any {
	out := [][]any{reports.ColumnNames("target commit package suite path calls seconds self_seconds min_seconds max_seconds bytes self_bytes objects waiting_seconds")}
	for _, p := range trees {
		var walk func(calls []*tree.Call)
		walk = func(calls []*tree.Call) {
			for _, c := range calls {
				counted := func(x float64) any {
					if !c.Counted {
						return nil
					}
					return x
				}
				out = append(out, []any{
					p.run.Target, p.run.Commit.SHA, p.tree.Package, p.tree.Suite, c.Path, c.Calls,
					c.Total / 1e9, c.Self / 1e9, c.Min / 1e9, c.Max / 1e9,
					counted(c.Bytes), counted(c.SelfBytes), counted(c.Objects), c.Waiting / 1e9,
				})
				walk(c.Children)
			}
		}
		walk(p.tree.Scopes)
	}
	return out
}
