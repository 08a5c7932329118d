package compare

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/store"
)

// A CallTree is what one run profiled of one suite, as its median round has it:
// the figures of one round fit together, medians of each scope would not.
type CallTree struct {
	Package string
	Suite   string
	Round   int       // the one shown
	Totals  []float64 // nanoseconds, of all rounds in ascending order
	Scopes  []*Call   // at the top, in the order in which they were entered
	Total   float64   // nanoseconds: the sum of the scopes at the top
	Busy    float64   // nanoseconds: the sum of all self times, more than Total where workers ran beside
	Gap     float64   // nanoseconds of Total that are neither a scope's own nor those of the scopes in it
	Bytes   float64   // what they allocated
	Counted bool      // allocations were counted
}

// A Call is a call path. Times are nanoseconds and sums over all calls, except
// for Min and Max, which are of one; sizes are sums, too.
type Call struct {
	Name, Path string
	Calls      int
	Total      float64 // with the scopes inside
	Self       float64 // without, and without Waiting
	Waiting    float64 // for workers: all of its own time where it had any, what else it did meanwhile is not known
	Min, Max   float64 // NaN where unknown
	Bytes      float64 // with the scopes inside, process-wide
	SelfBytes  float64 // without
	Objects    float64
	OwnObjects float64 // without the scopes inside
	Counted    bool    // Bytes and Objects are known
	Forked     float64 // the time of its workers
	Children   []*Call
}

// CallTrees returns the call trees of the scopes in a run, one for each package
// and suite, in the order of measurement. A scope whose parent is missing hangs
// on the nearest one that is there.
func CallTrees(run *store.Run) []*CallTree {
	var trees []*CallTree
	groups := map[[2]string][]*store.Benchmark{}
	scopes := scopesInOrder(run)
	for _, b := range scopes {
		key := [2]string{b.Package, b.Suite}
		if groups[key] == nil {
			trees = append(trees, &CallTree{Package: b.Package, Suite: b.Suite})
		}
		groups[key] = append(groups[key], b)
	}
	for _, t := range trees {
		t.fill(groups[[2]string{t.Package, t.Suite}])
	}
	return trees
}

// scopesInOrder returns the scopes in the order of measurement.
func scopesInOrder(run *store.Run) []*store.Benchmark {
	var scopes []*store.Benchmark
	for i := range run.Benchmarks {
		if b := &run.Benchmarks[i]; b.Kind == store.Scope && len(b.Rounds) > 0 {
			scopes = append(scopes, b)
		}
	}
	slices.SortStableFunc(scopes, func(a, b *store.Benchmark) int {
		return cmp.Or(cmp.Compare(a.Rounds[0].N, b.Rounds[0].N), cmp.Compare(a.Rounds[0].Order, b.Rounds[0].Order))
	})
	return scopes
}

func (t *CallTree) fill(scopes []*store.Benchmark) {
	type round struct {
		n     int
		total float64
	}
	var rounds []round
	for _, b := range scopes {
		for _, r := range b.Rounds {
			if !slices.ContainsFunc(rounds, func(x round) bool { return x.n == r.N }) {
				rounds = append(rounds, round{r.N, callTree(scopes, r.N).Total})
			}
		}
	}
	slices.SortFunc(rounds, func(a, b round) int { return cmp.Or(cmp.Compare(a.total, b.total), cmp.Compare(a.n, b.n)) })
	median := rounds[(len(rounds)-1)/2]
	shown := callTree(scopes, median.n)
	t.Round, t.Scopes, t.Total, t.Busy, t.Gap = median.n, shown.Scopes, shown.Total, shown.Busy, shown.Gap
	t.Bytes, t.Counted = shown.Bytes, shown.Counted
	for _, r := range rounds {
		t.Totals = append(t.Totals, r.total)
	}
}

// callTree puts together the tree of one round.
func callTree(scopes []*store.Benchmark, round int) *CallTree {
	t := &CallTree{}
	byPath := map[string]*Call{}
	for _, b := range scopes {
		i := slices.IndexFunc(b.Rounds, func(r store.Round) bool { return r.N == round })
		if i >= 0 {
			byPath[b.Name] = newCall(b, i)
		}
	}
	for _, b := range scopes {
		c := byPath[b.Name]
		if c == nil {
			continue
		}
		parent := ""
		for at := strings.LastIndexByte(b.Name, '/'); at > 0 && parent == ""; at = strings.LastIndexByte(b.Name[:at], '/') {
			if byPath[b.Name[:at]] != nil {
				parent = b.Name[:at]
			}
		}
		if parent == "" {
			t.Scopes = append(t.Scopes, c)
			continue
		}
		c.Name = b.Name[len(parent)+1:]
		byPath[parent].Children = append(byPath[parent].Children, c)
	}
	for _, c := range t.Scopes {
		t.settle(c)
		t.Total += c.Total
		t.Bytes += c.Bytes
		t.Counted = t.Counted || c.Counted
	}
	return t
}

func newCall(b *store.Benchmark, round int) *Call {
	value := func(unit string) float64 {
		if s, ok := b.Unit(unit); ok {
			return s.Values[round]
		}
		return math.NaN()
	}
	calls := float64(b.Rounds[round].Iters)
	c := &Call{Name: b.Name, Path: b.Name, Calls: b.Rounds[round].Iters, Min: value("min-ns/op"), Max: value("max-ns/op"), Self: value("self-ns/op") * calls}
	if v := value("ns/op"); v == v {
		c.Total = v * calls
	}
	if v := value("B/op"); v == v {
		c.Bytes, c.Counted = v*calls, true
	}
	if v := value("allocs/op"); v == v {
		c.Objects = v * calls
	}
	return c
}

// settle fills in what follows from the children and adds the call to the sums
// of the tree.
func (t *CallTree) settle(c *Call) {
	inside, bytes, objects := 0.0, 0.0, 0.0
	for _, child := range c.Children {
		t.settle(child)
		inside += child.Total
		bytes += child.Bytes
		objects += child.Objects
	}
	c.SelfBytes, c.OwnObjects = max(0, c.Bytes-bytes), max(0, c.Objects-objects)
	if c.Self != c.Self {
		c.Self = max(0, c.Total-inside)
	}
	// Total = Self + children - Forked, see the profiler; what rounding leaves is
	// none. A program that measures otherwise may leave a gap instead.
	switch over := c.Self + inside - c.Total; {
	case over > 1e-6*c.Total:
		c.Forked, c.Waiting, c.Self = over, c.Self, 0
	case over < -1e-6*c.Total:
		t.Gap -= over
	}
	t.Busy += c.Self
}

// Base is what self times are shares of: what goroutines worked, or the run
// where some of it was no work or lies in no scope.
func (t *CallTree) Base() float64 { return max(t.Busy, t.Total) }

// MethodTotals are all calls of one name, from wherever they were made.
type MethodTotals struct {
	Call // without Path and Children
}

// Methods gathers the calls by name, by falling self time and then by name. Total
// and Bytes count only calls that are not inside another call of that name.
func (t *CallTree) Methods() []*MethodTotals {
	byName := map[string]*MethodTotals{}
	var methods []*MethodTotals
	var walk func(c *Call, outer []string)
	walk = func(c *Call, outer []string) {
		m := byName[c.Name]
		if m == nil {
			m = &MethodTotals{Call: Call{Name: c.Name, Min: math.NaN(), Max: math.NaN()}}
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
	slices.SortStableFunc(methods, func(a, b *MethodTotals) int {
		return cmp.Or(cmp.Compare(b.Self, a.Self), cmp.Compare(a.Name, b.Name))
	})
	return methods
}

func (m *MethodTotals) add(c *Call, inner bool) {
	m.Calls += c.Calls
	m.Self += c.Self
	m.Waiting += c.Waiting
	m.SelfBytes += c.SelfBytes
	m.OwnObjects += c.OwnObjects
	m.Counted = m.Counted || c.Counted
	m.Forked += c.Forked
	if m.Min != m.Min || c.Min < m.Min {
		m.Min = c.Min
	}
	if m.Max != m.Max || c.Max > m.Max {
		m.Max = c.Max
	}
	if inner {
		return
	}
	m.Total += c.Total
	m.Bytes += c.Bytes
	m.Objects += c.Objects
}
