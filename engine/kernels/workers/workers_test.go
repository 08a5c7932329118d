package workers

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// squares is a task whose parts write one element each.
type squares []int

func (s squares) Do(part int) { s[part] += part*part + 1 }

func (s squares) check(t *testing.T, times int) {
	t.Helper()
	for i, v := range s {
		if v != times*(i*i+1) {
			t.Fatalf("part %d of %d has %d, want %d", i, len(s), v, times*(i*i+1))
		}
	}
}

// Pools of all sizes do every part once, whether their helpers are asleep or not. With -race, the
// test also checks that the parts' writes are visible after Run.
func TestRunDoesEveryPartOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 3, 8} {
		p := New(threads)
		if got, want := p.Threads(), max(threads, 1); got != want {
			t.Errorf("%d threads, want %d", got, want)
		}
		for _, parts := range []int{0, 1, 2, 7, 100} {
			s := make(squares, parts)
			for times := range 30 {
				p.Run(s, parts)
				s.check(t, times+1)
				if times%10 == 9 {
					time.Sleep(2 * spin)
				}
			}
		}
		p.Close()
		s := make(squares, 5)
		p.Run(s, 5) // still works, without helpers
		s.check(t, 1)
		p.Close()
	}
	var none *Pool
	s := make(squares, 5)
	none.Run(s, 5)
	s.check(t, 1)
	if none.Close(); none.Threads() != 1 {
		t.Errorf("a nil pool has %d threads", none.Threads())
	}
}

// Callers sharing a pool do not wait for each other's tasks, and a task can itself run another
// task.
func TestRunByMany(t *testing.T) {
	p := New(3)
	defer p.Close()
	var callers sync.WaitGroup
	for range 4 {
		callers.Add(1)
		go func() {
			defer callers.Done()
			for range 200 {
				s := make(squares, 9)
				p.Run(s, len(s))
				s.check(t, 1)
			}
		}()
	}
	callers.Wait()
	n := &nested{pool: p}
	p.Run(n, 4)
	if got := n.done.Load(); got != 12 {
		t.Errorf("%d inner parts were done, want 12", got)
	}
}

type nested struct {
	pool *Pool
	done atomic.Int64
}

func (n *nested) Do(int) { n.pool.Run(counter{&n.done}, 3) }

type counter struct{ n *atomic.Int64 }

func (c counter) Do(int) { c.n.Add(1) }

// rendezvous is a task whose parts wait for each other.
type rendezvous struct{ sync.WaitGroup }

func (r *rendezvous) Do(int) {
	r.Done()
	r.Wait()
}

// The parts run at the same time, even if the helpers were asleep.
func TestHelpersHelp(t *testing.T) {
	p := New(3)
	defer p.Close()
	for range 5 {
		r := new(rendezvous)
		r.Add(3)
		p.Run(r, 3)
		for _, h := range p.helpers {
			waitFor(t, h, asleep)
		}
	}
}

// waitFor waits until the helper is in the given state. A helper without a task always falls
// asleep.
func waitFor(t *testing.T, h *helper, state uint32) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); h.state.Load() != state; {
		if time.Now().After(deadline) {
			t.Fatalf("the helper's state is %d after 20 s, want %d", h.state.Load(), state)
		}
		time.Sleep(spin)
	}
}

// A pool completes its tasks even if all its threads share one processor.
func TestOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	p := New(4)
	defer p.Close()
	for range 100 {
		s := make(squares, 10)
		p.Run(s, len(s))
		s.check(t, 1)
	}
}

func TestRunAllocatesNothing(t *testing.T) {
	p := New(2)
	defer p.Close()
	s := &counter{new(atomic.Int64)}
	if n := testing.AllocsPerRun(100, func() { p.Run(s, 4) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkRun measures the cost of handing over a task.
func BenchmarkRun(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			p := New(threads)
			defer p.Close()
			s := &counter{new(atomic.Int64)}
			for b.Loop() {
				p.Run(s, 2)
			}
		})
	}
}
