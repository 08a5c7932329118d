// Package profile measures where the engine spends its time. Code marks scopes, each stack of
// scopes records its own call tree, and reading a profile merges these trees into one. The
// workloads print the result in Go benchmark format, so the later stages treat a profile like any
// other benchmark. Begin with stack.go for marking code. fork.go handles workers; merge.go, tree.go
// and write.go build and write the profile.
//
//	prof := profile.New(profile.Options{Mode: profile.Timing})
//	p := prof.Stack()
//	train(p)
//	err := prof.Tree().WriteBenchmarks(os.Stdout)
//
// Each goroutine has its own stack, passed down explicitly. The stack is nil if nothing is being
// recorded; all its methods may be called on nil:
//
//	func (m *Model) Forward(p *profile.Stack, tokens []int) {
//		defer p.Scope("Forward").End()
//		...
//		for i := range workers {
//			w := p.Fork()
//			go func() {
//				defer wait.Done()
//				defer w.Close()
//				m.layer(w, i)
//			}()
//		}
//		wait.Wait()
//	}
//
// # What the numbers mean
//
// A node of the tree is a call path, so a function that calls itself has one node for each depth,
// A, A/A, A/A/A, and the total of A counts each moment once. [Tree.Methods] combines the nodes with
// the same name. There, too, a total includes only calls outside other calls with the same name.
//
// The self time of a scope is its time minus the time of the scopes that the same stack ran
// directly inside it. It is never negative, and in a run with one stack the self times add up to
// the total. Forked stacks run concurrently with the scope that forked them, and the sum of their
// times can exceed that scope's time, so it is not subtracted. It is recorded in [Node.Forked]
// instead, and the time that a scope waits for its workers is part of its self time. For every
// node, exactly:
//
//	Total = Self + the totals of its children - Forked
//
// Bytes and objects are counted in a separate pass; see [Allocations].
package profile

import (
	"runtime"
	"sync"
	"time"
)

// A Mode selects what a profiler records: times or allocations, but never both, because counting
// allocations stops the world at both ends of each scope.
type Mode int

const (
	// Off records nothing, and all stacks are nil.
	Off Mode = iota

	// Timing records the number of calls and their times.
	Timing

	// Allocations records calls, bytes and objects, using the runtime's counters before and after
	// each scope. The counters are exact but cover the whole process, so run nothing else meanwhile
	// and use only one goroutine at a time. The profiler's own allocations are excluded.
	Allocations
)

// Options select what a profiler records. The zero Options record nothing.
type Options struct {
	Mode Mode

	// Clock returns the time since some fixed moment and must never go backwards. All stacks call
	// it. If it is nil, they use the system's monotonic clock.
	Clock func() time.Duration
}

// A Profiler holds the stacks of one profile. A nil Profiler behaves like one in mode Off.
type Profiler struct {
	mode  Mode
	clock func() time.Duration

	// mu guards the data that stacks share: the lists of forks and, in mode Allocations,
	// everything. In mode Timing, opening and closing a scope does not lock it.
	mu   sync.Mutex
	root *node // only its forks are used: the stacks returned by Stack
	heap heap
}

// New returns a profiler that has recorded nothing.
func New(o Options) *Profiler {
	return &Profiler{mode: o.Mode, clock: o.Clock, root: &node{}}
}

// Stack returns a stack for one goroutine, whose scopes are at the top of the tree. It returns nil
// if the profiler is off.
func (p *Profiler) Stack() *Stack {
	if p == nil || p.mode == Off {
		return nil
	}
	var s *Stack
	p.exclude(func() { s, _ = p.fork(nil, p.root, 0) })
	return s
}

// Reset discards all records. No goroutine may use a stack during the call. Stacks returned by
// [Profiler.Stack] start over; their open scopes are discarded as well, so ending these does
// nothing. Later records of forked stacks appear in no tree.
func (p *Profiler) Reset() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.root.forks {
		s.clear()
	}
	p.heap = heap{}
}

// heap counts allocations in mode Allocations.
type heap struct {
	stats   runtime.MemStats // buffer for ReadMemStats
	own     allocations      // made by the profiler itself
	running []*Stack         // stacks with an open scope
	overlap bool             // two stacks had open scopes and neither was forked from the other
}

// allocations counts bytes and objects, either since the start of the process or within a scope.
type allocations struct{ bytes, objects int64 }

func (a allocations) minus(b allocations) allocations {
	return allocations{a.bytes - b.bytes, a.objects - b.objects}
}

func (a allocations) plus(b allocations) allocations {
	return allocations{a.bytes + b.bytes, a.objects + b.objects}
}

// count returns the process's allocations without the profiler's own. It uses ReadMemStats because
// runtime/metrics counts small objects only once their span is full.
func (h *heap) count() allocations {
	runtime.ReadMemStats(&h.stats)
	return allocations{int64(h.stats.TotalAlloc), int64(h.stats.Mallocs)}.minus(h.own)
}

// exclude locks the profiler and runs f, whose allocations are not attributed to any scope.
func (p *Profiler) exclude(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.mode != Allocations {
		f()
		return
	}
	before := p.heap.count()
	f()
	p.heap.own = p.heap.own.plus(p.heap.count().minus(before))
}
