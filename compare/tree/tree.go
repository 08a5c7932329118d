package tree

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
)

// A Tree is the call tree of one suite in one run. It is the tree of the median round rather than
// of medians for each scope, because only the figures of a single round add up.
type Tree struct {
	Package string
	Suite   string
	Round   int       // the round shown
	Totals  []float64 // nanoseconds, for all rounds, in ascending order
	Scopes  []*Call   // outermost scopes, in the order of their first entry
	Total   float64   // nanoseconds: the sum of Scopes
	Busy    float64   // nanoseconds: the sum of all self times, more than Total if workers ran in parallel
	Gap     float64   // nanoseconds of Total not in any self time
	Bytes   float64   // bytes allocated by Scopes
	Counted bool      // allocations were counted
	// Printed is set for an imported report, for which only the printed figures are known. Placed
	// is set if the nesting of scopes is known. Otherwise neither self times nor the duration of
	// the run are known: Total and Bytes are NaN, and Sum counts the time of nested scopes twice.
	Printed, Placed bool
	Sum             float64 // nanoseconds: the sum of all scopes
}

// A Call is a call path with all of its calls. Times are in nanoseconds. Times and sizes are sums
// over all calls, whereas Min and Max are those of a single call. Unknown values are NaN.
type Call struct {
	Name, Path string
	Calls      int
	Total      float64 // including the scopes inside it
	Self       float64 // without the scopes inside it and without Waiting
	Waiting    float64 // own time spent waiting for workers; all of it if the call waited at all, because the exact part is unknown
	Min, Max   float64 // NaN if unknown
	Bytes      float64 // including the scopes inside it, for the whole process
	SelfBytes  float64 // without the scopes inside it
	Objects    float64
	OwnObjects float64 // without the scopes inside it
	Counted    bool    // Bytes and Objects are known
	Forked     float64 // the total time of its workers
	Children   []*Call
	// Within names the scopes around it if there are several. Then its time is spread over them,
	// and it is not a child of any of them.
	Within []string

	shares bool // some of the scopes inside it are also inside other scopes
}

// Of returns the call trees of a run, one for each package and suite, in the order of measurement.
// If the parent of a scope is missing, the scope becomes a child of its nearest ancestor.
func Of(run *record.Run) []*Tree {
	var trees []*Tree
	groups := map[[2]string][]*record.Benchmark{}
	scopes := scopesInOrder(run)
	for _, b := range scopes {
		key := [2]string{b.Package, b.Suite}
		if groups[key] == nil {
			trees = append(trees, &Tree{Package: b.Package, Suite: b.Suite})
		}
		groups[key] = append(groups[key], b)
	}
	for _, t := range trees {
		t.fill(groups[[2]string{t.Package, t.Suite}])
	}
	return trees
}

// Rounds returns the call trees of all rounds of a suite, in order. Comparing them shows whether a
// figure in the median round is due to chance.
func (t *Tree) Rounds(run *record.Run) (rounds []*Tree) {
	scopes := slices.DeleteFunc(scopesInOrder(run), func(b *record.Benchmark) bool { return b.Package != t.Package || b.Suite != t.Suite })
	for _, n := range roundsOf(scopes) {
		r := t.round(scopes, n)
		r.Package, r.Suite, r.Round = t.Package, t.Suite, n
		rounds = append(rounds, r)
	}
	return rounds
}

// scopesInOrder returns the scopes in the order of measurement.
func scopesInOrder(run *record.Run) []*record.Benchmark {
	var scopes []*record.Benchmark
	for i := range run.Benchmarks {
		if b := &run.Benchmarks[i]; b.Kind == record.Scope && len(b.Rounds) > 0 {
			scopes = append(scopes, b)
		}
	}
	slices.SortStableFunc(scopes, func(a, b *record.Benchmark) int {
		return cmp.Or(cmp.Compare(a.Rounds[0].N, b.Rounds[0].N), cmp.Compare(a.Rounds[0].Order, b.Rounds[0].Order))
	})
	return scopes
}

// fill chooses the median round and fills in its tree.
func (t *Tree) fill(scopes []*record.Benchmark) {
	report, self := printed(scopes)
	var names []string
	for _, b := range scopes {
		names = append(names, b.Name)
	}
	t.Printed, t.Placed = report, Placed(t.Suite, report, self, names)
	type round struct {
		n     int
		total float64
	}
	var rounds []round
	for _, n := range roundsOf(scopes) {
		rounds = append(rounds, round{n, t.round(scopes, n).Total})
	}
	slices.SortFunc(rounds, func(a, b round) int { return cmp.Or(cmp.Compare(a.total, b.total), cmp.Compare(a.n, b.n)) })
	median := rounds[(len(rounds)-1)/2]
	shown := t.round(scopes, median.n)
	t.Round, t.Scopes, t.Total, t.Busy, t.Gap, t.Sum = median.n, shown.Scopes, shown.Total, shown.Busy, shown.Gap, shown.Sum
	t.Bytes, t.Counted = shown.Bytes, shown.Counted
	for _, r := range rounds {
		t.Totals = append(t.Totals, r.total)
	}
}

// printed reports whether scopes come from an imported report, and whether they have self times.
// Only reports have printed totals.
func printed(scopes []*record.Benchmark) (printed, self bool) {
	for _, b := range scopes {
		_, total := b.Unit(printedTotal)
		_, own := b.Unit("self-ns/op")
		printed, self = printed || total, self || own
	}
	return printed, self
}

// Placed reports whether the nesting of scopes is known. A program's own profile has call paths, so
// its nesting is known. The nesting in a report is known if its reader derived self times, if the
// suite's names imply the nesting, or if every scope is part of a call path with several scopes. A
// name outside such paths may be at the top or inside any other scope.
func Placed(suite string, printed, self bool, names []string) bool {
	if !printed || self || naming.EngineSuite(suite) {
		return true
	}
	inPath := map[string]bool{}
	for name, callers := range naming.CallPaths(names) {
		inPath[name], inPath[callers[0]] = true, true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !inPath[name] })
}

// printedTotal is the unit of the totals that a report prints.
const printedTotal = "total-ns"

// round returns the tree of one round.
func (t *Tree) round(scopes []*record.Benchmark, round int) *Tree {
	tree := &Tree{Printed: t.Printed, Placed: t.Placed}
	byPath := map[string]*Call{}
	var names []string
	for _, b := range scopes {
		i := slices.IndexFunc(b.Rounds, func(r record.Round) bool { return r.N == round })
		if i >= 0 {
			byPath[b.Name] = newCall(b, i)
			names = append(names, b.Name)
		}
	}
	parents := tree.parents(names)
	for _, name := range names {
		c := byPath[name]
		tree.Sum += c.Total
		switch in := parents[name]; len(in) {
		case 0:
			tree.Scopes = append(tree.Scopes, c)
		case 1:
			c.Name = strings.TrimPrefix(name, in[0]+"/")
			byPath[in[0]].Children = append(byPath[in[0]].Children, c)
		default:
			c.Within = in
			tree.Scopes = append(tree.Scopes, c)
			for _, p := range in {
				byPath[p].shares = true
			}
		}
	}
	for _, c := range tree.Scopes {
		tree.settle(c)
		if tree.Counted = tree.Counted || c.Counted; len(c.Within) == 0 {
			tree.Total += c.Total
			tree.Bytes += known(c.Bytes)
		}
	}
	if !tree.Placed {
		tree.Total, tree.Bytes, tree.Busy, tree.Gap = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	return tree
}

// parents returns the parents of each scope. The names of a program's own scopes are call paths;
// those in a report need the rules of [naming.Nesting].
func (t *Tree) parents(names []string) map[string][]string {
	if t.Printed {
		return naming.Nesting(record.Scope, names)
	}
	return naming.CallPaths(names)
}

// known returns x, or 0 if x is NaN.
func known(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

func newCall(b *record.Benchmark, round int) *Call {
	value := func(unit string) float64 {
		if s, ok := b.Unit(unit); ok {
			return s.Values[round]
		}
		return math.NaN()
	}
	calls := float64(b.Rounds[round].Iters)
	c := &Call{Name: b.Name, Path: b.Name, Calls: b.Rounds[round].Iters, Min: value("min-ns/op"), Max: value("max-ns/op"), Self: value("self-ns/op") * calls}
	c.Total, c.Bytes, c.Objects = known(value("ns/op"))*calls, value("B/op")*calls, value("allocs/op")*calls
	if v := value(printedTotal); !math.IsNaN(v) {
		c.Total = v
	}
	c.Counted = !math.IsNaN(c.Bytes)
	return c
}

// settle computes the figures of a call that follow from its children, and adds the call to the
// sums of the tree.
func (t *Tree) settle(c *Call) {
	inside, bytes, objects := 0.0, 0.0, 0.0
	for _, child := range c.Children {
		t.settle(child)
		inside += child.Total
		bytes += child.Bytes
		objects += child.Objects
	}
	c.SelfBytes, c.OwnObjects = own(c.Bytes, bytes), own(c.Objects, objects)
	if !t.Placed || c.shares {
		c.SelfBytes, c.OwnObjects = math.NaN(), math.NaN()
	}
	if t.Printed {
		t.settlePrinted(c, inside)
		return
	}
	if math.IsNaN(c.Self) {
		c.Self = max(0, c.Total-inside)
	}
	// Total = Self + children - Forked, as in the profiler, except for rounding. A program
	// measuring differently may leave a gap instead.
	switch over := c.Self + inside - c.Total; {
	case over > 1e-6*c.Total:
		c.Forked, c.Waiting, c.Self = over, c.Self, 0
	case over < -1e-6*c.Total:
		t.Gap -= over
	}
	t.Busy += c.Self
}

// settlePrinted fills in the self time of a scope in a report, if it is known. The figures in a
// report are rounded, so a difference counts neither as waiting nor as a gap.
func (t *Tree) settlePrinted(c *Call, inside float64) {
	switch {
	case !math.IsNaN(c.Self):
	case !t.Placed || c.shares || inside > (1+printedError)*c.Total: // the scopes inside it ran in parallel
		return
	default:
		c.Self = max(0, c.Total-inside)
	}
	t.Busy += c.Self
}

// printedError is the largest fraction by which rounding may make scopes longer than the scope
// around them.
const printedError = 0.01

// Base returns the denominator for shares of self time: the total time of all goroutines or the
// duration of the run, whichever is longer.
func (t *Tree) Base() float64 { return max(t.Busy, t.Total) }

// A Method combines all calls to scopes of one name from all callers.
type Method struct {
	Call // without Path and Children
}

// Methods sums up the calls by name. It returns them ordered by self time, largest first, and then
// by name. Total and Bytes do not include calls inside another call of the same name.
func (t *Tree) Methods() []*Method {
	byName := map[string]*Method{}
	var methods []*Method
	var walk func(c *Call, outer []string)
	walk = func(c *Call, outer []string) {
		m := byName[c.Name]
		if m == nil {
			m = &Method{Call: Call{Name: c.Name, Min: math.NaN(), Max: math.NaN()}}
			byName[c.Name] = m
			methods = append(methods, m)
		}
		m.add(c, slices.Contains(outer, c.Name))
		for _, child := range c.Children {
			walk(child, append(outer[:len(outer):len(outer)], c.Name))
		}
	}
	for _, c := range t.Scopes {
		walk(c, nil)
	}
	slices.SortStableFunc(methods, func(a, b *Method) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(a.Name, b.Name))
	})
	return methods
}

func (m *Method) add(c *Call, inner bool) {
	m.Within = c.Within
	m.Calls += c.Calls
	m.Self += c.Self
	m.Waiting += c.Waiting
	m.SelfBytes += c.SelfBytes
	m.OwnObjects += c.OwnObjects
	m.Counted = m.Counted || c.Counted
	m.Forked += c.Forked
	if math.IsNaN(m.Min) || c.Min < m.Min {
		m.Min = c.Min
	}
	if math.IsNaN(m.Max) || c.Max > m.Max {
		m.Max = c.Max
	}
	if inner {
		return
	}
	m.Total += c.Total
	m.Bytes += c.Bytes
	m.Objects += c.Objects
}

// residue is the rounding error of the difference between two sums of averages, as a fraction of
// the larger sum.
const residue = 1e-9

// own returns all minus inner, or 0 if the difference is only floating-point residue.
func own(all, inner float64) float64 {
	if all-inner <= residue*all {
		return 0
	}
	return all - inner
}
