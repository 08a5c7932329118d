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
func (t *Table) Changes() []Change { return t.changes((*Row).moved) }

// Undecided returns what differs by the threshold or more without anything to
// show that it is more than noise, nested rows once, as Changes does.
func (t *Table) Undecided() []Change { return t.changes((*Row).leaning) }

func (t *Table) changes(moved movement) []Change {
	var out []Change
	at := map[*Row]int{}
	oneWith := t.oneWith(moved)
	for _, r := range t.Rows {
		if moved(r) != 0 && oneWith[r] == nil {
			at[r] = len(out)
			out = append(out, Change{Row: r})
		}
	}
	for _, r := range t.Rows {
		if one := oneWith[r]; one != nil {
			c := &out[at[one]]
			c.With = append(c.With, r)
		}
	}
	return out
}

// A movement returns +1 or -1 of a row that went up or down, else 0.
type movement func(*Row) int

// moved returns +1 or -1 when the row's values went up or down, by all that is
// known of it, else 0.
func (r *Row) moved() int {
	if !r.Compared() || r.Delta == 0 || math.IsNaN(r.Delta) {
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

// Undecided reports whether a row was tested and neither a change nor the
// absence of one could be shown.
func (r *Row) Undecided() bool {
	return r.Tested && (r.Verdict == Inconclusive || r.Verdict == NotChecked || r.Verdict == NoVerdict && !r.proven())
}

// leaning returns +1 or -1 when the centers of an undecided row lie the
// threshold or more apart, up or down, else 0.
func (r *Row) leaning() int {
	if !r.Undecided() || !(math.Abs(math.Log1p(r.Delta)) >= math.Log1p(r.Threshold)) {
		return 0
	}
	return int(math.Copysign(1, r.Delta))
}

// fold notes the rows of a table that show the same change as another one.
func (t *Table) fold() {
	for r, one := range t.oneWith((*Row).moved) {
		r.OneWith = one
	}
}

// oneWith finds the rows of a table that moved because another one did, and
// returns that one of each.
//
// A row is one with the largest of the rows in it when these, together, make up
// more than half of its change: then they explain it. A row that lies in several
// others (an _Iteration in all sizes) is a mixture of them and explains none; it
// is one with the one of them that changed most.
func (t *Table) oneWith(moved movement) map[*Row]*Row {
	together := func(a, b *Row) bool { return moved(a) != 0 && moved(a) == moved(b) && a.Verdict == b.Verdict }
	out := map[*Row]*Row{}
	inside := map[*Row][]*Row{}
	for _, r := range t.Rows {
		if len(r.Within) == 1 && together(r, r.Within[0]) {
			inside[r.Within[0]] = append(inside[r.Within[0]], r)
		}
	}
	for _, r := range t.Rows {
		switch in := inside[r]; {
		case len(in) > 0 && r.explainedBy(in):
			out[r] = largest(in)
		case len(r.Within) > 1 && moved(r) != 0:
			around := slices.DeleteFunc(slices.Clone(r.Within), func(p *Row) bool { return !together(r, p) })
			if len(around) > 0 {
				out[r] = largest(around)
			}
		}
	}
	// From a row to the deepest one it is one with. The chain ends: it leads up
	// once at most, from a row in several others, and from there down to rows in
	// one only.
	for _, r := range t.Rows {
		for out[out[r]] != nil {
			out[r] = out[out[r]]
		}
	}
	return out
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
