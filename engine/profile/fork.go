package profile

import "slices"

// Fork returns a stack for another goroutine, whose scopes are children of the
// scope that is open here and now. It is called by the goroutine of s, and what
// it returns is handed over. Close gives the stack back; a program whose workers
// end before the scope they were forked in then allocates no stacks in steady
// state.
func (s *Stack) Fork() *Stack {
	if s == nil {
		return nil
	}
	var forked *Stack
	s.profiler.exclude(func() {
		top := &s.frames[len(s.frames)-1]
		forked, top.forks = s.profiler.fork(s, top.node, top.forks)
		if len(s.frames) == 1 {
			top.forks = 0 // no scope that ever ends
		}
	})
	return forked
}

// Close ends the scopes that are open on a stack and gives it back; it must not
// be used afterwards. What it recorded stays.
func (s *Stack) Close() {
	if s == nil {
		return
	}
	if len(s.frames) > 1 {
		s.leave(1, s.frames[1].serial)
	}
	s.profiler.mu.Lock()
	defer s.profiler.mu.Unlock()
	s.idle = true
}

// fork returns a stack below a node of parent's, a closed one if there is one
// from the given position of the node's list on, and the position after it. A
// scope asks for the first position first: so the third worker of a scope
// always gets the third stack, whichever worker was done first, and the
// order in which the tree shows what workers did does not depend on timing.
func (p *Profiler) fork(parent *Stack, n *node, from int) (s *Stack, next int) {
	for i := from; i < len(n.forks); i++ {
		if n.forks[i].idle {
			n.forks[i].idle = false
			return n.forks[i], i + 1
		}
	}
	s = &Stack{profiler: p, parent: parent, clock: p.clock, counting: p.mode == Allocations}
	s.clear()
	n.forks = append(n.forks, s)
	return s, len(n.forks)
}

// clear empties s: it has recorded nothing.
func (s *Stack) clear() {
	s.frames = append(make([]frame, 0, 16), frame{node: &node{}})
}

// stop takes s off the list of the stacks that have a scope open.
func (h *heap) stop(s *Stack) {
	h.running = slices.DeleteFunc(h.running, func(other *Stack) bool { return other == s })
}
