package kernels

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestSoftmaxErrorBound(t *testing.T) { onEachPath(t, testSoftmaxErrorBound) }

func testSoftmaxErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 4).Draw(t, "rows")
		cols := rapid.IntRange(0, 600).Draw(t, "cols")
		// With scales up to 100, the terms range from 1 to below the smallest normal number.
		scale := rapid.Float64Range(0, 100).Draw(t, "scale")
		src := normal(rapid.Uint64().Draw(t, "seed"), rows*cols, scale, rapid.Float64Range(-1e6, 1e6).Draw(t, "offset"))
		dst := filled(len(src), nan)
		Softmax(dst, src, rows, cols)
		for r := range rows {
			sum := 0.0
			row := src[r*cols:][:cols]
			for i, want := range refSoftmaxRow(row) {
				got := dst[r*cols+i]
				vector := 10 + math.Log(float64(cols)) + float64(slices.Max(row)) - float64(row[i])
				within(t, fmt.Sprintf("row %d column %d", r, i), got, want, byPath(3.01, vector)*unit*want+0x1p-126)
				sum += float64(got)
			}
			if cols > 0 {
				within(t, "sum of the row", float32(sum), 1, byPath(4, 12)*unit)
			}
		}
	})
}

// softmax(x+c) equals softmax(x) to the last bit if x+c is exact.
func TestSoftmaxShift(t *testing.T) { onEachPath(t, testSoftmaxShift) }

func testSoftmaxShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		steps := rapid.SliceOfN(rapid.IntRange(-2000, 2000), 1, 50).Draw(t, "x")
		c := rapid.IntRange(-4000, 4000).Draw(t, "c")
		x, shifted := make([]float32, len(steps)), make([]float32, len(steps))
		for i, v := range steps {
			x[i], shifted[i] = float32(v)/64, float32(v+c)/64
		}
		Softmax(x, x, 1, len(x))
		Softmax(shifted, shifted, 1, len(x))
		if !sameBits(x, shifted) {
			t.Fatalf("softmax(x) = %v, softmax(x+c) = %v", x, shifted)
		}
	})
}

func TestSoftmaxSpecialRows(t *testing.T) { onEachPath(t, testSoftmaxSpecialRows) }

func testSoftmaxSpecialRows(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, tc := range []struct{ row, want []float32 }{
		{[]float32{5}, []float32{1}},
		{[]float32{3e38, -3e38}, []float32{1, 0}},
		{[]float32{1000, 1000}, []float32{0.5, 0.5}},
		{[]float32{7, negInf, 7}, []float32{0.5, 0, 0.5}},
		{[]float32{0, -87.3366}, []float32{1, 0}}, // e^-87.3366 is below the smallest normal number
		{[]float32{negInf}, []float32{0}},
		{[]float32{negInf, negInf, negInf}, []float32{0, 0, 0}},
		{[]float32{negInf, nan}, []float32{nan, nan}},
		{[]float32{nan, nan}, []float32{nan, nan}},
		{[]float32{1, nan, negInf}, []float32{nan, nan, nan}},
		{[]float32{nan, 1, 2}, []float32{nan, nan, nan}},
		{[]float32{inf, 1, negInf}, []float32{nan, nan, nan}},
		{[]float32{inf, inf}, []float32{nan, nan}},
	} {
		// The row in the middle must not affect its neighbors.
		rows := slices.Concat(filled(len(tc.row), 1), tc.row, filled(len(tc.row), 1))
		Softmax(rows, rows, 3, len(tc.row))
		even := filled(len(tc.row), 1/float32(len(tc.row)))
		if want := slices.Concat(even, tc.want, even); !sameBits(rows, want) {
			t.Errorf("softmax of %v between rows of ones = %v, want %v", tc.row, rows, want)
		}
	}
}

// SoftmaxTemperature and SoftmaxCausal have the same error bound as Softmax.
func TestSoftmaxForms(t *testing.T) { onEachPath(t, testSoftmaxForms) }

func testSoftmaxForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(0, 9).Draw(t, "rows"), rapid.IntRange(1, 90).Draw(t, "cols")
		seen := rapid.IntRange(0, cols).Draw(t, "seen")
		scale := rapid.Float32Range(0x1p-20, 8).Draw(t, "scale")
		src := normal(rapid.Uint64().Draw(t, "seed"), rows*cols, 5, 0)
		causal, tempered := filled(len(src), nan), filled(len(src), nan)
		SoftmaxTemperature(tempered, src, rows, cols, 1/scale)
		check := func(what string, got, src []float32, scale float64) {
			if len(src) == 0 {
				return
			}
			scaled, top, sum := make([]float64, len(src)), float64(slices.Max(src)), 0.0
			for i, v := range src {
				scaled[i] = (float64(v) - top) * scale
				sum += math.Exp(scaled[i])
			}
			for i, x := range scaled {
				want := math.Exp(x) / sum
				within(t, fmt.Sprintf("%s column %d", what, i), got[i], want, byPath(3.01, 10+math.Log(float64(cols))-x)*unit*want+0x1p-126)
			}
		}
		unseen := append([]float32(nil), src...)
		for r := range rows {
			row := src[r*cols:][:cols]
			check("tempered", tempered[r*cols:], row, 1/float64(1/scale))
			for i := seen + r; i < cols; i++ {
				unseen[r*cols+i] = nan
			}
		}
		SoftmaxCausal(causal, unseen, rows, cols, seen, scale)
		for r := range rows {
			n := min(seen+r, cols)
			check("causal", causal[r*cols:], src[r*cols:][:n], float64(scale))
			for i, v := range causal[r*cols:][:cols] {
				if i >= n && v != 0 {
					t.Fatalf("row %d column %d of causal, which it does not see, is %v", r, i, v)
				}
			}
		}
		SoftmaxCausal(unseen, unseen, rows, cols, seen, scale)
		if !sameBits(unseen, causal) {
			t.Fatalf("in place %v, out of place %v", unseen, causal)
		}
	})
}

func TestSoftmaxFormsSpecialCases(t *testing.T) { onEachPath(t, testSoftmaxFormsSpecialCases) }

func testSoftmaxFormsSpecialCases(t *testing.T) {
	for _, temperature := range []float32{math.SmallestNonzeroFloat32, 1e-30, 1, 1e30, math.MaxFloat32} {
		row := []float32{3, negInf, 3}
		SoftmaxTemperature(row, row, 1, 3, temperature)
		if want := []float32{0.5, 0, 0.5}; !sameBits(row, want) {
			t.Errorf("temperature %v: %v, want %v", temperature, row, want)
		}
	}
	for _, tc := range []struct {
		call func()
		want string
	}{
		{func() { SoftmaxTemperature(nil, nil, 0, 3, 0) }, "kernels.SoftmaxTemperature: temperature 0, want a number above 0"},
		{func() { SoftmaxTemperature(nil, nil, 0, 3, nan) }, "kernels.SoftmaxTemperature: temperature NaN, want a number above 0"},
		{func() { SoftmaxCausal(nil, nil, 0, 3, -1, 1) }, "kernels.SoftmaxCausal: scale 1 and -1 seen, want a number above 0 and at least 0"},
		{func() { SoftmaxCausal(nil, nil, 0, 3, 1, -1) }, "kernels.SoftmaxCausal: scale -1 and 1 seen, want a number above 0 and at least 0"},
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
