package kernels

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// The benchmarks below compare the kernels in package simd with their portable counterparts and
// with a copy of as many bytes as they read and write, all in one run:
//
//	go test -run '^$' -bench Vectors -count 10 ./engine/kernels | benchstat -col /impl -

// vectorSizes lists the numbers of elements in a slice or row.
var vectorSizes = []int{256, 1000, 2048, 10_000, 100_000}

func BenchmarkVectorsAdd(b *testing.B) {
	benchVectors(b, 3, func(dst, x, y, _ []float32) { Add(dst, x, y) })
}

func BenchmarkVectorsMul(b *testing.B) {
	benchVectors(b, 3, func(dst, x, y, _ []float32) { Mul(dst, x, y) })
}

func BenchmarkVectorsGELU(b *testing.B) {
	benchVectors(b, 2, func(dst, x, _, _ []float32) { GELU(dst, x) })
}

func BenchmarkVectorsGELUErf(b *testing.B) {
	benchVectors(b, 2, func(dst, x, _, _ []float32) { GELUErf(dst, x) })
}

func BenchmarkVectorsSoftmax(b *testing.B) {
	benchVectors(b, 2, func(dst, x, _, _ []float32) { Softmax(dst, x, 1, len(x)) })
}

func BenchmarkVectorsLayerNorm(b *testing.B) {
	benchVectors(b, 4, func(dst, x, y, z []float32) { LayerNorm(dst, x, y, z, 1, len(x), 1e-5) })
}

func BenchmarkVectorsGELUBackward(b *testing.B) {
	benchVectors(b, 3, func(dst, x, y, _ []float32) { GELUBackward(dst, y, x) })
}

func BenchmarkVectorsSoftmaxBackward(b *testing.B) {
	benchVectors(b, 3, func(dst, x, y, _ []float32) { SoftmaxBackward(dst, x, y, 1, len(x), 1) })
}

func BenchmarkVectorsLayerNormBackward(b *testing.B) {
	gamma, beta := make([]float32, 100_000), make([]float32, 100_000)
	benchVectors(b, 10, func(dst, x, y, z []float32) {
		n := len(x)
		LayerNormBackward(dst, gamma[:n], beta[:n], y, x, z, 1, n, 1e-5)
	})
}

func BenchmarkVectorsAdamW(b *testing.B) {
	step := AdamWStep{Beta1: 0.9, Beta2: 0.999, Rate: 1e-9, Correction: 1, Epsilon: 1e-8, Kept: 1}
	second := make([]float32, 100_000)
	benchVectors(b, 7, func(dst, x, y, _ []float32) { AdamW(y, x, dst, second[:len(x)], step) })
}

// benchVectors measures a kernel on each path, and a copy of as many bytes as the kernel reads and
// writes in the given number of slices.
func benchVectors(b *testing.B, slices int, run func(dst, x, y, z []float32)) {
	defer func(p simd.Path) { path = p }(path)
	for _, n := range vectorSizes {
		dst, x, y, z := make([]float32, n), normal(1, n, 2, 0), normal(2, n, 1, 1), normal(3, n, 1, 0)
		measure := func(impl string, run func()) {
			b.Run(fmt.Sprintf("n=%d/impl=%s", n, impl), func(b *testing.B) {
				for b.Loop() {
					run()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/element")
			})
		}
		for path = simd.Generic; path <= simd.Best(); path++ {
			measure(Path(), func() { run(dst, x, y, z) })
		}
		from, to := make([]float32, slices*n/2), make([]float32, slices*n/2)
		measure("copy", func() { copy(to, from) })
	}
}
