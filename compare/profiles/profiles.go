package profiles

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// Indexes of the two sides.
const base, head = 0, 1

// A Diff compares two profiles, or two runs of one of the engine's suites, as a whole.
type Diff struct {
	Table *compare.Table // the table of times, with the target, suite and environments
	// Printed is set if both sides are reports with totals. Then the sums add up the rounded totals
	// as printed.
	Printed bool
	// Single is set if no row has more than one sample per side.
	Single bool
	// Paths is set if rows are call paths, with exactly known nesting. Then a sum counting nested
	// rows twice is meaningless.
	Paths bool
	// Placed is set if the nesting of rows is known. Otherwise, no sum equals the duration of the run.
	Placed bool

	Methods []*Method // ordered by the larger total of the two sides, the largest first
	// Time is the sum of all rows in seconds, as in reports; it counts the time of nested rows
	// twice. Outer omits nested rows.
	Time, Outer tree.Pair
	// Shared and OuterShared are the same sums over only the rows on both sides.
	Shared, OuterShared tree.Pair
	// Bytes is the sum of the bytes in all rows, and OuterBytes is the sum without nested rows.
	Bytes, OuterBytes tree.Pair
	Count             [2]int
	Both              int
	Changes           []MethodChange
	// Undecided lists the changes from [compare.Table.Undecided]. UndecidedRows is the number of
	// all undecided rows, however small their difference.
	Undecided     []MethodChange
	UndecidedRows int

	Models  []*Model
	Scaling *Scaling // nil unless at least two models are present
	Kernels []Kernel // by kernel and size
	Repeats []Repeat
	Caveats []compare.Caveat
	Engine  naming.Engine // the engine that defines the names
}

// A Method is a row of a profile: all calls of a scope in one run, or one operation of a benchmark.
type Method struct {
	*compare.Row           // the row of its time per call
	Time         tree.Pair // in seconds; NaN if a side lacks the method
	Self         tree.Pair // like Time, but without the scopes inside it
	Bytes        tree.Pair
	Notes        [2][]compare.Caveat // about Bytes, for base and head
}

// A MethodChange is a [compare.Change] of methods.
type MethodChange struct {
	*Method
	With []*Method
}

// Of returns the profiles in a comparison: one Diff for each target, suite and pair of environments
// with scopes or benchmarks of one of the engine's suites. It omits tables with incomparable sides.
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

// engineOf returns the engine of a table's runs, taken from head if the sides differ.
func engineOf(c *compare.Comparison, t *compare.Table) naming.Engine {
	runs := slices.DeleteFunc(slices.Concat(c.Base.Runs, c.Head.Runs), func(r *record.Run) bool { return r.Target != t.Target })
	return naming.EngineOf(runs...)
}

// beside returns the rows for the benchmarks of a table in all units, by unit and name.
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

// of compares the profile in a table of times, together with the tables of the same benchmarks in
// other units.
func of(c *compare.Comparison, t *compare.Table) *Diff {
	byUnit := beside(c, t)
	p := &Diff{Table: t, Single: true, Printed: true, Bytes: tree.Unknown, OuterBytes: tree.Unknown, Engine: engineOf(c, t)}
	for _, r := range t.Rows {
		total := byUnit[units.TotalTime][r.Name]
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
	p.Placed = tree.Placed(t.Suite, len(byUnit[units.TotalTime]) > 0, len(byUnit["self-sec/op"]) > 0, names)
	byRow := map[*compare.Row]*Method{}
	for _, r := range t.Rows {
		m := &Method{Row: r, Time: whole(r, r), Self: whole(r, byUnit["self-sec/op"][r.Name])}
		if p.Printed {
			m.Time = centers(byUnit[units.TotalTime][r.Name])
		}
		if b := byUnit["B/op"][r.Name]; b != nil {
			m.Bytes, m.Notes = whole(r, b), [2][]compare.Caveat{b.Base.Notes, b.Head.Notes}
		} else {
			m.Bytes = tree.Unknown
		}
		p.add(m)
		byRow[r] = m
	}
	p.Changes, p.Undecided = methodChanges(t.Changes(), byRow), methodChanges(t.Undecided(), byRow)
	p.addModels(byUnit)
	p.addKernels(byUnit)
	p.sayCalls()
	slices.SortStableFunc(p.Methods, func(a, b *Method) int { return cmp.Compare(b.larger(), a.larger()) })
	return p
}

// methodChanges returns the changes of rows as changes of methods, the largest first.
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

// Change returns the relative change in the time of all calls together or, if the number of calls
// differs between the sides, in the time of one call. In a trial it is the change computed from
// pairs.
func (m *Method) Change() float64 {
	if change := m.Row.Change(); m.Rounds > 0 && !math.IsNaN(change) {
		return change
	}
	if m.SameCalls() {
		return m.Time.Ratio()
	}
	return m.Delta
}

// SameCalls reports whether both sides made the same number of calls and so did the same amount of
// work.
func (m *Method) SameCalls() bool { return m.Calls[base] == m.Calls[head] }

// whole returns the centers of s, a row of the same benchmark as r, multiplied by the number of
// calls if r is a scope.
func whole(r, s *compare.Row) tree.Pair {
	p := centers(s)
	if r.Kind == record.Scope {
		p = p.Times(tree.Pair{Base: r.Calls[base], Head: r.Calls[head]})
	}
	return p
}

// centers returns the centers of a row, with NaN for a side without samples.
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

// larger returns the larger time of the two sides.
func (m *Method) larger() float64 {
	switch {
	case math.IsNaN(m.Time.Base):
		return m.Time.Head
	case math.IsNaN(m.Time.Head):
		return m.Time.Base
	}
	return max(m.Time.Base, m.Time.Head)
}

// add appends a method to p.Methods and adds its figures to the sums.
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

// sayCalls adds a caveat if the number of calls to a scope differs between the sides, because its
// totals then cover different amounts of work.
func (p *Diff) sayCalls() {
	var names []string
	for _, m := range p.Methods {
		if m.Time.Known() && !m.SameCalls() {
			names = append(names, m.Name)
		}
	}
	if len(names) > 0 {
		p.Caveats = append(p.Caveats, compare.Caveat{Code: compare.CodeCalls, Text: "the sides made different numbers of calls, so their totals cover different amounts of work; changes are per call", Detail: some(names)})
	}
}

// some lists the first few names.
func some(names []string) string {
	const shown = 3
	if len(names) <= shown {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:shown], ", ") + ", ..."
}

// find returns the method with the given name, or with a call path ending in it. It returns nil
// unless exactly one matches.
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
