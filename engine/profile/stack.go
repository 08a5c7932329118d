package profile

import (
	"math"
	"time"
)

// A Stack holds the open scopes of one goroutine and the call tree of all scopes it has ever
// opened. It must not be used by two goroutines at once. On a nil Stack every method does nothing.
type Stack struct {
	profiler *Profiler
	parent   *Stack // the stack this one was forked from, or nil
	clock    func() time.Duration
	counting bool // whether the mode is Allocations

	// frames are the open scopes, outermost first. The first frame is not a scope; it holds the
	// root of the stack's tree.
	frames []frame
	serial uint32 // serial number of the latest scope

	idle  bool               // closed and ready for reuse; guarded by profiler.mu
	names map[uintptr]string // function names by the program counter of their call of Func
}

// A frame is an open scope.
type frame struct {
	node   *node
	start  time.Duration
	serial uint32
	forks  int // how many of the node's forks this scope has used
	heap   allocations
}

// A node is a call path in one stack.
type node struct {
	name     string // as passed to Scope
	children []*node
	index    map[string]*node // of the children, if there are many
	forks    []*Stack         // guarded by profiler.mu

	calls           int64
	total, min, max time.Duration
	heap            allocations
}

// With more than manyChildren children, a map is faster than a search through the slice.
const manyChildren = 16

// A Scope is a recorded part of a run, from the call of Scope or Func to the call of End.
type Scope struct {
	stack  *Stack // nil if there is nothing to end
	depth  uint32 // index in stack.frames
	serial uint32 // distinguishes the scope from later ones at the same depth
}

// Scope opens a scope inside the innermost open one. The name should be a constant. It becomes part
// of a benchmark name, in which '_' replaces forbidden characters; see [Node]. In steady state
// Scope neither locks nor allocates.
func (s *Stack) Scope(name string) Scope {
	if s == nil {
		return Scope{}
	}
	return s.enter(name)
}

// End closes the scope. It also ends inner scopes left open because a panic or a return skipped
// their End. Ending a scope twice does nothing. End must be called on the goroutine owning the
// stack.
func (sc Scope) End() {
	if sc.stack != nil {
		sc.stack.leave(sc.depth, sc.serial)
	}
}

func (s *Stack) enter(name string) Scope {
	if s.counting {
		return s.enterCounting(name)
	}
	sc := s.push(name)
	// Read the clock last, so that the profiler's own work counts toward the parent's self time.
	s.frames[sc.depth].start = s.now()
	return sc
}

// push opens a scope without setting its start.
func (s *Stack) push(name string) Scope {
	depth := len(s.frames)
	child := s.frames[depth-1].node.child(name)
	if depth == cap(s.frames) {
		s.frames = append(s.frames, frame{})
	}
	s.frames = s.frames[:depth+1]
	s.serial++
	f := &s.frames[depth]
	f.node, f.serial, f.forks = child, s.serial, 0
	return Scope{stack: s, depth: uint32(depth), serial: s.serial}
}

// child returns the named child, adding it if it is missing.
func (n *node) child(name string) *node {
	if n.index != nil {
		if c := n.index[name]; c != nil {
			return c
		}
		return n.add(name)
	}
	for _, c := range n.children {
		// Equal constants share their bytes, and == compares the addresses first.
		if c.name == name {
			return c
		}
	}
	return n.add(name)
}

func (n *node) add(name string) *node {
	c := &node{name: name, min: math.MaxInt64}
	n.children = append(n.children, c)
	switch {
	case n.index != nil:
		n.index[name] = c
	case len(n.children) > manyChildren:
		n.index = make(map[string]*node)
		for _, c := range n.children {
			n.index[c.name] = c
		}
	}
	return c
}

func (s *Stack) leave(depth, serial uint32) {
	if int(depth) >= len(s.frames) || s.frames[depth].serial != serial {
		return // it has ended already
	}
	if s.counting {
		s.leaveCounting(int(depth))
		return
	}
	now := s.now()
	for i := len(s.frames) - 1; i >= int(depth); i-- {
		f := &s.frames[i]
		f.node.addTime(now - f.start)
	}
	s.frames = s.frames[:depth]
}

func (n *node) addTime(d time.Duration) {
	n.calls++
	n.total += d
	n.min = min(n.min, d)
	n.max = max(n.max, d)
}

// epoch is the zero of the default clock. time.Since reads only the monotonic clock, whereas
// time.Now would read the wall clock as well.
var epoch = time.Now()

func (s *Stack) now() time.Duration {
	if s.clock != nil {
		return s.clock()
	}
	return time.Since(epoch)
}

// enterCounting does the work of enter in mode Allocations.
func (s *Stack) enterCounting(name string) Scope {
	p := s.profiler
	var sc Scope
	p.exclude(func() {
		sc = s.push(name)
		if sc.depth == 1 {
			p.heap.running = append(p.heap.running, s)
		}
		for _, other := range p.heap.running {
			p.heap.overlap = p.heap.overlap || !s.within(other)
		}
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	s.frames[sc.depth].heap = p.heap.count()
	return sc
}

// within reports whether s is other or was forked from it, directly or indirectly.
func (s *Stack) within(other *Stack) bool {
	for at := s; at != nil; at = at.parent {
		if at == other {
			return true
		}
	}
	return false
}

// leaveCounting ends the scope at depth and all scopes inside it, in mode Allocations.
func (s *Stack) leaveCounting(depth int) {
	p := s.profiler
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.heap.count()
	for _, f := range s.frames[depth:] {
		f.node.calls++
		f.node.heap = f.node.heap.plus(now.minus(f.heap))
	}
	s.frames = s.frames[:depth]
	if depth == 1 {
		p.heap.stop(s)
	}
}
