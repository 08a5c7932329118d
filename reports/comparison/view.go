package comparison

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A View says which rows of a comparison a person sees, and in which order. It changes
// neither a verdict nor what the summary counts: all that was measured is tested, shown or not.
type View struct {
	All     bool                   // also each row that did not change
	Changed bool                   // only what changed, or may have
	Bench   func(name string) bool // only benchmarks whose name it accepts; nil is all
	Unit    string                 // only this unit, as it is shown or as it was printed; "" is all
	Sort    string                 // one of Orders; "" is by verdict, and then by the size of the change

	// Asked are the benchmarks that the check just made was of, which stand before those that only
	// earlier checks of its trial measured; nil is all.
	Asked func(name string) bool
	// Commit describes a commit by its full hash; ok is false of one that nobody knows here.
	Commit func(sha string) (about Commit, ok bool)
	// Opaque are targets whose programs cannot be profiled: what they spend their time on
	// perftrack explain cannot say.
	Opaque []string
	// Targets are those of the configuration: a command names which of them it is of.
	Targets []string
	// Flags are further ones, quoted, of the check that was just made: one that goes on with it
	// has them, too.
	Flags []string
	// Gate is what the command that prints the comparison makes of it; nil where it gates on nothing.
	Gate *compare.Gate
	// Between is how many commits head has that base lacks; 0 is not known.
	Between int
}

// A Commit is what people know a commit by. The words come from the repository.
type Commit struct{ Author, Subject string }

// Orders are what rows can be sorted by.
var Orders = []string{"change", "name", "p"}

// Narrow reports whether the view leaves out what a filter says, not only what is folded.
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

// moved reports whether a row changed, or may have: what no reader who asks for changes wants
// to miss.
func moved(r *compare.Row) bool {
	switch r.Verdict {
	case compare.Unchanged:
		return false
	case compare.NoVerdict:
		return !r.Compared() && r.Base.N+r.Head.N > 0 && (r.Base.N == 0 || r.Head.N == 0)
	}
	return true
}

// tables are those of a comparison with the rows that the filters keep. A geometric mean is of
// all rows, so that a table which lost some has none.
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

// hidden says how many rows the filters leave out, "" for none.
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
	return fmt.Sprintf("%d of %s %s not shown, as you asked; the verdict and the exit status count all of them", n, reports.Plural(all, "row"), is)
}

// order compares two rows as the view sorts them.
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

// first compares two rows of a trial as they stand in its table: regressions on top, then what was
// asked for.
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

// significance is the p that decided a row, or of runs measured apart benchstat's; rows
// without one come last.
func significance(r *compare.Row) float64 {
	for _, p := range []float64{r.AdjustedP, r.P} {
		if !math.IsNaN(p) {
			return p
		}
	}
	return 2
}

// magnitude is how large a change is, up and down alike: twice is as far as half.
func magnitude(r *compare.Row) float64 {
	change := r.Shift.Center
	if math.IsNaN(change) || r.Shift.Absolute {
		change = r.Delta
	}
	size := math.Abs(math.Log1p(change))
	if math.IsNaN(size) {
		return -1 // nothing is known of it, so it comes last
	}
	return size
}

// urgency orders rows by what a reader wants to see first.
func urgency(r *compare.Row) int {
	if r.Verdict == compare.Regressed && r.Accepted() {
		return 2
	}
	switch r.Verdict {
	case compare.Regressed:
		return 0
	case compare.Changed, compare.Suspect, compare.NotComparable:
		return 1
	case compare.Improved:
		return 3
	case compare.NotChecked:
		return 4
	case compare.Inconclusive:
		return 5
	case compare.Unchanged:
		return 7
	}
	if r.Base.N == 0 || r.Head.N == 0 {
		return 6
	}
	return 8
}
