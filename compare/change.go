package compare

import (
	"cmp"
	"math"
	"slices"
)

// A Change is one change, however many rows show it: the row that explains it, and the
// rows correlated with that one because one contains the other.
type Change struct {
	Row  *Row   // the deepest that explains the change
	With []*Row // the others, in the order of the table
}

// Changes returns the changes of a table in the order of its rows, correlated rows as one.
// A row has changed if its verdict says so. Single samples cannot be tested: their row has
// changed if its centers differ by at least the threshold.
func (t *Table) Changes() []Change { return t.changes((*Row).moved) }

// Undecided returns, in the same way, the rows whose centers differ by at least the
// threshold though no test shows that this is more than noise.
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

// A movement returns +1 or -1 for a row that went up or down, else 0.
type movement func(*Row) int

// moved returns +1 or -1 if the values of a row changed up or down, else 0.
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

// Undecided reports whether a row was tested, and neither a change nor its absence could
// be proven.
func (r *Row) Undecided() bool {
	return r.Tested && (r.Verdict == Inconclusive || r.Verdict == NotChecked || r.Verdict == NoVerdict && !r.proven())
}

// leaning returns +1 or -1 if the centers of an undecided row differ by at least the
// threshold, up or down, else 0.
func (r *Row) leaning() int {
	if !r.Undecided() || !(math.Abs(math.Log1p(r.Change())) >= math.Log1p(r.Threshold)) {
		return 0
	}
	return int(math.Copysign(1, r.Change()))
}

// fold notes on each row of a table the one that it is correlated with.
func (t *Table) fold() {
	for r, one := range t.correlated((*Row).moved) {
		r.CorrelatedWith = one
	}
}

// correlated returns, for each row of a table that moved because another one did, that
// other row.
//
// A row is correlated with the largest of the rows in it if these, together, make up more
// than half of its change, and so explain it. A row that lies in several others (an
// _Iteration in all sizes) is a mixture of them and explains none; it is correlated with
// the one of them that changed most.
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
	// Follow each row to the deepest one. The chain ends: it leads up at most once, from
	// a row in several others, and from there down to rows that lie in one only.
	for _, r := range t.Rows {
		for out[out[r]] != nil {
			out[r] = out[out[r]]
		}
	}
	return out
}

// explainedBy reports whether the rows inside a row make up more than half of its change,
// over all calls. How often an operation of a benchmark runs another one is not known, so
// for benchmarks the relative changes are compared.
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

// perCall reports whether the calls of both sides are known.
func (r *Row) perCall() bool { return r.Calls[base] > 0 && r.Calls[head] > 0 }

// amount is the change of all calls of a scope together, or of one operation.
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
