package profile

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"
)

// A Tree holds the records of a profiler, with all its stacks merged. It is a copy and does not
// change when the profiler continues.
type Tree struct {
	// Scopes are the top-level scopes. At every level, scopes of the parent's own stack come before
	// those of forked stacks, both in the order of their first entry.
	Scopes []*Node

	// Timed and Counted report whether the tree has times and allocations. Without them, the
	// corresponding values are zero.
	Timed, Counted bool

	// Caveats are warnings about the numbers, one sentence each.
	Caveats []string
}

// A Node is a call path.
type Node struct {
	// Name is the scope's name, made fit for a benchmark name: '_' replaces each '/', space and
	// unprintable character, and also the '-' before a final number, as in "-8", which would be
	// read as GOMAXPROCS. An empty name becomes "_". Siblings whose names become equal are merged
	// into one node.
	Name string

	// Path consists of the names from the top to this node, joined by '/'.
	Path string

	Stats
	Forked   time.Duration // the time of the children that ran on forked stacks
	Children []*Node
}

// Stats summarizes the calls with one path, or with all paths ending in one name.
type Stats struct {
	Calls    int64
	Total    time.Duration // including the scopes inside
	Self     time.Duration // excluding them; see the package comment about forked stacks
	Min, Max time.Duration // of a single call

	// The fields below come from the pass that counts allocations, which has its own number of
	// calls.
	AllocCalls             int64 // 0 if allocations were not counted
	Bytes, Objects         int64 // including the scopes inside
	SelfBytes, SelfObjects int64 // excluding them
}

// Average returns the mean time of a call, or 0 without calls.
func (s Stats) Average() time.Duration { return s.Total / time.Duration(max(s.Calls, 1)) }

// All yields the nodes of the tree in depth-first order, parents before their children, along with
// their depth. The depth of the top-level scopes is 0.
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

// A Row is a call path with its statistics.
type Row struct {
	Path string // as in Inference/GenerateToken/Forward
	Stats
}

// Rows returns all call paths in the order of [Tree.All].
func (t *Tree) Rows() []Row {
	var rows []Row
	for _, n := range t.All() {
		rows = append(rows, Row{n.Path, n.Stats})
	}
	return rows
}

// A Method combines all calls with one name, wherever they were made. Total, Bytes and Objects
// include only calls outside other calls with the same name.
type Method struct {
	Name string
	Stats
	// Waiting is the self time of calls that forked workers. The part spent on the call's own work
	// is unknown, so all of it counts as waiting.
	Waiting time.Duration
}

// Work returns the self time minus the waiting time.
func (m Method) Work() time.Duration { return m.Self - m.Waiting }

// Methods returns the methods in descending order of work, then of self bytes, and finally in order
// of their names.
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

// add adds the calls in o to s.
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

// Busy returns the sum of all self times. This is the time of the top-level scopes plus the time of
// the scopes on forked stacks.
func (t *Tree) Busy() time.Duration {
	var sum time.Duration
	for _, n := range t.All() {
		sum += n.Self
	}
	return sum
}

// AddAllocations copies the allocations from a counting pass over the same code to the same paths
// in t. Paths that the pass did not enter keep zero. If t lacks some of the pass's paths,
// AddAllocations adds a caveat.
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
