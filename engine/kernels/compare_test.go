package kernels

import (
	"fmt"
	"math"
	"testing"
)

// The benchmarks below measure a kernel and a straightforward implementation of it in the same run,
// so that the ratio can be found on any machine:
//
//	go test -run '^$' -bench . -count 10 ./engine/kernels | benchstat -col /impl -

func BenchmarkMatMul(b *testing.B) {
	for _, n := range []int{64, 128, 256, 512} {
		x, y, dst := normal(1, n*n, 1, 0), normal(2, n*n, 1, 0), make([]float32, n*n)
		for _, impl := range []struct {
			name string
			run  func(dst, a, b []float32, m, k, n int)
		}{{"blocked", MatMul}, {"naive", naiveMatMul}} {
			b.Run(fmt.Sprintf("n=%d/impl=%s", n, impl.name), func(b *testing.B) {
				for b.Loop() {
					impl.run(dst, x, y, n, n, n)
				}
				b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}

func BenchmarkGELU(b *testing.B) {
	const n = 10_000
	src, dst := normal(1, n, 1, 0), make([]float32, n)
	for _, impl := range []struct {
		name string
		run  func(dst, src []float32)
	}{
		{"form=tanh/impl=table", GELU},
		{"form=tanh/impl=math", mathGELU},
		{"form=erf/impl=table", GELUErf},
		{"form=erf/impl=math", mathGELUErf},
	} {
		b.Run(impl.name, func(b *testing.B) {
			for b.Loop() {
				impl.run(dst, src)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/element")
		})
	}
}

func BenchmarkSoftmax(b *testing.B) {
	for _, n := range []int{256, 2048} {
		src, dst := normal(1, n, 1, 0), make([]float32, n)
		for _, impl := range []struct {
			name string
			run  func(dst, src []float32)
		}{
			{"table", func(dst, src []float32) { Softmax(dst, src, 1, len(src)) }},
			{"math", mathSoftmax},
		} {
			b.Run(fmt.Sprintf("n=%d/impl=%s", n, impl.name), func(b *testing.B) {
				for b.Loop() {
					impl.run(dst, src)
				}
			})
		}
	}
}

// naiveMatMul nests its loops in the order i, p, j, the fastest order without blocking.
func naiveMatMul(dst, a, b []float32, m, k, n int) {
	clear(dst)
	for i := range m {
		d := dst[i*n:][:n]
		for p := range k {
			x, row := a[i*k+p], b[p*n:][:n]
			for j := range d {
				d[j] += x * row[j]
			}
		}
	}
}

func mathGELU(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		dst[i] = float32(0.5 * x * (1 + math.Tanh(math.Sqrt2/math.SqrtPi*(x+0.044715*x*x*x))))
	}
}

func mathGELUErf(dst, src []float32) {
	for i, v := range src {
		x := float64(v)
		dst[i] = float32(0.5 * x * (1 + math.Erf(x/math.Sqrt2)))
	}
}

func mathSoftmax(dst, src []float32) {
	top, sum := largest(src), 0.0
	for i, v := range src {
		e := math.Exp(float64(v - top))
		dst[i] = float32(e)
		sum += e
	}
	for i := range dst {
		dst[i] /= float32(sum)
	}
}
