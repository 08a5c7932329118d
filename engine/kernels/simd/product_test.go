package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// paths returns the paths supported by this machine, except Generic.
func paths() (all []Path) {
	for p := AVX2; p <= Best(); p++ {
		all = append(all, p)
	}
	return all
}

// chain returns element (i, j) of a product, added to start, with exactly the bits that every path
// must produce.
func chain(start float32, a, b Matrix, i, j, k int) float32 {
	for p := range k {
		start = fma(a.At[i*a.Row+p*a.Column], b.At[p*b.Row+j*b.Column], start)
	}
	return start
}

// fma returns x*y+z, rounded once. The product is exact in float64. If the sum is not, it is
// rounded to the neighbor whose last bit is 1. Rounding that neighbor to float32 gives the same
// result as rounding the exact sum (S. Boldo and G. Melquiond, Emulation of FMA and correctly
// rounded sums, 2008).
func fma(x, y, z float32) float32 {
	p, c := float64(x)*float64(y), float64(z)
	s := p + c
	if math.IsInf(s, 0) || math.IsNaN(s) {
		return float32(s)
	}
	back := s - p
	lost := (p - (s - back)) + (c - back)
	if bits := math.Float64bits(s); lost != 0 && bits%2 == 0 {
		if (lost > 0) == (s > 0) {
			s = math.Float64frombits(bits + 1)
		} else {
			s = math.Float64frombits(bits - 1)
		}
	}
	return float32(s)
}

// value draws the elements of the operands.
var value = normal

func normal(r *rand.Rand) float32 { return float32(r.NormFloat64()) }

func random(r *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = value(r)
	}
	return s
}

// matrix returns a random rows x columns matrix at a random place in a larger one. If transposed is
// true, it is the transpose of a stored matrix.
func matrix(r *rand.Rand, rows, columns int, transposed bool) Matrix {
	if transposed {
		return matrix(r, columns, rows, false).Transposed()
	}
	row, at := columns+r.IntN(3)*r.IntN(20), r.IntN(5)
	return Matrix{random(r, at+rows*row+1)[at:], row, 1}
}

func checkProduct(t *testing.T, r *rand.Rand, p Path, m, k, n int) {
	t.Helper()
	dst, a, b := matrix(r, m, n, false), matrix(r, m, k, r.IntN(2) == 0), matrix(r, k, n, r.IntN(3) == 0)
	add := r.IntN(2) == 0
	old := append([]float32{}, dst.At...)
	p.Product(dst, a, b, m, k, n, add)
	for at, got := range dst.At {
		i, j := 0, at
		if dst.Row > 0 {
			i, j = at/dst.Row, at%dst.Row
		}
		want := old[at]
		if i < m && j < n {
			start := float32(0)
			if add {
				start = old[at]
			}
			want = chain(start, a, b, i, j, k)
		}
		if math.Float32bits(got) != math.Float32bits(want) && !(got != got && want != want) {
			t.Fatalf("%v %dx%d*%dx%d add %v a %d,%d b %d,%d: element %d (%d, %d) is %v, want %v", p, m, k, k, n, add, a.Row, a.Column, b.Row, b.Column, at, i, j, got, want)
		}
	}
}

// On every path and for every shape, each element has the bits of one chain, and the elements
// around dst do not change.
func TestProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, p := range paths() {
		for _, s := range [][3]int{{0, 3, 3}, {3, 0, 3}, {3, 3, 0}, {1, 1, 1}, {1, 40, 300}, {1, 7, 33}, {1, 64, 129}, {1, 17, 16}, {1, 8, 64}, {200, 3, 5}, {30, 600, 40}, {25, 20, 1100}, {2, 1100, 70}} {
			for range 4 {
				checkProduct(t, r, p, s[0], s[1], s[2])
			}
		}
		for range 300 {
			checkProduct(t, r, p, r.IntN(40), r.IntN(70), r.IntN(150))
		}
	}
}

func TestProductAllocatesNothing(t *testing.T) {
	for _, p := range paths() {
		a, b, dst := make([]float32, 30*1100), make([]float32, 1100*1100), make([]float32, 30*1100)
		if n := testing.AllocsPerRun(5, func() { p.Product(Rows(dst, 1100), Rows(a, 1100), Rows(b, 1100), 30, 1100, 1100, false) }); n > 0 {
			t.Errorf("%v: %v allocations", p, n)
		}
	}
}

func BenchmarkProduct(b *testing.B) {
	for _, p := range paths() {
		for _, n := range []int{64, 128, 256, 512, 1024} {
			b.Run(fmt.Sprintf("%v/%d", p, n), func(b *testing.B) {
				x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
				for b.Loop() {
					p.Product(Rows(z, n), Rows(x, n), Rows(y, n), n, n, n, false)
				}
				b.ReportMetric(2*float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}
