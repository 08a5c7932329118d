package profile

import (
	"math"
	"time"
)

// A Stack is the scopes that one goroutine has open, and the call tree of all
// that it ever opened. It must not be used by two goroutines at once. On a nil
// Stack every method does nothing.
type Stack struct {
	profiler *Profiler
	parent   *Stack // it was forked from, nil at the top
	clock    func() time.Duration
	counting bool // mode Allocations

	// frames are the open scopes from the outermost. The first is no scope: it
	// holds the root of the stack's tree.
	frames []frame
	serial uint32 // of the latest scope

	idle  bool               // closed, to be given out again; guarded by profiler.mu
	names map[uintptr]string // of functions, by the program counter that called Func
}

// A frame is an open scope.
type frame struct {
	node   *node
	start  time.Duration
	serial uint32
	forks  int // how many of the node's forks this scope has seen
	heap   allocations
}

// A node is a call path of one stack.
type node struct {
	name     string // as Scope got it
	children []*node
	index    map[string]*node // of the children, when there are many
	forks    []*Stack         // guarded by profiler.mu

	calls           int64
	total, min, max time.Duration
	heap            allocations
}

// manyChildren is where a map becomes faster than looking through a slice.
const manyChildren = 16

// A Scope is a part of a run that is recorded, from Scope or Func to End.
type Scope struct {
	stack  *Stack // nil when there is nothing to end
	depth  uint32 // in stack.frames
	serial uint32 // tells the scope from a later one of the same depth
}

// Scope opens a scope inside the one that is open. The name is best a constant:
// it becomes part of a benchmark name, where a character that cannot stand there
// is replaced by '_', see [Node]. In steady state Scope neither locks nor
// allocates.
func (s *Stack) Scope(name string) Scope {
	if s == nil {
		return Scope{}
	}
	return s.enter(name)
}

// End closes the scope. Scopes opened inside it that are still open, because a
// panic or a return went past their End, end with it. To end a scope again, in
// whichever way it ended, does nothing. It must be called on the goroutine of
// the stack.
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
	// Read last: the work of the profiler is in the self time of the parent.
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

// child returns the child of that name, and adds it if there is none.
func (n *node) child(name string) *node {
	if n.index != nil {
		if c := n.index[name]; c != nil {
			return c
		}
		return n.add(name)
	}
	for _, c := range n.children {
		// The same constant is the same address, which == looks at first.
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
		return // has ended
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

// epoch is what the default clock counts from. time.Since reads only the
// monotonic clock, where time.Now would read the calendar as well.
var epoch = time.Now()

func (s *Stack) now() time.Duration {
	if s.clock != nil {
		return s.clock()
	}
	return time.Since(epoch)
}

// enterCounting is enter in mode Allocations.
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

// within reports whether s is other or was forked below it.
func (s *Stack) within(other *Stack) bool {
	for at := s; at != nil; at = at.parent {
		if at == other {
			return true
		}
	}
	return false
}

// leaveCounting ends the scopes from depth inwards in mode Allocations.
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
