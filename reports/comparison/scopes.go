package comparison

import (
	"fmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/profilediff"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
)

// scopeTable returns the table that shows scopes in one unit. Unless all is set, it leaves out
// small scopes and allocations that are the same in every sample.
func scopeTable(c *compare.Comparison, t *compare.Table, all bool, notes *reports.Footnotes) reports.Table {
	small, shown, paths := profilediff.SmallScopes(t), *t, map[*compare.Row]string{}
	shown.Rows = nil
	for _, p := range profilediff.CallPaths(t.Rows, func(r *compare.Row) bool { return all || !small(r) && !sameAllocations(r) }) {
		if p.Row != nil {
			shown.Rows, paths[p.Row] = append(shown.Rows, p.Row), p.Name
		}
	}
	left := len(t.Rows) - len(shown.Rows)
	why := fmt.Sprintf("below %.1f %% of the run on both sides", 100*reports.LeastShare)
	if t.Unit != "sec/op" {
		why = "equal on both sides in every sample"
	}
	if len(shown.Rows) == 0 {
		return reports.Table{Facts: rowcells.TableFacts(t), Caption: fmt.Sprintf("%s: all %d %s", t.Unit, left, why)}
	}
	out := rowTable(c, &shown, notes)
	for i, r := range shown.Rows {
		out.Rows[i][0].Text = paths[r]
	}
	if left > 0 {
		out.Caption = fmt.Sprintf("%s: %s left out, %s", t.Unit, reports.Plural(left, "row"), why)
		if out.Footer != nil {
			out.Caption += "; the geomean is of all"
		}
	}
	return out
}
