// Package profile says where the time of the engine goes: code marks scopes,
// each stack of scopes keeps its own call tree, and reading merges them into
// one. It stands at the head of the flow engine -> runner -> store -> compare
// -> reports: the workloads print its rows in Go benchmark format, and all that
// comes after sees a profile as it sees any benchmark. Begin with stack.go, which
// is what code calls; merge.go, tree.go and write.go are for readers of a profile,
// fork.go is about workers.
//
//	prof := profile.New(profile.Options{Mode: profile.Timing})
//	p := prof.Stack()
//	train(p)
//	err := prof.Tree().WriteBenchmarks(os.Stdout)
//
// A stack is passed down by hand, one for each goroutine, and is nil when
// nothing is recorded; all its methods may be called on nil:
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
// A node of the tree is a call path, so a function that calls itself has one
// node for each depth, A, A/A, A/A/A, and the total of A counts each moment
// once. [Tree.Methods] gathers the nodes of one name; there too a total counts
// only the calls that are not inside another call of that name.
//
// The self time of a scope is its time less the time of the scopes that the same
// stack ran directly in it. It is never negative, and in a run with one stack
// the self times add up to the total. Forked stacks run beside the scope they
// were forked in, together perhaps for longer than it took, so their time is
// not taken off: it stands in [Node.Forked], and a scope that waits for its
// workers has that wait in its self time. For every node, exactly:
//
//	Total = Self + the totals of its children - Forked
//
// Bytes and objects are counted in a pass of their own, see [Allocations].
package profile

import (
	"runtime"
	"sync"
	"time"
)

// A Mode is what a profiler records: times or allocations, never both, because
// counting allocations stops the world at both ends of each scope.
type Mode int

const (
	// Off records nothing: stacks are nil.
	Off Mode = iota

	// Timing records calls and times.
	Timing

	// Allocations records calls, bytes and objects, from the counters of the
	// runtime before and after each scope. Those are exact but count for the
	// whole process: run nothing else meanwhile and only one goroutine at a time.
	// What the profiler allocates for itself is left out.
	Allocations
)

// Options say what a profiler records. The zero Options record nothing.
type Options struct {
	Mode Mode

	// Clock returns the time since some fixed moment and never goes back. It is
	// called by all stacks. Nil is the monotonic clock of the system.
	Clock func() time.Duration
}

// A Profiler holds the stacks of one profile. A nil Profiler is Off.
type Profiler struct {
	mode  Mode
	clock func() time.Duration

	// mu guards what stacks share: the lists of forks, and in mode Allocations
	// everything, which no scope enters otherwise.
	mu   sync.Mutex
	root *node // its forks are the stacks of Stack; it has nothing else
	heap heap
}

// New returns a profiler without any scopes.
func New(o Options) *Profiler {
	return &Profiler{mode: o.Mode, clock: o.Clock, root: &node{}}
}

// Stack returns a stack for one goroutine whose scopes are at the top of the
// tree; nil if the profiler is off.
func (p *Profiler) Stack() *Stack {
	if p == nil || p.mode == Off {
		return nil
	}
	var s *Stack
	p.exclude(func() { s, _ = p.fork(nil, p.root, 0) })
	return s
}

// Reset forgets everything that was recorded. No goroutine may be using a stack
// meanwhile. Stacks of [Profiler.Stack] go on from nothing, and what they had
// open is forgotten too: its End does nothing. Forked stacks are spent: what
// they record from then on is in no tree.
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

// heap counts allocations and who is being counted, in mode Allocations.
type heap struct {
	stats   runtime.MemStats // scratch
	own     allocations      // by the profiler itself
	running []*Stack         // have a scope open
	overlap bool             // two stacks were open of which neither waits for the other
}

// allocations are counted since the start of the process, or in a scope.
type allocations struct{ bytes, objects int64 }

func (a allocations) minus(b allocations) allocations {
	return allocations{a.bytes - b.bytes, a.objects - b.objects}
}

func (a allocations) plus(b allocations) allocations {
	return allocations{a.bytes + b.bytes, a.objects + b.objects}
}

// count returns what the process has allocated, all but the profiler. It uses
// ReadMemStats and not runtime/metrics, which sees small objects only when the
// span they are in is full.
func (h *heap) count() allocations {
	runtime.ReadMemStats(&h.stats)
	return allocations{int64(h.stats.TotalAlloc), int64(h.stats.Mallocs)}.minus(h.own)
}

// exclude locks the profiler and runs f, whose allocations count for no scope.
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
