package workers

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A helper is one of a pool's goroutines, as its callers see it.
type helper struct {
	state atomic.Uint32
	wake  chan struct{} // for one that is asleep
	_     [64]byte      // so that no other's state shares the line of the cache
}

// What a helper does. Callers go from idle or asleep to called, and back where it has not begun;
// the helper goes to working, idle and asleep.
const (
	idle uint32 = iota
	called
	working
	asleep
	closed
)

// spin is how long a helper waits before it sleeps: longer than what lies between two products
// of a model, and short enough for nobody to notice.
const spin = 50 * time.Microsecond

func newHelper() *helper { return &helper{wake: make(chan struct{}, 1)} }

// tell sets the state, and wakes the helper if it is asleep.
func (h *helper) tell(state uint32) {
	if h.state.Swap(state) == asleep {
		h.wake <- struct{}{}
	}
}

// help is what the goroutine of a helper runs.
func (p *Pool) help(h *helper) {
	defer p.ended.Done()
	for h.await() {
		p.work()
		h.state.Store(idle)
	}
}

// await returns true when the helper was called and is now working, false when it is to end.
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
		runtime.Gosched() // whoever waits for a processor comes first
		if time.Since(start) > spin && h.state.CompareAndSwap(idle, asleep) {
			<-h.wake
			start = time.Now()
		}
	}
}
