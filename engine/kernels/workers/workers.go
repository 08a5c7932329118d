// Package workers lets a few goroutines share the parts of a task that takes microseconds: too
// short to start a goroutine for. It stands below the kernels, which cut their work into parts
// whose results do not depend on who computes them.
//
// Begin with Pool; helper.go is what the other goroutines do while there is nothing for them.
package workers

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A Task is work in parts that are independent of each other.
type Task interface {
	Do(part int)
}

// A Pool is goroutines that help its callers. They wait for the next task for some
// microseconds at full speed and then sleep: between the calls of a busy program they are there
// at once, and in an idle one they cost nothing. A nil Pool has no helpers.
type Pool struct {
	helpers []*helper
	busy    sync.Mutex // held while a task runs
	ended   sync.WaitGroup

	// The task that runs. The helpers read it after their state told them to.
	task  Task
	parts int64
	next  atomic.Int64 // the part that nobody has taken
}

// New returns a pool of so many threads, one of them the caller's own. Fewer than 2 need no
// pool: it then has no helpers.
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

// Threads is how many goroutines share a task at most, the caller's included.
func (p *Pool) Threads() int {
	if p == nil {
		return 1
	}
	return 1 + len(p.helpers)
}

// Close ends the pool's goroutines and returns when they have. The pool goes on working, without
// helpers.
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

// Run does all parts of the task, 0 to parts-1, and returns when they are done. It allocates
// nothing. Where another caller has the helpers, the task runs without; a task may itself run
// one. A helper that does not come in time is not waited for.
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

// work does parts until all are taken.
func (p *Pool) work() {
	for {
		part := p.next.Add(1) - 1
		if part >= p.parts {
			return
		}
		p.task.Do(int(part))
	}
}

// finish calls off the helpers that have not begun and waits for the others.
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
