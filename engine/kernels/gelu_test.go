package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

var geluForms = []struct {
	name      string
	kernel    func(dst, src []float32)
	reference func(float64) float64
	bound     float64 // in u
}{
	{"GELU", GELU, refGELU, 1.01},
	{"GELUErf", GELUErf, refGELUErf, 1.15},
}

// Every 2039th finite float32, of both signs and all magnitudes.
func TestGELUErrorBound(t *testing.T) {
	var src []float32
	for bits := uint64(0); bits < 1<<32; bits += 2039 {
		if v := math.Float32frombits(uint32(bits)); !math.IsInf(float64(v), 0) && v == v {
			src = append(src, v)
		}
	}
	// And the span where the result is neither x nor zero, more closely.
	for x := -15.0; x < 15; x += 1.0 / 8191 {
		src = append(src, float32(x))
	}
	for _, form := range geluForms {
		dst := make([]float32, len(src))
		form.kernel(dst, src)
		worst := 0.0
		for i, x := range src {
			want := form.reference(float64(x))
			bound := form.bound*unit*math.Abs(want) + 0x1p-150 // half the smallest denormal
			off := math.Abs(float64(dst[i]) - want)
			if !(off <= bound) {
				t.Fatalf("%s(%g) = %g, want %g within %g", form.name, x, dst[i], want, bound)
			}
			if math.Abs(want) > 0x1p-126 {
				worst = max(worst, off/math.Abs(want))
			}
		}
		t.Logf("%s: largest error %.4f u over %d values", form.name, worst/unit, len(src))
	}
}

func TestGELUSpecialValues(t *testing.T) {
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

// gelu(x) - gelu(-x) = x for every function x*F(x) with F(-x) = 1-F(x).
func TestGELUSymmetry(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float32Range(-20, 20).Draw(t, "x")
		for _, form := range geluForms {
			dst := make([]float32, 2)
			form.kernel(dst, []float32{x, -x})
			within(t, fmt.Sprintf("%s(%g)-%s(%g)", form.name, x, form.name, -x),
				dst[0]-dst[1], float64(x), 4*unit*math.Abs(float64(x)))
		}
	})
}
