package kernels

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// VectorMatMul has the error bound of MatMul and gives the same bits. Decoding with a cache relies
// on this.
func TestVectorMatMul(t *testing.T) { onEachPath(t, testVectorMatMul) }

func testVectorMatMul(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(0, 2*depthBlock+9).Draw(t, "k")
		n := rapid.IntRange(0, widthBlock+40).Draw(t, "n")
		seed := rapid.Uint64().Draw(t, "seed")
		x, b := normal(seed, k, 1, 0), normal(seed+1, k*n, 1, 0)
		dst, product := filled(n, nan), filled(n, nan)
		VectorMatMul(dst, x, b, k, n)
		want, magnitude := refMatMul(x, b, 1, k, n)
		for j, v := range want {
			within(t, fmt.Sprintf("%d*%dx%d element %d", k, k, n, j), dst[j], v, gamma(k)*magnitude[j])
		}
		if MatMul(product, x, b, 1, k, n); !sameBits(dst, product) {
			t.Fatalf("%d*%dx%d: %v, MatMul %v", k, k, n, dst, product)
		}
	})
}

// VectorMatMul gives the same bits as the rows of a larger product, whether MatMul computes those
// rows in pairs or alone.
func TestVectorMatMulIsARowOfMatMul(t *testing.T) { onEachPath(t, testVectorMatMulIsARowOfMatMul) }

func testVectorMatMulIsARowOfMatMul(t *testing.T) {
	const m, k, n = 5, 2*depthBlock + 3, widthBlock + 7
	a, b, product := normal(1, m*k, 1, 0), normal(2, k*n, 1, 0), make([]float32, m*n)
	MatMul(product, a, b, m, k, n)
	for i := range m {
		dst := filled(n, nan)
		if VectorMatMul(dst, a[i*k:][:k], b, k, n); !sameBits(dst, product[i*n:][:n]) {
			t.Errorf("row %d differs", i)
		}
	}
}

func TestVectorMatMulPanics(t *testing.T) {
	f := func(n int) []float32 { return make([]float32, n) }
	buf := f(12)
	for _, tc := range []struct {
		call func()
		want string
	}{
		{func() { VectorMatMul(f(3), f(2), f(8), 2, 4) }, "kernels.VectorMatMul: dst has 3 elements, want 4"},
		{func() { VectorMatMul(f(4), f(3), f(8), 2, 4) }, "kernels.VectorMatMul: x has 3 elements, want 2"},
		{func() { VectorMatMul(f(4), f(2), f(9), 2, 4) }, "kernels.VectorMatMul: b has 9 elements, want 2x4"},
		{func() { VectorMatMul(buf[:4], buf[3:5], f(8), 2, 4) }, "kernels.VectorMatMul: dst (4 elements) overlaps x (2 elements)"},
		{func() { VectorMatMul(buf[:4], f(2), buf[3:11], 2, 4) }, "kernels.VectorMatMul: dst (4 elements) overlaps b (8 elements)"},
	} {
		func() {
			defer func() {
				if got := recover(); got != tc.want {
					t.Errorf("panic %v, want %s", got, tc.want)
				}
			}()
			tc.call()
		}()
	}
}

// BenchmarkVectorMatMul multiplies a vector by 16 MiB of matrices, more than a second-level cache
// holds. It compares VectorMatMul with MatMul on one row.
func BenchmarkVectorMatMul(b *testing.B) {
	const k, n, matrices = 256, 1024, 16
	weights := normal(1, matrices*k*n, 1, 0)
	x, dst := normal(2, k, 1, 0), make([]float32, n)
	for _, impl := range []struct {
		name string
		run  func(dst, x, w []float32)
	}{
		{"streamed", func(dst, x, w []float32) { VectorMatMul(dst, x, w, k, n) }},
		{"blocked", func(dst, x, w []float32) { MatMul(dst, x, w, 1, k, n) }},
	} {
		b.Run("impl="+impl.name, func(b *testing.B) {
			for b.Loop() {
				for i := range matrices {
					impl.run(dst, x, weights[i*k*n:][:k*n])
				}
			}
			b.ReportMetric(2*k*n*matrices*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
		})
	}
}
