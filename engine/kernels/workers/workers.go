// Package workers lets a few goroutines share the parts of a task that takes only microseconds,
// which is too short to be worth starting goroutines. The kernels use it to divide their work into
// parts whose results do not depend on which goroutine computes them.
//
// Begin with Pool; helper.go contains the goroutines of a pool.
package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Task is work that consists of independent parts.
type Task interface {
	Do(part int)
}

// A Pool consists of goroutines, called helpers, that help its callers with their tasks. After a
// task, they spin for some microseconds while they wait for the next one, and then they sleep. In a
// busy program they are therefore available immediately, and in an idle one they cost nothing. A
// nil Pool has no helpers.
type Pool struct {
	helpers []*helper
	busy    sync.Mutex // held while a task runs
	ended   sync.WaitGroup

	// The current task. A helper reads these fields only after its state has changed to working.
	task  Task
	parts int64
	next  atomic.Int64 // the next part not taken yet
}

// New returns a pool of the given number of threads, including the caller's own. With fewer than 2
// threads the pool has no helpers.
func New(threads int) *Pool {
	p := &Pool{}
	for range threads - 1 {
		h := newHelper()
		p.helpers = append(p.helpers, h)
		p.ended.Add(1)
		go p.help(h)
	}
	return p
}

// Threads returns the largest number of goroutines that can share a task, including the caller's.
func (p *Pool) Threads() int {
	if p == nil {
		return 1
	}
	return 1 + len(p.helpers)
}

// Close ends the pool's goroutines and waits for them. The pool can still be used afterwards,
// without helpers.
func (p *Pool) Close() {
	if p == nil {
		return
	}
	p.busy.Lock()
	defer p.busy.Unlock()
	for _, h := range p.helpers {
		h.tell(closed)
	}
	p.helpers = nil
	p.ended.Wait()
}

// Run runs all parts of the task, 0 to parts-1, and returns when they are done. It allocates
// nothing. If the helpers are busy with another task, as when a task calls Run, t runs without
// them. Run does not wait for helpers that have not started in time.
func (p *Pool) Run(t Task, parts int) {
	if p == nil || parts < 2 || !p.busy.TryLock() {
		for part := range parts {
			t.Do(part)
		}
		return
	}
	defer p.busy.Unlock()
	p.task, p.parts = t, int64(parts)
	p.next.Store(0)
	used := p.helpers[:min(len(p.helpers), parts-1)]
	for _, h := range used {
		h.tell(called)
	}
	defer p.finish(used)
	p.work()
}

// work runs parts until the last one is taken.
func (p *Pool) work() {
	for {
		part := p.next.Add(1) - 1
		if part >= p.parts {
			return
		}
		p.task.Do(int(part))
	}
}

// finish cancels the helpers that have not started and waits for the others.
func (p *Pool) finish(used []*helper) {
	for _, h := range used {
		if h.state.CompareAndSwap(called, idle) {
			continue
		}
		for tries := 0; h.state.Load() == working; tries++ {
			if tries < 64 {
				pause(20)
			} else {
				runtime.Gosched()
			}
		}
	}
	p.task = nil
}
