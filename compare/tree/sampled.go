package tree

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Sampled are stacks as a call tree and function by function, of one side or of two. What the
// test binary does for itself is left out, and so are the callers of a benchmark: an
// operation begins with the benchmark.
type Sampled struct {
	Total     Pair // of all stacks; Base is NaN of one side
	Functions []FunctionCost
	Roots     []*Node
}

// A FunctionCost is what a function takes by itself and with all that it calls. What the runtime
// does for a function is that function's own; its other work has names such as PartAllocation.
type FunctionCost struct {
	Function    string
	Self, Total Pair
}

// A Node is a function as called on one path, with the runtime's functions as they are. Children
// are by falling total.
type Node struct {
	Function    string
	Self, Total Pair
	Children    []*Node

	byName map[string]*Node
}

// NewSampled adds the stacks up, those of head and, if there are two sides, of base. Values of
// both must be of as much work. Samples of a profile that allocations are taken from may be less
// than nothing: what is not above zero at the end is left out.
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
				continue // threads and the like: no part of an operation
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

// larger is the larger side, or the only one.
func larger(p Pair) float64 {
	if math.IsNaN(p.Base) {
		return p.Head
	}
	return max(p.Base, p.Head)
}

// operation is a stack from the benchmark inwards, the outermost function first. A goroutine
// that the benchmark starts begins with its own function.
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

// OfRuntime reports whether it is a function of the Go runtime, called by whom ever.
func (n *Node) OfRuntime() bool { return isRuntime(n.Function) }

// settle puts the children in order and leaves out what is not above zero.
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

// Operations are the stacks of the operations of a benchmark, from the benchmark inwards: without
// the work of the test binary for itself.
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
