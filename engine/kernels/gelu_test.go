package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

type geluForm struct {
	name      string
	kernel    func(dst, src []float32)
	reference func(float64) float64
	portable  float64                 // bound in u
	below     func(x float64) float64 // bound in u on the vector paths for x < 0
}

var geluForms = []geluForm{
	{"GELU", GELU, refGELU, 1.01, func(x float64) float64 { return 6 + 3*2*math.Sqrt(2/math.Pi)*math.Abs(x+0.044715*x*x*x) }},
	{"GELUErf", GELUErf, refGELUErf, 1.15, func(x float64) float64 { return 12 + 1.5*x*x }},
}

// bound returns the largest allowed error of the result at x. want is the exact result.
func (f geluForm) bound(x, want float64) float64 {
	switch {
	case path == simd.Generic:
		return f.portable*unit*math.Abs(want) + 0x1p-150 // half the smallest denormal
	case x < 0:
		return f.below(x)*unit*math.Abs(want) + 0x1p-122
	}
	return 5*unit*want + 0x1p-150
}

// This test covers every 2039th finite float32, with both signs and all magnitudes.
func TestGELUErrorBound(t *testing.T) { onEachPath(t, testGELUErrorBound) }

func testGELUErrorBound(t *testing.T) {
	var src []float32
	for bits := uint64(0); bits < 1<<32; bits += 2039 {
		if v := math.Float32frombits(uint32(bits)); !math.IsInf(float64(v), 0) && v == v {
			src = append(src, v)
		}
	}
	// Sample more densely where the result is neither x nor zero.
	for x := -15.0; x < 15; x += 1.0 / 8191 {
		src = append(src, float32(x))
	}
	for _, form := range geluForms {
		dst := make([]float32, len(src))
		form.kernel(dst, src)
		worst := 0.0
		for i, x := range src {
			want := form.reference(float64(x))
			bound := form.bound(float64(x), want)
			off := math.Abs(float64(dst[i]) - want)
			if !(off <= bound) {
				t.Fatalf("%s(%g) = %g, want %g within %g", form.name, x, dst[i], want, bound)
			}
			if x > -20 && x < 14.5 && !(off <= 1e-6) {
				t.Fatalf("%s(%g) = %g, want %g within 1e-6", form.name, x, dst[i], want)
			}
			if x > -1 && math.Abs(want) > 0x1p-126 {
				worst = max(worst, off/math.Abs(want))
			}
		}
		t.Logf("%s: largest error above -1 %.4f u over %d values", form.name, worst/unit, len(src))
	}
}

func TestGELUSpecialValues(t *testing.T) { onEachPath(t, testGELUSpecialValues) }

func testGELUSpecialValues(t *testing.T) {
	inf := float32(math.Inf(1))
	src := []float32{0, negZero, inf, negInf, nan, math.MaxFloat32, -math.MaxFloat32, 14.5, -14.5, 1e-40}
	want := []float32{0, negZero, inf, negZero, nan, math.MaxFloat32, negZero, 14.5, negZero, 5e-41}
	for _, form := range geluForms {
		dst := make([]float32, len(src))
		form.kernel(dst, src)
		if !sameBits(dst, want) {
			t.Errorf("%s(%v) = %v, want %v", form.name, src, dst, want)
		}
	}
}

// Both forms of GELU can be written as g(x) = x*F(x) with F(-x) = 1-F(x), so g(x) - g(-x) = x.
func TestGELUSymmetry(t *testing.T) { onEachPath(t, testGELUSymmetry) }

func testGELUSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float32Range(-20, 20).Draw(t, "x")
		for _, form := range geluForms {
			dst := make([]float32, 2)
			form.kernel(dst, []float32{x, -x})
			within(t, fmt.Sprintf("%s(%g)-%s(%g)", form.name, x, form.name, -x),
				dst[0]-dst[1], float64(x), byPath(4, 12)*unit*math.Abs(float64(x)))
		}
	})
}
