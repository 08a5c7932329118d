package comparison

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A View selects and orders the rows shown to a person. It affects neither the verdicts nor the
// counts in the summary.
type View struct {
	All     bool                   // include unchanged rows
	Changed bool                   // only changed and possibly changed rows
	Bench   func(name string) bool // filters by name; nil means all
	Unit    string                 // only this unit, spelled as in reports or as printed by the benchmark; "" means all
	Sort    string                 // one of Orders; "" sorts by verdict and then by the size of the change

	// Asked reports whether this check was asked to measure a benchmark. These benchmarks come
	// before those measured only by earlier checks of the trial. nil means all.
	Asked func(name string) bool
	// Commit returns the author and subject of the commit with the given full hash. ok is false if
	// the commit is unknown. Commit may be nil.
	Commit func(sha string) (about Commit, ok bool)
	// Opaque lists the targets that perftrack explain cannot profile.
	Opaque []string
	// Targets lists the configured targets. A suggested command names its targets unless it applies
	// to all of them.
	Targets []string
	// Flags lists further flags of this check, already quoted. A check continuing the trial needs
	// the same flags.
	Flags []string
	// Gate is the gate of the command that prints the comparison, or nil if it has none.
	Gate *gates.Gate
	// Between is the number of commits that are in the head but not in the base, or 0 if it is
	// unknown.
	Between int
}

// A Commit holds the author and the subject of a commit, as found in the repository.
type Commit struct{ Author, Subject string }

// Orders lists the valid values of [View.Sort].
var Orders = []string{"change", "name", "p"}

// Narrow reports whether the view has filters that may leave out rows.
func (v View) Narrow() bool { return v.Changed || v.Bench != nil || v.Unit != "" }

// keeps reports whether the filters keep a row.
func (v View) keeps(r *compare.Row) bool {
	switch {
	case v.Bench != nil && !v.Bench(r.Name):
		return false
	case v.Unit != "" && v.Unit != r.Unit && v.Unit != r.OrigUnit:
		return false
	case v.Changed:
		return moved(r)
	}
	return true
}

// moved reports whether a row changed or may have changed.
func moved(r *compare.Row) bool {
	switch r.Verdict {
	case compare.Unchanged:
		return false
	case compare.NoVerdict:
		return !r.Compared() && r.Base.N+r.Head.N > 0 && (r.Base.N == 0 || r.Head.N == 0)
	}
	return true
}

// tables returns the tables of a comparison with only the rows that the filters keep, in the view's
// order. A table that lost rows has no geometric means.
func (v View) tables(c *compare.Comparison) []compare.Table {
	if !v.Narrow() && v.Sort == "" {
		return c.Tables
	}
	var out []compare.Table
	for _, t := range c.Tables {
		all := len(t.Rows)
		t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r *compare.Row) bool { return !v.keeps(r) })
		if len(t.Rows) == 0 {
			continue
		}
		if len(t.Rows) < all {
			t.Geomean = compare.Geomean{Base: math.NaN(), Head: math.NaN(), Ratio: math.NaN(), Change: math.NaN()}
		}
		if v.Sort != "" {
			slices.SortStableFunc(t.Rows, v.order)
		}
		out = append(out, t)
	}
	return out
}

// hidden describes how many rows the filters leave out. It returns "" for 0.
func (v View) hidden(c *compare.Comparison) string {
	n, all := 0, 0
	for r := range c.Rows() {
		all++
		if !v.keeps(r) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	is := "are"
	if n == 1 {
		is = "is"
	}
	return fmt.Sprintf("%d of %s %s filtered out; the verdict and the exit status still count them", n, reports.Plural(all, "row"), is)
}

// order compares two rows by the sort order of the view.
func (v View) order(a, b *compare.Row) int {
	switch v.Sort {
	case "name":
		return cmp.Or(cmp.Compare(a.Package, b.Package), reports.CompareNames(a.Name, b.Name), record.CompareUnits(a.OrigUnit, b.OrigUnit))
	case "p":
		return cmp.Compare(significance(a), significance(b))
	case "change":
		return cmp.Compare(magnitude(b), magnitude(a))
	}
	return cmp.Or(cmp.Compare(urgency(a), urgency(b)), cmp.Compare(magnitude(b), magnitude(a)))
}

// first compares two rows of a trial by their order on a terminal. By default, unaccepted
// regressions come first, followed by the benchmarks requested by the user.
func (v View) first(a, b *compare.Row) int {
	rank := func(r *compare.Row) int {
		switch {
		case r.Verdict == compare.Regressed && !r.Accepted():
			return 0
		case v.Asked == nil || v.Asked(r.Name):
			return 1
		}
		return 2
	}
	if v.Sort == "" {
		if before := cmp.Compare(rank(a), rank(b)); before != 0 {
			return before
		}
	}
	return v.order(a, b)
}

// significance returns the p-value that decides the verdict or, if there is none, benchstat's. For
// rows without a p-value, it returns a value that sorts them last.
func significance(r *compare.Row) float64 {
	for _, p := range []float64{r.AdjustedP, r.P} {
		if !math.IsNaN(p) {
			return p
		}
	}
	return 2
}

// magnitude returns the size of a row's change on a scale on which doubling and halving are the
// same size.
func magnitude(r *compare.Row) float64 {
	change := r.Shift.Center
	if math.IsNaN(change) || r.Shift.Absolute {
		change = r.Delta
	}
	size := math.Abs(math.Log1p(change))
	if math.IsNaN(size) {
		return -1 // unknown, so the row comes last
	}
	return size
}

// urgency returns the rank of a row's verdict, where the worst verdict has the lowest rank. A
// nested row is ranked by its own verdict.
func urgency(r *compare.Row) int {
	if r.Verdict == compare.Regressed && r.Accepted() {
		return digest.Severity(digest.Accepted)
	}
	return digest.Severity(r.Verdict)
}
