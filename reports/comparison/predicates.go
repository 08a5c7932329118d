package comparison

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/runner/record"
)

// ofCall reports whether a table only adds detail to the times of the same calls. Such tables are
// written only to JSON and CSV.
func ofCall(t *compare.Table) bool {
	return t.Kind == record.Scope && units.OfCall(t.Unit)
}

// Detail reports whether a table only adds detail to the times of the same calls. Such tables are
// not shown to people.
func Detail(t *compare.Table) bool { return ofCall(t) }

// alike reports whether a row's count is exact and equal on both sides.
func alike(r *compare.Row) bool {
	return r.Verdict == compare.Unchanged && r.Exact && r.Base.Center == r.Head.Center
}

// sameCount reports whether a row counts allocations and the count is the same on both sides.
func sameCount(r *compare.Row) bool {
	return alike(r) && rowcells.Allocates(r.Unit)
}

// sameAllocations reports whether the allocations in a row are the same in all samples.
func sameAllocations(r *compare.Row) bool {
	return (r.Unit == "B/op" || r.Unit == "allocs/op") && r.Exact && r.Compared() && r.Base.Center == r.Head.Center && len(r.Base.Notes)+len(r.Head.Notes) == 0
}

// follows reports whether a table of a trial has a unit derived from the time. Its mean change
// would only repeat the time's.
func follows(t *compare.Table) bool {
	return t.Trial && !slices.ContainsFunc(t.Rows, func(r *compare.Row) bool { return !r.Derived })
}

// alikeTable reports whether alike holds for every row of a table.
func alikeTable(t *compare.Table) bool {
	return !slices.ContainsFunc(t.Rows, func(r *compare.Row) bool { return !alike(r) })
}

// lonely returns 1 if no row of a table has samples on both sides, and 0 otherwise.
func lonely(t *compare.Table) int {
	if slices.ContainsFunc(t.Rows, func(r *compare.Row) bool { return r.Base.N > 0 && r.Head.N > 0 }) {
		return 0
	}
	return 1
}

// allEqual describes a table of allocations in which all samples of all rows are equal: "all 63
// equal (0)". The rows of such a table need not be shown. For any other table, allEqual returns
// false.
func allEqual(t *compare.Table) (string, bool) {
	if t.Unit != "B/op" && t.Unit != "allocs/op" || len(t.Rows) < 2 {
		return "", false
	}
	value := t.Rows[0].Base.Center
	for _, r := range t.Rows {
		b, h := r.Samples()
		noted := len(r.Base.Notes)+len(r.Head.Notes) > 0
		if !r.Compared() || noted || slices.ContainsFunc(append(b, h...), func(v float64) bool { return v != value }) {
			return "", false
		}
	}
	return fmt.Sprintf("all %d equal (%s)", len(t.Rows), reports.Unscaled(value, -1)), true
}
