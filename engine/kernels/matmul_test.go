package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

type matMulShape struct{ m, k, n int }

func (s matMulShape) String() string { return fmt.Sprintf("%dx%d*%dx%d", s.m, s.k, s.k, s.n) }

// checkMatMul checks that one product differs from the float64 reference by no more than the bound
// that MatMul documents: gamma_k times the sum of the terms' magnitudes.
func checkMatMul(t interface {
	Helper()
	Fatalf(string, ...any)
}, s matMulShape, seed uint64) {
	t.Helper()
	a := normal(seed, s.m*s.k, 1, 0)
	b := normal(seed+1, s.k*s.n, 1, 0)
	dst := filled(s.m*s.n, nan)
	MatMul(dst, a, b, s.m, s.k, s.n)
	want, magnitude := refMatMul(a, b, s.m, s.k, s.n)
	gamma := float64(s.k) * unit / (1 - float64(s.k)*unit)
	for i := range dst {
		within(t, fmt.Sprintf("%v element %d", s, i), dst[i], want[i], gamma*magnitude[i])
	}
}

// The sizes are at and around multiples of the register block (2 rows, 4 steps) and of the cache
// block (depthBlock, widthBlock).
func TestMatMulShapes(t *testing.T) { onEachPath(t, testMatMulShapes) }

func testMatMulShapes(t *testing.T) {
	for seed, s := range []matMulShape{
		{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {1, 4, 1}, {2, 4, 1}, {2, 1, 3},
		{1, 128, 256}, {2, 129, 257}, {3, 127, 255}, {5, 131, 513}, {4, 260, 8}, {7, 5, 300},
		{64, 64, 64}, {65, 67, 63},
	} {
		checkMatMul(t, s, uint64(seed))
	}
}

func TestMatMulRandomShapes(t *testing.T) { onEachPath(t, testMatMulRandomShapes) }

func testMatMulRandomShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := matMulShape{
			m: rapid.IntRange(0, 9).Draw(t, "m"),
			k: rapid.IntRange(0, 2*depthBlock+9).Draw(t, "k"),
			n: rapid.IntRange(0, widthBlock+40).Draw(t, "n"),
		}
		checkMatMul(t, s, rapid.Uint64().Draw(t, "seed"))
	})
}

// A product with the identity matrix is exact, because every sum has only one nonzero term.
func TestMatMulIdentity(t *testing.T) { onEachPath(t, testMatMulIdentity) }

func testMatMulIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.IntRange(0, 9).Draw(t, "m")
		k := rapid.IntRange(0, 40).Draw(t, "k")
		a := normal(rapid.Uint64().Draw(t, "seed"), m*k, 1, 0)
		identity := make([]float32, k*k)
		for i := range k {
			identity[i*k+i] = 1
		}
		dst := filled(m*k, nan)
		MatMul(dst, a, identity, m, k, k)
		if !sameBits(dst, a) {
			t.Fatalf("a*I differs from a: %v, want %v", dst, a)
		}
	})
}

// 0*NaN and 0*Inf are NaN, so a kernel that skipped zero factors would hide a broken model. The
// shape exercises the loop over pairs of rows, the odd last row, the loop over four steps and the
// remaining steps.
func TestMatMulZeroTimesNotANumber(t *testing.T) { onEachPath(t, testMatMulZeroTimesNotANumber) }

func testMatMulZeroTimesNotANumber(t *testing.T) {
	const m, k, n = 3, 6, 5
	for _, bad := range []float32{nan, float32(math.Inf(1)), negInf} {
		for at := range k * n {
			a, b, dst := make([]float32, m*k), filled(k*n, 1), make([]float32, m*n)
			b[at] = bad
			MatMul(dst, a, b, m, k, n)
			for i, v := range dst {
				if isNaN, want := v != v, i%n == at%n; isNaN != want {
					t.Fatalf("0*b with b[%d] = %v: dst[%d] = %v, NaN wanted: %v", at, bad, i, v, want)
				}
			}
		}
	}
}

// A NaN in a makes the corresponding row of dst NaN, and no other row.
func TestMatMulNaNRow(t *testing.T) { onEachPath(t, testMatMulNaNRow) }

func testMatMulNaNRow(t *testing.T) {
	const m, k, n = 3, 6, 5
	for at := range m * k {
		a, b, dst := filled(m*k, 1), make([]float32, k*n), make([]float32, m*n)
		a[at] = nan
		MatMul(dst, a, b, m, k, n)
		for i, v := range dst {
			if isNaN, want := v != v, i/n == at/k; isNaN != want {
				t.Fatalf("a[%d] = NaN: dst[%d] = %v, NaN wanted: %v", at, i, v, want)
			}
		}
	}
}
