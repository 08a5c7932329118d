package compare

import (
	"cmp"
	"math"
	"slices"
)

// A Change is what changed once, however many rows show it: a row, and the rows
// that changed with it because one contains the other.
type Change struct {
	Row  *Row   // the deepest that explains it
	With []*Row // the others, in the order of the table
}

// Changes returns what changed in a table, a row and the rows around it once,
// in the order of the table. A row has changed when its verdict says so, and
// without any test, of single samples, when its centers lie at least the
// threshold apart.
func (t *Table) Changes() []Change {
	var out []Change
	at := map[*Row]int{}
	for _, r := range t.Rows {
		if r.moved() != 0 && r.OneWith == nil {
			at[r] = len(out)
			out = append(out, Change{Row: r})
		}
	}
	for _, r := range t.Rows {
		if r.OneWith != nil {
			c := &out[at[r.OneWith]]
			c.With = append(c.With, r)
		}
	}
	return out
}

// moved returns +1 or -1 when the row's values went up or down, by all that is
// known of it, else 0.
func (r *Row) moved() int {
	if !r.Compared() || r.Delta == 0 || r.Delta != r.Delta {
		return 0
	}
	switch r.Verdict {
	case Regressed, Improved, Changed, Suspect:
	case NoVerdict:
		if r.Tested || r.Derived || math.Abs(math.Log1p(r.Delta)) < math.Log1p(r.Threshold) {
			return 0
		}
	default:
		return 0
	}
	return int(math.Copysign(1, r.Delta))
}

// fold finds the rows of a table that show the same change as another one.
//
// A row is one with the largest of the rows in it when these, together, make up
// more than half of its change: then they explain it. A row that lies in several
// others (an _Iteration in all sizes) is a mixture of them and explains none; it
// is one with the one of them that changed most.
func (t *Table) fold() {
	inside := map[*Row][]*Row{}
	for _, r := range t.Rows {
		if len(r.Within) == 1 && r.movedWith(r.Within[0]) {
			inside[r.Within[0]] = append(inside[r.Within[0]], r)
		}
	}
	for _, r := range t.Rows {
		switch in := inside[r]; {
		case len(in) > 0 && r.explainedBy(in):
			r.OneWith = largest(in)
		case len(r.Within) > 1 && r.moved() != 0:
			around := slices.DeleteFunc(slices.Clone(r.Within), func(p *Row) bool { return !r.movedWith(p) })
			if len(around) > 0 {
				r.OneWith = largest(around)
			}
		}
	}
	// From a row to the deepest one it is one with. The chain ends: it leads up
	// once at most, from a row in several others, and from there down to rows in
	// one only.
	for _, r := range t.Rows {
		for r.OneWith != nil && r.OneWith.OneWith != nil {
			r.OneWith = r.OneWith.OneWith
		}
	}
}

func (r *Row) movedWith(other *Row) bool {
	return r.moved() != 0 && r.moved() == other.moved() && r.Verdict == other.Verdict
}

// explainedBy holds the change of a row against that of rows in it: in all calls
// where the calls are known. One operation of a benchmark holds an unknown number
// of the other's, so of benchmarks the relative changes are compared.
func (r *Row) explainedBy(inside []*Row) bool {
	sum, most := 0.0, 0.0
	for _, in := range inside {
		sum += in.amount()
		most = max(most, math.Abs(math.Log1p(in.Delta)))
	}
	if !r.perCall() {
		return most > math.Abs(math.Log1p(r.Delta))/2
	}
	return sum/r.amount() > 0.5
}

// perCall reports whether the calls of both sides are known.
func (r *Row) perCall() bool { return r.Calls[base] > 0 && r.Calls[head] > 0 }

// amount is the change in all calls of a scope, or in one operation.
func (r *Row) amount() float64 {
	if !r.perCall() {
		return r.Head.Center - r.Base.Center
	}
	return r.Head.Center*r.Calls[head] - r.Base.Center*r.Calls[base]
}

func largest(rows []*Row) *Row {
	return slices.MaxFunc(rows, func(a, b *Row) int {
		return cmp.Compare(math.Abs(a.amount()), math.Abs(b.amount()))
	})
}
