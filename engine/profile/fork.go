package profile

import "slices"

// Fork returns a stack for another goroutine. Its scopes become children of the scope that is open
// in s at the time of the call. The goroutine that owns s must call Fork and hand the new stack
// over. Close returns the stack for reuse; if the workers of a scope finish before the scope ends,
// Fork allocates nothing in steady state.
func (s *Stack) Fork() *Stack {
	if s == nil {
		return nil
	}
	var forked *Stack
	s.profiler.exclude(func() {
		top := &s.frames[len(s.frames)-1]
		forked, top.forks = s.profiler.fork(s, top.node, top.forks)
		if len(s.frames) == 1 {
			top.forks = 0 // the root frame never ends, so nothing would reset it
		}
	})
	return forked
}

// Close ends the open scopes on s and returns s for reuse. The caller must not use s afterwards.
// Its records are kept.
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

// fork returns a stack for scopes below node n of parent, and the position after it in n.forks. It
// reuses the first closed stack in the list, starting at position from, or adds a new stack. Each
// scope starts at position 0, so its third worker always gets the third stack, regardless of
// timing. This also keeps the order of workers in the tree stable.
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

// clear discards everything that s has recorded.
func (s *Stack) clear() {
	s.frames = append(make([]frame, 0, 16), frame{node: &node{}})
}

// stop removes s from the list of stacks with an open scope.
func (h *heap) stop(s *Stack) {
	h.running = slices.DeleteFunc(h.running, func(other *Stack) bool { return other == s })
}
