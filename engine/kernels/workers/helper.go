package workers

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A helper represents one of a pool's goroutines to the callers of the pool.
type helper struct {
	state atomic.Uint32
	wake  chan struct{} // wakes the helper if it is asleep
	_     [64]byte      // keeps the state of other helpers out of this cache line
}

// These are the states of a helper. A caller changes idle or asleep to called, and back to idle if
// the helper has not started by the time the task is done. The helper itself changes to working,
// idle and asleep.
const (
	idle uint32 = iota
	called
	working
	asleep
	closed
)

// spin is how long a helper waits before it goes to sleep. It is longer than the pause between two
// products of a model, but too short to waste a noticeable amount of processor time.
const spin = 50 * time.Microsecond

func newHelper() *helper { return &helper{wake: make(chan struct{}, 1)} }

// tell sets the state and wakes the helper if it is asleep.
func (h *helper) tell(state uint32) {
	if h.state.Swap(state) == asleep {
		h.wake <- struct{}{}
	}
}

// help is the function that a helper's goroutine runs.
func (p *Pool) help(h *helper) {
	defer p.ended.Done()
	for h.await() {
		p.work()
		h.state.Store(idle)
	}
}

// await returns true once the helper has been called and has switched to working, or false if it
// should end.
func (h *helper) await() bool {
	start := time.Now()
	for tries := 1; ; tries++ {
		switch h.state.Load() {
		case called:
			if h.state.CompareAndSwap(called, working) {
				return true
			}
		case closed:
			return false
		}
		pause(10)
		if tries%16 != 0 {
			continue
		}
		runtime.Gosched() // let goroutines waiting for a processor run first
		if time.Since(start) > spin && h.state.CompareAndSwap(idle, asleep) {
			<-h.wake
			start = time.Now()
		}
	}
}
