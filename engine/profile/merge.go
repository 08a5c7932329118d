package profile

import (
	"fmt"
	"time"
)

// Tree returns the records made so far. No goroutine may use a stack during the call. A scope that
// is still open counts as if it ended now, and the tree has a caveat about it.
func (p *Profiler) Tree() *Tree {
	t := &Tree{}
	if p == nil || p.mode == Off {
		return t
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	t.Timed, t.Counted = p.mode == Timing, p.mode == Allocations
	m := merge{counted: t.Counted}
	if t.Counted {
		m.heap = p.heap.count()
	}
	top := &Node{}
	for _, s := range p.root.forks {
		m.stack(top, s)
	}
	t.Scopes = top.Children
	t.Caveats = p.caveats(m.open)
	return t
}

func (p *Profiler) caveats(open int) []string {
	var caveats []string
	if open > 0 {
		caveats = append(caveats, fmt.Sprintf("scopes that were still open count as if they ended when the profile was read: %d", open))
	}
	if p.mode == Allocations {
		caveats = append(caveats, "bytes and objects are of the whole process while a scope ran, not of its own goroutine only")
	}
	if p.heap.overlap {
		caveats = append(caveats, "scopes of several goroutines overlapped while allocations were counted: "+
			"some are counted more than once; run the allocation pass with one worker")
	}
	return caveats
}

// A merge combines all stacks of a profiler, as they are at one moment, into a tree.
type merge struct {
	counted bool
	heap    allocations // at the time of the merge
	open    int         // number of open scopes seen so far
}

// openScopes maps the open nodes of one stack to the amounts that their open calls add. A node is
// open at most once, because a scope inside it has a different path.
type openScopes map[*node]sums

// sums are the amounts of a node over all its calls.
type sums struct {
	total time.Duration
	heap  allocations
}

// stack adds the scopes of s as children of parent and returns their sums.
func (m *merge) stack(parent *Node, s *Stack) sums {
	var open openScopes
	if len(s.frames) > 1 {
		open = openScopes{}
		var now time.Duration
		if !m.counted {
			now = s.now()
		}
		for _, f := range s.frames[1:] {
			open[f.node] = sums{now - f.start, m.heap.minus(f.heap)}
		}
		m.open += len(open)
	}
	var all sums
	for _, n := range s.frames[0].node.children {
		all.add(m.node(parent, n, open))
	}
	// Stacks forked from s while no scope was open ran concurrently with s, under the same parent.
	for _, forked := range s.frames[0].node.forks {
		all.add(m.stack(parent, forked))
	}
	return all
}

// node adds n and everything below it as a child of parent, and returns n's sums.
func (m *merge) node(parent *Node, n *node, open openScopes) sums {
	to := parent.child(cleanName(n.name))
	stats := Stats{Calls: n.calls, Min: n.min, Max: n.max}
	sum := sums{n.total, n.heap}
	if o, ok := open[n]; ok {
		stats.Calls++
		stats.Min, stats.Max = min(n.min, o.total), max(n.max, o.total)
		sum.add(o)
	}
	var inner, forked sums
	for _, c := range n.children {
		inner.add(m.node(to, c, open))
	}
	for _, s := range n.forks {
		forked.add(m.stack(to, s))
	}
	to.Forked += forked.total
	if m.counted {
		stats.Min, stats.AllocCalls = 0, stats.Calls
		// Unlike times, the process's allocation counters include forked stacks.
		self := sum.heap.minus(inner.heap).minus(forked.heap)
		stats.Bytes, stats.Objects = sum.heap.bytes, sum.heap.objects
		stats.SelfBytes, stats.SelfObjects = max(self.bytes, 0), max(self.objects, 0)
	} else {
		stats.Total, stats.Self = sum.total, sum.total-inner.total
	}
	to.add(stats)
	return sum
}

func (s *sums) add(o sums) {
	s.total += o.total
	s.heap = s.heap.plus(o.heap)
}

// child returns the named child, adding it if it is missing.
func (n *Node) child(name string) *Node {
	for _, c := range n.Children {
		if c.Name == name {
			return c
		}
	}
	c := &Node{Name: name, Path: name}
	if n.Path != "" {
		c.Path = n.Path + "/" + name
	}
	n.Children = append(n.Children, c)
	return c
}
