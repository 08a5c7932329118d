package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// refMatMulBackward returns the expected da and db, including their previous values, and for each
// element the sum of the magnitudes of its terms.
func refMatMulBackward(da, db, dout, a, b []float32, m, k, n int) (wantA, wantB, magnitudeA, magnitudeB []float64) {
	start := func(s []float32) (sum, magnitude []float64) {
		for _, v := range s {
			sum, magnitude = append(sum, float64(v)), append(magnitude, math.Abs(float64(v)))
		}
		return sum, magnitude
	}
	wantA, magnitudeA = start(da)
	wantB, magnitudeB = start(db)
	for i := range m {
		for p := range k {
			for j := range n {
				v := float64(dout[i*n+j]) * float64(b[p*n+j])
				wantA[i*k+p] += v
				magnitudeA[i*k+p] += math.Abs(v)
				v = float64(a[i*k+p]) * float64(dout[i*n+j])
				wantB[p*n+j] += v
				magnitudeB[p*n+j] += math.Abs(v)
			}
		}
	}
	return wantA, wantB, magnitudeA, magnitudeB
}

func checkMatMulBackward(t interface {
	Helper()
	Fatalf(string, ...any)
}, s matMulShape, seed uint64) {
	t.Helper()
	a, b := normal(seed, s.m*s.k, 1, 0), normal(seed+1, s.k*s.n, 1, 0)
	dout := normal(seed+2, s.m*s.n, 1, 0)
	da, db := normal(seed+3, len(a), 1, 0), normal(seed+4, len(b), 1, 0)
	wantA, wantB, magnitudeA, magnitudeB := refMatMulBackward(da, db, dout, a, b, s.m, s.k, s.n)
	onlyA, onlyB := append([]float32{}, da...), append([]float32{}, db...)
	MatMulBackward(da, db, dout, a, b, s.m, s.k, s.n)
	for i := range da {
		within(t, fmt.Sprintf("%v da %d", s, i), da[i], wantA[i], gamma(s.n+1)*magnitudeA[i])
	}
	for i := range db {
		within(t, fmt.Sprintf("%v db %d", s, i), db[i], wantB[i], gamma(s.m+1)*magnitudeB[i])
	}
	MatMulBackward(onlyA, nil, dout, a, b, s.m, s.k, s.n)
	MatMulBackward(nil, onlyB, dout, a, b, s.m, s.k, s.n)
	if !sameBits(onlyA, da) || !sameBits(onlyB, db) {
		t.Fatalf("%v: da and db computed alone differ from those computed together", s)
	}
}

// The sizes are at and around multiples of the register blocks and the cache blocks.
func TestMatMulBackwardShapes(t *testing.T) { onEachPath(t, testMatMulBackwardShapes) }

func testMatMulBackwardShapes(t *testing.T) {
	for seed, s := range []matMulShape{
		{0, 0, 0}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 1, 1}, {1, 4, 1}, {2, 4, 1}, {2, 5, 3}, {3, 7, 2},
		{128, 2, 256}, {129, 3, 257}, {127, 1, 255}, {2, 128, 256}, {3, 129, 257}, {5, 131, 513}, {260, 4, 8},
		{64, 64, 64}, {65, 67, 63},
	} {
		checkMatMulBackward(t, s, uint64(seed))
	}
}

func TestMatMulBackwardRandomShapes(t *testing.T) { onEachPath(t, testMatMulBackwardRandomShapes) }

func testMatMulBackwardRandomShapes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkMatMulBackward(t, matMulShape{
			m: rapid.IntRange(0, depthBlock+9).Draw(t, "m"),
			k: rapid.IntRange(0, 11).Draw(t, "k"),
			n: rapid.IntRange(0, widthBlock+20).Draw(t, "n"),
		}, rapid.Uint64().Draw(t, "seed"))
	})
}

// A row's gradient does not depend on the rows computed with it.
func TestMatMulBackwardRowsAreIndependent(t *testing.T) {
	onEachPath(t, testMatMulBackwardRowsAreIndependent)
}

func testMatMulBackwardRowsAreIndependent(t *testing.T) {
	const m, k, n = 7, 10, 300
	a, b, dout := normal(1, m*k, 1, 0), normal(2, k*n, 1, 0), normal(3, m*n, 1, 0)
	together, alone := make([]float32, m*k), make([]float32, m*k)
	MatMulBackward(together, nil, dout, a, b, m, k, n)
	for i := range m {
		MatMulBackward(alone[i*k:][:k], nil, dout[i*n:][:n], a[i*k:][:k], b, 1, k, n)
	}
	if !sameBits(together, alone) {
		t.Error("rows of da computed one by one differ from those computed together")
	}
}

// A NaN in dout makes every gradient computed from it NaN, even if its factor is 0.
func TestMatMulBackwardKeepsNaN(t *testing.T) { onEachPath(t, testMatMulBackwardKeepsNaN) }

func testMatMulBackwardKeepsNaN(t *testing.T) {
	const m, k, n = 3, 5, 6
	a, b, dout := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n)
	dout[1*n+2] = nan
	da, db := make([]float32, m*k), make([]float32, k*n)
	MatMulBackward(da, db, dout, a, b, m, k, n)
	for i, v := range da {
		if got, want := v != v, i/k == 1; got != want {
			t.Errorf("da[%d,%d] = %g", i/k, i%k, v)
		}
	}
	for i, v := range db {
		if got, want := v != v, i%n == 2; got != want {
			t.Errorf("db[%d,%d] = %g", i/n, i%n, v)
		}
	}
}

// BenchmarkMatMulBackward compares both gradients with plain loops, for the shape of a feed-forward
// layer of the small model and for square matrices:
//
//	go test -run '^$' -bench MatMulBackward -count 10 ./engine/kernels | benchstat -col /impl -
func BenchmarkMatMulBackward(b *testing.B) {
	for _, s := range []matMulShape{{64, 128, 512}, {256, 256, 256}, {512, 512, 512}} {
		x, y, dout := normal(1, s.m*s.k, 1, 0), normal(2, s.k*s.n, 1, 0), normal(3, s.m*s.n, 1, 0)
		dx, dy := make([]float32, len(x)), make([]float32, len(y))
		for _, impl := range []struct {
			name string
			run  func(da, db, dout, a, b []float32, m, k, n int)
		}{{"blocked", MatMulBackward}, {"naive", naiveMatMulBackward}} {
			b.Run(fmt.Sprintf("shape=%v/impl=%s", s, impl.name), func(b *testing.B) {
				for b.Loop() {
					impl.run(dx, dy, dout, x, y, s.m, s.k, s.n)
				}
				b.ReportMetric(4*float64(s.m*s.k*s.n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOPS")
			})
		}
	}
}

func naiveMatMulBackward(da, db, dout, a, b []float32, m, k, n int) {
	for i := range m {
		for p := range k {
			x, s := a[i*k+p], float32(0)
			row, d, g := b[p*n:][:n], db[p*n:][:n], dout[i*n:][:n]
			for j, v := range g {
				s += v * row[j]
				d[j] += x * v
			}
			da[i*k+p] += s
		}
	}
}
