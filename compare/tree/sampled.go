package tree

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Sampled holds the stacks of one or two sides, both as a call tree and by function. The work of
// the test binary and the callers of a benchmark are left out, because an operation begins with the
// benchmark.
type Sampled struct {
	Total     Pair // total of all stacks; Base is NaN if there is only one side
	Functions []FunctionCost
	Roots     []*Node
}

// A FunctionCost is the cost of a function, by itself and with its callees. The runtime's work for
// a function belongs to the function; the runtime's other work has names such as PartAllocation.
type FunctionCost struct {
	Function    string
	Self, Total Pair
}

// A Node is a function on one call path. Functions of the runtime are separate nodes. Children are
// ordered by total, largest first.
type Node struct {
	Function    string
	Self, Total Pair
	Children    []*Node

	byName map[string]*Node
}

// NewSampled adds up the stacks of head and, if there are two sides, of base. The values of both
// sides must be for the same amount of work. In a difference between allocation profiles, samples
// may be negative; sums not above zero are left out.
func NewSampled(b, h []Stack, allocations bool) *Sampled {
	root := &Node{byName: map[string]*Node{}}
	self, total := map[string]*Pair{}, map[string]*Pair{}
	for side, stacks := range [2][]Stack{b, h} {
		for _, s := range stacks {
			if len(s.Functions) == 0 || isHarness(s.Functions) {
				continue
			}
			name := caller(s.Functions)
			if !allocations {
				name, _ = ownTime(s.Functions)
			}
			if allocations && name == PartRuntime {
				continue // threads and the like are not part of an operation
			}
			add(self, name, side, s.Value)
			add(total, name, side, s.Value)
			for i, f := range s.Functions {
				if f != name && !isRuntime(f) && packagePath(f) != "testing" && !slices.Contains(s.Functions[:i], f) {
					add(total, f, side, s.Value)
				}
			}
			root.add(operation(s.Functions), side, s.Value)
		}
	}
	out := &Sampled{Total: root.Total, Roots: root.settle(b != nil).Children}
	if b == nil {
		out.Total.Base = math.NaN()
	}
	for _, name := range slices.Sorted(maps.Keys(total)) {
		f := FunctionCost{Function: name, Total: *total[name]}
		if own := self[name]; own != nil {
			f.Self = *own
		}
		if b == nil {
			f.Self.Base, f.Total.Base = math.NaN(), math.NaN()
		}
		if larger(f.Total) > 1e-9 {
			out.Functions = append(out.Functions, f)
		}
	}
	slices.SortStableFunc(out.Functions, func(a, b FunctionCost) int {
		return cmp.Or(cmp.Compare(larger(b.Self), larger(a.Self)), cmp.Compare(larger(b.Total), larger(a.Total)))
	})
	return out
}

func add(sums map[string]*Pair, name string, side int, v float64) {
	if sums[name] == nil {
		sums[name] = &Pair{}
	}
	sums[name].add(side, v)
}

func (p *Pair) add(side int, v float64) {
	if side == base {
		p.Base += v
		return
	}
	p.Head += v
}

// larger returns the value of the larger side, or of the only one.
func larger(p Pair) float64 {
	if math.IsNaN(p.Base) {
		return p.Head
	}
	return max(p.Base, p.Head)
}

// operation returns the part of a stack from the benchmark inwards, outermost function first. The
// stack of a goroutine started by the benchmark begins with the goroutine's function.
func operation(functions []string) []string {
	out := slices.Clone(functions)
	slices.Reverse(out)
	for len(out) > 1 && (out[0] == "runtime.goexit" || strings.HasPrefix(out[0], "testing.(*B).")) {
		out = out[1:]
	}
	return out
}

func (n *Node) add(path []string, side int, v float64) {
	n.Total.add(side, v)
	if len(path) == 0 {
		n.Self.add(side, v)
		return
	}
	child := n.byName[path[0]]
	if child == nil {
		child = &Node{Function: path[0], byName: map[string]*Node{}}
		n.byName[path[0]] = child
	}
	child.add(path[1:], side, v)
}

// OfRuntime reports whether the node is a function of the Go runtime, regardless of its caller.
func (n *Node) OfRuntime() bool { return isRuntime(n.Function) }

// settle orders the children and drops those whose total is not above zero.
func (n *Node) settle(two bool) *Node {
	for _, name := range slices.Sorted(maps.Keys(n.byName)) {
		child := n.byName[name].settle(two)
		if math.Max(larger(child.Total), child.Total.Head) > 1e-9 {
			n.Children = append(n.Children, child)
		}
	}
	slices.SortStableFunc(n.Children, func(a, b *Node) int { return cmp.Compare(larger(b.Total), larger(a.Total)) })
	if !two {
		n.Self.Base, n.Total.Base = math.NaN(), math.NaN()
	}
	n.byName = nil
	return n
}

// Operations returns the stacks of a benchmark's operations, up to the benchmark itself. It leaves
// out the test binary's own work.
func Operations(stacks []Stack) (out []Stack) {
	for _, s := range stacks {
		if len(s.Functions) == 0 || isHarness(s.Functions) {
			continue
		}
		s.Functions = operation(s.Functions)
		slices.Reverse(s.Functions)
		out = append(out, s)
	}
	return out
}
