package profile

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"
)

// A Tree is what a profiler recorded, all its stacks merged. It is a copy: it
// does not change when the profiler goes on.
type Tree struct {
	// Scopes are the scopes at the top. Here and below, they are in the order in
	// which they were first entered, those of the scope's own stack before those
	// of forked stacks.
	Scopes []*Node

	// Timed and Counted say which pass the tree has seen; times and allocations
	// are zero without.
	Timed, Counted bool

	// Caveats are what a reader of the numbers must be told, one sentence each.
	Caveats []string
}

// A Node is a call path.
type Node struct {
	// Name can stand in a benchmark name: in the name that the code gave, '/',
	// white space and what cannot be printed are each replaced by '_', and so is
	// the '-' of a final "-8", which would read as GOMAXPROCS. An empty name is
	// "_". Names that become equal are one node.
	Name string

	// Path is the names from the top to here, joined by '/'.
	Path string

	Stats
	Forked   time.Duration // the time of the children that ran on forked stacks
	Children []*Node
}

// Stats are sums over calls, of a path or of all paths that end in one name.
type Stats struct {
	Calls    int64
	Total    time.Duration // with the scopes inside
	Self     time.Duration // without; see the package comment for forked stacks
	Min, Max time.Duration // of one call

	// From the pass that counts allocations, which had its own number of calls.
	AllocCalls             int64 // 0: not counted
	Bytes, Objects         int64 // with the scopes inside
	SelfBytes, SelfObjects int64 // without
}

// Average returns the time of a call, 0 if there was none.
func (s Stats) Average() time.Duration { return s.Total / time.Duration(max(s.Calls, 1)) }

// All yields the nodes of the tree in depth-first order, each before its
// children, with its depth from 0.
func (t *Tree) All() iter.Seq2[int, *Node] {
	return func(yield func(int, *Node) bool) {
		var walk func(depth int, nodes []*Node) bool
		walk = func(depth int, nodes []*Node) bool {
			for _, n := range nodes {
				if !yield(depth, n) || !walk(depth+1, n.Children) {
					return false
				}
			}
			return true
		}
		walk(0, t.Scopes)
	}
}

// A Row is a call path by itself.
type Row struct {
	Path string // as in Inference/GenerateToken/Forward
	Stats
}

// Rows returns the call paths in the order of [Tree.All].
func (t *Tree) Rows() []Row {
	var rows []Row
	for _, n := range t.All() {
		rows = append(rows, Row{n.Path, n.Stats})
	}
	return rows
}

// A Method is all calls of one name, from wherever they were made. Total, Bytes
// and Objects count only calls that are not inside another call of that name.
type Method struct {
	Name string
	Stats
	// Waiting is the self time of the calls whose workers ran beside them: what
	// they did meanwhile but wait is not known, so none of it counts as work.
	Waiting time.Duration
}

// Work returns the self time without the waiting.
func (m Method) Work() time.Duration { return m.Self - m.Waiting }

// Methods returns the names by falling work, and where that is equal by falling
// self bytes, then by name.
func (t *Tree) Methods() []Method {
	byName := map[string]*Method{}
	var path []string
	for depth, n := range t.All() {
		path = append(path[:depth], n.Name)
		m, ok := byName[n.Name]
		if !ok {
			m = &Method{Name: n.Name}
			byName[n.Name] = m
		}
		inner := n.Stats
		if slices.Contains(path[:depth], n.Name) {
			inner.Total, inner.Bytes, inner.Objects = 0, 0, 0
		}
		m.add(inner)
		if n.Forked > 0 {
			m.Waiting += n.Self
		}
	}
	methods := make([]Method, 0, len(byName))
	for _, m := range byName {
		methods = append(methods, *m)
	}
	slices.SortFunc(methods, func(a, b Method) int {
		return cmp.Or(cmp.Compare(b.Work(), a.Work()), cmp.Compare(b.SelfBytes, a.SelfBytes), cmp.Compare(a.Name, b.Name))
	})
	return methods
}

// add adds the calls of o.
func (s *Stats) add(o Stats) {
	if s.Calls == 0 || o.Calls > 0 && o.Min < s.Min {
		s.Min = o.Min
	}
	s.Max = max(s.Max, o.Max)
	s.Calls += o.Calls
	s.Total += o.Total
	s.Self += o.Self
	s.AllocCalls += o.AllocCalls
	s.Bytes += o.Bytes
	s.Objects += o.Objects
	s.SelfBytes += o.SelfBytes
	s.SelfObjects += o.SelfObjects
}

// Busy returns the sum of all self times: the time of the scopes at the top,
// and with forked stacks the time that these ran beside them.
func (t *Tree) Busy() time.Duration {
	var sum time.Duration
	for _, n := range t.All() {
		sum += n.Self
	}
	return sum
}

// AddAllocations adds the allocations of a counting pass over the same code to the
// same paths of t. Paths that the pass did not enter have none; for paths that t
// does not have, it adds a caveat.
func (t *Tree) AddAllocations(pass *Tree) {
	byPath := map[string]*Node{}
	for _, n := range t.All() {
		byPath[n.Path] = n
	}
	missing, first := 0, ""
	for _, from := range pass.All() {
		n, ok := byPath[from.Path]
		if !ok {
			if missing++; missing == 1 {
				first = from.Path
			}
			continue
		}
		n.AllocCalls, n.Bytes, n.Objects = from.AllocCalls, from.Bytes, from.Objects
		n.SelfBytes, n.SelfObjects = from.SelfBytes, from.SelfObjects
	}
	t.Counted = t.Counted || pass.Counted
	t.Caveats = append(t.Caveats, pass.Caveats...)
	if missing > 0 {
		t.Caveats = append(t.Caveats, fmt.Sprintf(
			"paths that only the allocation pass entered are left out: %d, the first is %s", missing, first))
	}
}
