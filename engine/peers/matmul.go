package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/kernels/workers"
)

// goalsOf returns the goals for a product of n x n matrices, as fractions of the peak and of
// OpenBLAS.
func goalsOf(n int) (ofPeak, ofOpenBLAS goal) {
	switch {
	case kernels.Path() == "avx2":
		return goal{speed: 0.85}, goal{}
	case kernels.Path() != "avx512":
		return goal{}, goal{}
	case n == 64 || n == 1024:
		return goal{speed: 0.86}, goal{speed: 0.93}
	case n == 256:
		return goal{speed: 0.92}, goal{speed: 1}
	}
	return goal{speed: 0.92}, goal{speed: 0.97}
}

func (b *bench) matMuls() {
	for _, n := range []int{64, 128, 256, 512, 1024} {
		what := fmt.Sprintf("MatMul %d", n)
		if !b.wants(what) {
			continue
		}
		all := append(b.products(n, n, n), peak())
		if n <= 512 { // for larger matrices, one call takes too long for a turn
			all = append(all, gonumProduct(n))
		}
		if b.ggml.create != nil {
			all = append(all, b.ggmlProduct(n))
		}
		(&contest{contestants: all}).run(b.length)
		ofPeak, ofOpenBLAS := goalsOf(n)
		for _, peer := range all[1:] {
			switch peer.name {
			case "FMA peak":
				// Compare rates instead of times, because a call of peak does a different amount of
				// work.
				b.ratio(what, gflops(all[0]), peer.name, gflops(peer), all[0].rate()/peer.rate(), ofPeak)
			case "OpenBLAS":
				b.compare(what, all[0], peer, ofOpenBLAS, gflops)
			default:
				b.compare(what, all[0], peer, goal{}, gflops)
			}
		}
	}
}

// matMulsOnTwo measures products on two threads against the peak of two cores, taken as twice the
// peak of one.
func (b *bench) matMulsOnTwo() {
	pool := workers.New(2)
	defer pool.Close()
	for _, n := range []int{128, 256, 512, 1024} {
		what := fmt.Sprintf("MatMul %d, 2 threads", n)
		if runtime.GOMAXPROCS(0) < 2 || !b.wants(what) {
			continue
		}
		dst, x, y := make([]float32, n*n), normal(n*n), normal(n*n)
		all := []*contestant{{name: "ours", flops: 2 * float64(n) * float64(n) * float64(n), run: func(times int) {
			for range times {
				kernels.ParallelMatMul(pool, dst, x, y, n, n, n)
			}
		}}, peak()}
		(&contest{contestants: all, threads: 2}).run(b.length)
		least := goal{speed: 0.75}
		if n == 256 || n == 512 {
			least.speed = 0.85
		}
		if kernels.Path() != "avx512" {
			least = goal{}
		}
		b.ratio(what, gflops(all[0]), "FMA peak of two cores", fmt.Sprintf("%.1f GFLOPS", 2*all[1].rate()), all[0].rate()/(2*all[1].rate()), least)
	}
}

// products returns contestants that multiply random matrices: ours and those of the BLAS libraries.
func (b *bench) products(m, k, n int) []*contestant {
	dst, x, y := make([]float32, m*n), normal(m*k), normal(k*n)
	flops := 2 * float64(m) * float64(k) * float64(n)
	all := []*contestant{{name: "ours", flops: flops, run: func(times int) {
		for range times {
			kernels.MatMul(dst, x, y, m, k, n)
		}
	}}}
	for _, l := range b.blas {
		all = append(all, &contestant{name: l.name, flops: flops, run: func(times int) { sgemm(l.gemm, times, m, k, n, dst, x, y) }})
	}
	return all
}

func gonumProduct(n int) *contestant {
	dst, x, y := make([]float32, n*n), normal(n*n), normal(n*n)
	return &contestant{name: "gonum", flops: 2 * float64(n) * float64(n) * float64(n), run: func(times int) {
		for range times {
			gonum.Implementation{}.Sgemm(blas.NoTrans, blas.NoTrans, n, n, n, 1, x, n, y, n, 0, dst, n)
		}
	}}
}

// randomMatMuls measures 200 random shapes, the same in every run.
func (b *bench) randomMatMuls() {
	const shapes, most = 200, 700
	if !b.wants("MatMul of random shapes") || len(b.blas) == 0 || b.blas[0].name != "OpenBLAS" {
		return
	}
	r := rand.New(rand.NewPCG(17, 0))
	logs, least, worst := 0.0, math.Inf(1), ""
	for range shapes {
		m, k, n := 1+r.IntN(most), 1+r.IntN(most), 1+r.IntN(most)
		all := b.products(m, k, n)[:2]
		(&contest{contestants: all}).run(min(b.length, 10*time.Millisecond))
		ratio := all[1].median() / all[0].median()
		logs += math.Log(ratio)
		if ratio < least {
			least, worst = ratio, fmt.Sprintf("%dx%dx%d: %s", m, k, n, gflops(all[0]))
		}
	}
	var mean, low goal
	if kernels.Path() == "avx512" {
		mean, low = goal{speed: 0.95}, goal{speed: 0.6}
	}
	what := fmt.Sprintf("MatMul, %d random shapes of 1 to %d", shapes, most)
	b.ratio(what+", geometric mean", "", "OpenBLAS", "", math.Exp(logs/shapes), mean)
	b.ratio(what+", the least", worst, "OpenBLAS", "", least, low)
}

// normal returns n normally distributed random numbers, the same for the same n.
func normal(n int) []float32 {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(r.NormFloat64())
	}
	return s
}
