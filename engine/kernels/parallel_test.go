package kernels

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels/workers"
	"pgregory.net/rapid"
)

// The bits of a product do not depend on the number of threads.
func TestParallelProducts(t *testing.T) { onEachPath(t, testParallelProducts) }

func testParallelProducts(t *testing.T) {
	var pools []*workers.Pool
	for threads := range 5 {
		pools = append(pools, workers.New(threads))
		defer pools[threads].Close()
	}
	rapid.Check(t, func(t *rapid.T) {
		pool := rapid.SampledFrom(pools).Draw(t, "pool")
		m, k, n := rapid.IntRange(1, 20).Draw(t, "m"), rapid.IntRange(1, 60).Draw(t, "k"), rapid.IntRange(1, 300).Draw(t, "n")
		if rapid.Bool().Draw(t, "row") {
			m = 1
		}
		seed := rapid.Uint64().Draw(t, "seed")
		a, b := normal(seed, m*k, 1, 0), normal(seed+1, k*n, 1, 0)
		dst, want := filled(m*n, nan), filled(m*n, nan)
		MatMul(want, a, b, m, k, n)
		runProduct(pool, product{dst: dst, a: a, b: b, m: m, k: k, n: n})
		if !sameBits(dst, want) {
			t.Fatalf("%dx%d*%dx%d on %d threads: %v, want %v", m, k, k, n, pool.Threads(), dst, want)
		}
	})
}

// The sizes include products that are divided among threads and products that are not.
func TestParallelMatMul(t *testing.T) { onEachPath(t, testParallelMatMul) }

func testParallelMatMul(t *testing.T) {
	pool := workers.New(2)
	defer pool.Close()
	for _, s := range [][3]int{{8, 8, 8}, {90, 91, 92}, {200, 150, 40}, {1, 30, 40}, {1, 200, 333}} {
		m, k, n := s[0], s[1], s[2]
		a, b := normal(1, m*k, 1, 0), normal(2, k*n, 1, 0)
		dst, want := filled(m*n, nan), filled(m*n, nan)
		MatMul(want, a, b, m, k, n)
		ParallelMatMul(pool, dst, a, b, m, k, n)
		if !sameBits(dst, want) {
			t.Errorf("%v: not the bits of MatMul", s)
		}
		if m == 1 {
			clear(dst)
			if ParallelVectorMatMul(pool, dst, a, b, k, n); !sameBits(dst, want) {
				t.Errorf("%v: a row has not the bits of MatMul", s)
			}
		}
		if got := testing.AllocsPerRun(5, func() { ParallelMatMul(pool, dst, a, b, m, k, n) }); got != 0 {
			t.Errorf("%v: %v allocations", s, got)
		}
	}
}

// BenchmarkParallelMatMul measures products of BenchmarkMatMul's sizes, and a larger one, on one
// thread and on two.
func BenchmarkParallelMatMul(b *testing.B) {
	for _, n := range []int{64, 128, 256, 512, 1024} {
		x, y, z := normal(1, n*n, 1, 0), normal(2, n*n, 1, 0), make([]float32, n*n)
		for threads := 1; threads <= 2; threads++ {
			b.Run(fmt.Sprintf("n=%d/threads=%d", n, threads), func(b *testing.B) {
				pool := workers.New(threads)
				defer pool.Close()
				for b.Loop() {
					ParallelMatMul(pool, z, x, y, n, n, n)
				}
				b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}
