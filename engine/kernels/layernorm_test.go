package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestLayerNormErrorBound(t *testing.T) { onEachPath(t, testLayerNormErrorBound) }

func testLayerNormErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 4).Draw(t, "rows")
		cols := rapid.IntRange(0, 300).Draw(t, "cols")
		seed := rapid.Uint64().Draw(t, "seed")
		scale := rapid.Float64Range(0.01, 100).Draw(t, "scale")
		src := normal(seed, rows*cols, scale, scale*rapid.Float64Range(-1000, 1000).Draw(t, "mean in deviations"))
		gamma, beta := normal(seed+1, cols, 1, 1), normal(seed+2, cols, 1, 0)
		const eps = 1e-5
		vector := 16 + float64(cols)/16
		dst := filled(len(src), nan)
		LayerNorm(dst, src, gamma, beta, rows, cols, eps)
		for r := range rows {
			want, magnitude := refLayerNormRow(src[r*cols:][:cols], gamma, beta, eps)
			for i := range want {
				within(t, fmt.Sprintf("row %d column %d", r, i), dst[r*cols+i], want[i],
					byPath(1.01, vector)*unit*magnitude[i]+byPath(0.001, vector)*unit*math.Abs(float64(gamma[i])))
			}
		}
	})
}

// The result does not change if a constant is added to a row and the row is multiplied by a power
// of two.
func TestLayerNormInvariance(t *testing.T) { onEachPath(t, testLayerNormInvariance) }

func testLayerNormInvariance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfNDistinct(rapid.IntRange(-1000, 1000), 2, 50, rapid.ID[int]).Draw(t, "x")
		n := len(steps)
		offset := rapid.IntRange(-1000, 1000).Draw(t, "offset")
		factor := float32(math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "log2 factor")))
		x, moved := make([]float32, n), make([]float32, n)
		for i, v := range steps {
			x[i], moved[i] = float32(v), float32(v+offset)*factor
		}
		ones, zeros := filled(n, 1), make([]float32, n)
		LayerNorm(x, x, ones, zeros, 1, n, 0)
		LayerNorm(moved, moved, ones, zeros, 1, n, 0)
		mean, square := 0.0, 0.0
		for i := range x {
			within(t, fmt.Sprintf("element %d", i), moved[i], float64(x[i]), byPath(2.02, 34)*unit*math.Abs(float64(x[i]))+byPath(1e-12, 34*unit))
			mean += float64(x[i]) / float64(n)
			square += float64(x[i]) * float64(x[i]) / float64(n)
		}
		within(t, "mean", float32(mean), 0, byPath(2, 34)*unit)
		within(t, "variance", float32(square), 1, byPath(4, 34)*unit)
	})
}

func TestLayerNormSpecialRows(t *testing.T) { onEachPath(t, testLayerNormSpecialRows) }

func testLayerNormSpecialRows(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, tc := range []struct {
		row  []float32
		eps  float32
		want []float32
	}{
		{[]float32{3}, 1e-5, []float32{10}},
		{[]float32{3, 3, 3}, 1e-5, []float32{10, 20, 30}},
		{[]float32{3, 3}, 0, []float32{nan, nan}},
		{[]float32{-1, 1}, 0, []float32{8, 22}},
		{[]float32{1, nan, 3}, 1e-5, []float32{nan, nan, nan}},
		{[]float32{1, inf}, 1e-5, []float32{nan, nan}},
		// The sum of the squares overflows float32, but the result does not.
		{[]float32{-1e38, 1e38}, 1e-5, []float32{8, 22}},
	} {
		n := len(tc.row)
		gamma, beta := filled(n, 2), []float32{10, 20, 30}[:n]
		dst := make([]float32, n)
		LayerNorm(dst, tc.row, gamma, beta, 1, n, tc.eps)
		if !sameBits(dst, tc.want) {
			t.Errorf("layer norm of %v, eps %g = %v, want %v", tc.row, tc.eps, dst, tc.want)
		}
	}
}
