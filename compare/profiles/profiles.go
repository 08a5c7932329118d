package profiles

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// Indexes of the sides.
const base, head = 0, 1

// A Diff compares two profiles, or two runs of one of the engine's suites, as a whole.
type Diff struct {
	Table *compare.Table // of the times: target, suite and environments
	// Printed is set if both sides are reports that print totals. Sums are then those of
	// the printed totals, rounded as they are.
	Printed bool
	// Single is set if no row has more than one sample a side.
	Single bool
	// Paths is set if rows are call paths, which tell the nesting exactly: a sum that
	// counts nested rows twice means nothing then.
	Paths bool
	// Placed is set if it is known which rows lie in which. Without it, no sum is the
	// length of the run.
	Placed bool

	Methods []*Method // in the order of their larger total, the largest first
	// Time is the sum of all rows in seconds, as reports have it: it counts the time of
	// nested rows twice. Outer leaves nested rows out.
	Time, Outer tree.Pair
	// Shared and OuterShared are the same of the rows that both sides have.
	Shared, OuterShared tree.Pair
	// Bytes is the sum of all rows, OuterBytes that without nested rows.
	Bytes, OuterBytes tree.Pair
	Count             [2]int
	Both              int
	Changes           []MethodChange
	// Undecided are the rows of [compare.Table.Undecided], UndecidedRows is the number of
	// all undecided rows, however small their difference.
	Undecided     []MethodChange
	UndecidedRows int

	Models  []*Model
	Scaling *Scaling // nil unless both models are there
	Kernels []Kernel // by kernel and size
	Repeats []Repeat
	Caveats []compare.Caveat
	Engine  naming.Engine // that was measured: what its names mean
}

// A Method is a row of a profile: all calls of a scope in one run, or one operation of a
// benchmark.
type Method struct {
	*compare.Row           // of its time per call
	Time         tree.Pair // in seconds; NaN where a side lacks the method
	Self         tree.Pair // as Time, without the scopes in it
	Bytes        tree.Pair
	Notes        [2][]compare.Caveat // on Bytes, of base and head
}

// A MethodChange is a [compare.Change] of methods.
type MethodChange struct {
	*Method
	With []*Method
}

// Of returns the profiles within a comparison: one Diff for each target, suite and pair of
// environments with scopes, or with benchmarks of one of the engine's suites. There is
// none where the sides may not be compared.
func Of(c *compare.Comparison) []*Diff {
	var out []*Diff
	for i := range c.Tables {
		t := &c.Tables[i]
		engine := t.Kind == record.Bench && naming.EngineSuite(t.Suite)
		if t.Unit != "sec/op" || !t.Comparable || t.Kind != record.Scope && !engine {
			continue
		}
		if p := of(c, t); p.Both > 0 {
			out = append(out, p)
		}
	}
	return out
}

// engineOf returns the engine that a table's runs measured, that of head if the sides differ.
func engineOf(c *compare.Comparison, t *compare.Table) naming.Engine {
	runs := slices.DeleteFunc(slices.Concat(c.Base.Runs, c.Head.Runs), func(r *record.Run) bool { return r.Target != t.Target })
	return naming.EngineOf(runs...)
}

// beside returns the tables of other units of the same benchmarks.
func beside(c *compare.Comparison, t *compare.Table) map[string]map[string]*compare.Row {
	out := map[string]map[string]*compare.Row{}
	for _, other := range c.Tables {
		if other.Pairing != t.Pairing || other.Kind != t.Kind || other.Package != t.Package || other.Suite != t.Suite {
			continue
		}
		rows := map[string]*compare.Row{}
		for _, r := range other.Rows {
			rows[r.Name] = r
		}
		out[other.Unit] = rows
	}
	return out
}

// of compares the profile in a table of times and in the tables of other units beside it.
func of(c *compare.Comparison, t *compare.Table) *Diff {
	units := beside(c, t)
	p := &Diff{Table: t, Single: true, Printed: true, Bytes: tree.Unknown, OuterBytes: tree.Unknown, Engine: engineOf(c, t)}
	for _, r := range t.Rows {
		total := units[compare.TotalTime][r.Name]
		p.Printed = p.Printed && total != nil && (total.Base.N > 0) == (r.Base.N > 0) && (total.Head.N > 0) == (r.Head.N > 0)
		p.Single = p.Single && max(r.Base.N, r.Head.N) == 1
		p.Paths = p.Paths || r.Caller() != nil
		if r.Undecided() {
			p.UndecidedRows++
		}
	}
	var names []string
	for _, r := range t.Rows {
		names = append(names, r.Name)
	}
	p.Placed = tree.Placed(t.Suite, len(units[compare.TotalTime]) > 0, len(units["self-sec/op"]) > 0, names)
	byRow := map[*compare.Row]*Method{}
	for _, r := range t.Rows {
		m := &Method{Row: r, Time: whole(r, r), Self: whole(r, units["self-sec/op"][r.Name])}
		if p.Printed {
			m.Time = centers(units[compare.TotalTime][r.Name])
		}
		if b := units["B/op"][r.Name]; b != nil {
			m.Bytes, m.Notes = whole(r, b), [2][]compare.Caveat{b.Base.Notes, b.Head.Notes}
		} else {
			m.Bytes = tree.Unknown
		}
		p.add(m)
		byRow[r] = m
	}
	p.Changes, p.Undecided = methodChanges(t.Changes(), byRow), methodChanges(t.Undecided(), byRow)
	p.addModels(units)
	p.addKernels(units)
	p.sayCalls()
	slices.SortStableFunc(p.Methods, func(a, b *Method) int { return cmp.Compare(b.larger(), a.larger()) })
	return p
}

// methodChanges are the changes of rows, the largest first.
func methodChanges(changes []compare.Change, byRow map[*compare.Row]*Method) []MethodChange {
	var out []MethodChange
	for _, change := range changes {
		mc := MethodChange{Method: byRow[change.Row]}
		for _, with := range change.With {
			mc.With = append(mc.With, byRow[with])
		}
		out = append(out, mc)
	}
	slices.SortStableFunc(out, func(a, b MethodChange) int {
		return cmp.Compare(math.Abs(math.Log1p(b.Change())), math.Abs(math.Log1p(a.Change())))
	})
	return out
}

// Change is the relative change of all calls together, or of one call if the sides differ
// in calls. In a trial it is what the pairs say.
func (m *Method) Change() float64 {
	if change := m.Row.Change(); m.Rounds > 0 && !math.IsNaN(change) {
		return change
	}
	if m.SameCalls() {
		return m.Time.Ratio()
	}
	return m.Delta
}

// SameCalls reports whether both sides did the same amount of work.
func (m *Method) SameCalls() bool { return m.Calls[base] == m.Calls[head] }

// whole returns the centers of s, a row of r's benchmark, multiplied by the calls of r.
func whole(r, s *compare.Row) tree.Pair {
	p := centers(s)
	if r.Kind == record.Scope {
		p = p.Times(tree.Pair{Base: r.Calls[base], Head: r.Calls[head]})
	}
	return p
}

// centers returns the centers of a row, NaN for a side without samples.
func centers(r *compare.Row) tree.Pair {
	p := tree.Unknown
	if r != nil && r.Base.N > 0 {
		p.Base = r.Base.Center
	}
	if r != nil && r.Head.N > 0 {
		p.Head = r.Head.Center
	}
	return p
}

// larger is the larger time of both sides.
func (m *Method) larger() float64 {
	switch {
	case math.IsNaN(m.Time.Base):
		return m.Time.Head
	case math.IsNaN(m.Time.Head):
		return m.Time.Base
	}
	return max(m.Time.Base, m.Time.Head)
}

// add adds a method to the sums.
func (p *Diff) add(m *Method) {
	p.Methods = append(p.Methods, m)
	sum := func(to *float64, v float64) {
		switch {
		case math.IsNaN(v):
		case *to != *to:
			*to = v
		default:
			*to += v
		}
	}
	for side, s := range []struct {
		has                               bool
		time, bytes                       float64
		total, outer, allocs, outerAllocs *float64
	}{
		{m.Base.N > 0, m.Time.Base, m.Bytes.Base, &p.Time.Base, &p.Outer.Base, &p.Bytes.Base, &p.OuterBytes.Base},
		{m.Head.N > 0, m.Time.Head, m.Bytes.Head, &p.Time.Head, &p.Outer.Head, &p.Bytes.Head, &p.OuterBytes.Head},
	} {
		if !s.has {
			continue
		}
		p.Count[side]++
		sum(s.total, s.time)
		sum(s.allocs, s.bytes)
		if !slices.ContainsFunc(m.Within, func(around *compare.Row) bool { return []compare.Summary{around.Base, around.Head}[side].N > 0 }) {
			sum(s.outer, s.time)
			sum(s.outerAllocs, s.bytes)
		}
	}
	if m.Time.Known() {
		p.Both++
		sum(&p.Shared.Base, m.Time.Base)
		sum(&p.Shared.Head, m.Time.Head)
		if !slices.ContainsFunc(m.Within, func(around *compare.Row) bool { return around.Base.N > 0 && around.Head.N > 0 }) {
			sum(&p.OuterShared.Base, m.Time.Base)
			sum(&p.OuterShared.Head, m.Time.Head)
		}
	}
}

// sayCalls adds a caveat if a scope was called more often on one side: its totals are of
// different amounts of work.
func (p *Diff) sayCalls() {
	var names []string
	for _, m := range p.Methods {
		if m.Time.Known() && !m.SameCalls() {
			names = append(names, m.Name)
		}
	}
	if len(names) > 0 {
		p.Caveats = append(p.Caveats, compare.Caveat{Code: compare.CodeCalls, Text: "the sides differ in calls: totals are of different amounts of work, changes are per call", Detail: some(names)})
	}
}

// some lists the first few of the names.
func some(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:shown], ", ") + ", ..."
}

// find returns the method with a name, or whose call path ends in it; nil if several do.
func (p *Diff) find(name string) *Method {
	var found *Method
	for _, m := range p.Methods {
		switch {
		case m.Name == name:
			return m
		case naming.Leaf(m.Name) == name && found != nil:
			return nil
		case naming.Leaf(m.Name) == name:
			found = m
		}
	}
	return found
}
