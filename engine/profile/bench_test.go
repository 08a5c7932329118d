package profile

import (
	"fmt"
	"sync"
	"testing"
	"time"
)

// mutexMap is a classic scope profiler for comparison: it has one lock, one map from names to
// statistics, and a slice as the stack. All goroutines share the stack, so it records names but no
// call paths.
type mutexMap struct {
	mu      sync.Mutex
	enabled bool
	stats   map[string]*mutexMapStats
	stack   []mutexMapFrame
}

type mutexMapStats struct {
	calls           int64
	total, min, max time.Duration
}

type mutexMapFrame struct {
	name  string
	start time.Time
}

func (m *mutexMap) begin(name string) *mutexMap {
	if !m.enabled {
		return nil
	}
	m.mu.Lock()
	m.stack = append(m.stack, mutexMapFrame{name, time.Now()})
	m.mu.Unlock()
	return m
}

func (m *mutexMap) end() {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	f := m.stack[len(m.stack)-1]
	m.stack = m.stack[:len(m.stack)-1]
	d := time.Since(f.start)
	s, ok := m.stats[f.name]
	if !ok {
		s = &mutexMapStats{min: d}
		m.stats[f.name] = s
	}
	s.calls++
	s.total += d
	s.min, s.max = min(s.min, d), max(s.max, d)
}

// The functions below are profiled to a depth of 1 or 3, and all do the same work. They must not be
// inlined, because a function with defer is not inlined either.

// work does about 20 ns of arithmetic. Smaller functions are not worth a scope.
func work(x uint64) uint64 {
	for range 16 {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	return x
}

//go:noinline
func plain(x uint64, depth int) uint64 {
	if depth > 1 {
		x = plain(x, depth-1)
	}
	return work(x)
}

//go:noinline
func deferred(x uint64, depth int) uint64 {
	defer nothing()
	if depth > 1 {
		x = deferred(x, depth-1)
	}
	return work(x)
}

//go:noinline
func nothing() {}

//go:noinline
func scoped(p *Stack, x uint64, depth int) uint64 {
	defer p.Scope("Scoped").End()
	if depth > 1 {
		x = scoped(p, x, depth-1)
	}
	return work(x)
}

//go:noinline
func straight(p *Stack, x uint64, depth int) uint64 {
	scope := p.Scope("Scoped")
	if depth > 1 {
		x = straight(p, x, depth-1)
	}
	x = work(x)
	scope.End()
	return x
}

//go:noinline
func named(p *Stack, x uint64, depth int) uint64 {
	defer p.Func().End()
	if depth > 1 {
		x = named(p, x, depth-1)
	}
	return work(x)
}

//go:noinline
func mapped(m *mutexMap, x uint64, depth int) uint64 {
	defer m.begin("Scoped").end()
	if depth > 1 {
		x = mapped(m, x, depth-1)
	}
	return work(x)
}

var sink uint64

// BenchmarkScope measures one operation of depth nested scopes. The cost of a scope is the
// difference from impl=none, the same work without scopes, divided by depth. impl=defer shows how
// much of it is due to the defer statement.
func BenchmarkScope(b *testing.B) {
	on := func() *Stack { return New(Options{Mode: Timing}).Stack() }
	for _, depth := range []int{1, 3} {
		run := func(impl, mode string, op func(x uint64) uint64) {
			b.Run(fmt.Sprintf("impl=%s/mode=%s/depth=%d", impl, mode, depth), func(b *testing.B) {
				b.ReportAllocs()
				x := uint64(1)
				for b.Loop() {
					x = op(x)
				}
				sink = x
			})
		}
		run("none", "off", func(x uint64) uint64 { return plain(x, depth) })
		run("defer", "off", func(x uint64) uint64 { return deferred(x, depth) })
		for _, mode := range []string{"off", "on"} {
			var p *Stack
			if mode == "on" {
				p = on()
			}
			m := &mutexMap{enabled: mode == "on", stats: map[string]*mutexMapStats{}}
			run("straight", mode, func(x uint64) uint64 { return straight(p, x, depth) })
			run("scope", mode, func(x uint64) uint64 { return scoped(p, x, depth) })
			run("func", mode, func(x uint64) uint64 { return named(p, x, depth) })
			run("mutexmap", mode, func(x uint64) uint64 { return mapped(m, x, depth) })
		}
	}
}

// BenchmarkParallel measures the same on as many goroutines as GOMAXPROCS. Each goroutine has its
// own stack, except with mutexMap, where all goroutines share one.
func BenchmarkParallel(b *testing.B) {
	const depth = 3
	b.Run("impl=none/mode=off", func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			x := uint64(1)
			for pb.Next() {
				x = plain(x, depth)
			}
			keep(x)
		})
	})
	b.Run("impl=scope/mode=on", func(b *testing.B) {
		p := New(Options{Mode: Timing}).Stack()
		var mu sync.Mutex // RunParallel has no place to fork before its goroutines start
		b.RunParallel(func(pb *testing.PB) {
			mu.Lock()
			worker := p.Fork()
			mu.Unlock()
			defer worker.Close()
			x := uint64(1)
			for pb.Next() {
				x = scoped(worker, x, depth)
			}
			keep(x)
		})
	})
	b.Run("impl=mutexmap/mode=on", func(b *testing.B) {
		m := &mutexMap{enabled: true, stats: map[string]*mutexMapStats{}}
		b.RunParallel(func(pb *testing.PB) {
			x := uint64(1)
			for pb.Next() {
				x = mapped(m, x, depth)
			}
			keep(x)
		})
	})
}

// keep uses x, so that its computation cannot be optimized away.
//
//go:noinline
func keep(uint64) {}

// BenchmarkClock measures one reading of the clock; each scope needs two.
func BenchmarkClock(b *testing.B) {
	s := New(Options{Mode: Timing}).Stack()
	var d time.Duration
	for b.Loop() {
		d = s.now()
	}
	sink = uint64(d)
}
