package compare

import (
	"cmp"
	"math"
	"slices"
)

// A Change is one change shown by one or more rows: the row that explains it, and the correlated
// rows inside and around it.
type Change struct {
	Row  *Row   // the deepest row that explains the change
	With []*Row // the correlated rows, in table order
}

// Changes returns the changes in a table in the order of its rows, with correlated rows combined
// into one change. Usually a row's verdict determines whether it changed. Single samples cannot be
// tested, so a row of single samples counts as changed if its centers differ by at least the
// threshold.
func (t *Table) Changes() []Change { return t.changes((*Row).moved) }

// Undecided returns the rows whose estimated change is at least the threshold but was not proven to
// be more than noise, with correlated rows combined as in [Table.Changes].
func (t *Table) Undecided() []Change { return t.changes((*Row).leaning) }

func (t *Table) changes(moved movement) []Change {
	var out []Change
	at := map[*Row]int{}
	with := t.correlated(moved)
	for _, r := range t.Rows {
		if moved(r) != 0 && with[r] == nil {
			at[r] = len(out)
			out = append(out, Change{Row: r})
		}
	}
	for _, r := range t.Rows {
		if one := with[r]; one != nil {
			c := &out[at[one]]
			c.With = append(c.With, r)
		}
	}
	return out
}

// A movement returns +1 for a row that went up, -1 for a row that went down and 0 for any other
// row.
type movement func(*Row) int

// moved returns +1 if the row's values went up, -1 if they went down, and 0 if they did not change.
func (r *Row) moved() int {
	if change := r.Change(); !r.Compared() || change == 0 || math.IsNaN(change) {
		return 0
	}
	switch r.Verdict {
	case Regressed, Improved, Changed, Suspect:
	case NoVerdict:
		if r.Tested || r.Derived || math.Abs(math.Log1p(r.Change())) < math.Log1p(r.Threshold) {
			return 0
		}
	default:
		return 0
	}
	return int(math.Copysign(1, r.Change()))
}

// Undecided reports whether a row was tested but neither a change nor the absence of one could be
// proven.
func (r *Row) Undecided() bool {
	return r.Tested && (r.Verdict == Inconclusive || r.Verdict == NotChecked || r.Verdict == NoVerdict && !r.proven())
}

// leaning returns +1 if the row is undecided and its estimated change is an increase of at least
// the threshold, -1 if it is a decrease of at least the threshold, and 0 otherwise.
func (r *Row) leaning() int {
	if !r.Undecided() || !(math.Abs(math.Log1p(r.Change())) >= math.Log1p(r.Threshold)) {
		return 0
	}
	return int(math.Copysign(1, r.Change()))
}

// fold sets CorrelatedWith in the correlated rows of a table.
func (t *Table) fold() {
	for r, one := range t.correlated((*Row).moved) {
		r.CorrelatedWith = one
	}
}

// correlated maps each row that changed only because of another row to that row.
//
// A row is correlated with the largest of the rows inside it if together they make up more than
// half of its change and so explain it. A row inside several others (such as an _Iteration row
// inside the rows for all sizes) is a mixture of them and explains nothing; it is correlated with
// the enclosing row that changed most.
func (t *Table) correlated(moved movement) map[*Row]*Row {
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
	// Follow each chain to its deepest row. A chain ends because it leads up at most once, from a row
	// inside several others, and from there only down to rows inside a single other row.
	for _, r := range t.Rows {
		for out[out[r]] != nil {
			out[r] = out[out[r]]
		}
	}
	return out
}

// explainedBy reports whether the rows inside r make up more than half of its change, summed over
// all calls. For benchmarks it compares relative changes instead, because it is unknown how often
// one benchmark's operation runs another's.
func (r *Row) explainedBy(inside []*Row) bool {
	sum, most := 0.0, 0.0
	for _, in := range inside {
		sum += in.amount()
		most = max(most, math.Abs(math.Log1p(in.Change())))
	}
	if !r.perCall() {
		return most > math.Abs(math.Log1p(r.Change()))/2
	}
	return sum/r.amount() > 0.5
}

// perCall reports whether the number of calls is known for both sides.
func (r *Row) perCall() bool { return r.Calls[base] > 0 && r.Calls[head] > 0 }

// amount returns the change in the total time of all calls to a scope, or in the time of one
// operation if the number of calls is unknown.
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
