package kernels

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// expFloor is the x below which e^x is no longer a normal float32 number. Softmax treats smaller
// results as zero, since they are below 1.2e-38 times the largest term of the row.
const expFloor = -87.33654

// Softmax sets each row of dst to the softmax of the same row of src, e^(x_i-max) / sum
// e^(x_j-max). Both are rows x cols, and dst may be src.
//
// The error of each element is at most 3.01 u times the element, and 2^-126 for elements that
// small. An element of -Inf is masked: its result is 0. If a whole row is masked, its results are
// all zero, so that it contributes nothing to a weighted sum. If a row contains NaN or +Inf, its
// results are all NaN.
//
// On the vector paths the error is at most (10 + ln(cols) + max-x_i) u times the element, because
// the differences and powers are float32.
func Softmax(dst, src []float32, rows, cols int) {
	if !rowsFit(dst, src, rows, cols) {
		checkMatrix("Softmax", "dst", dst, rows, cols)
		checkMatrix("Softmax", "src", src, rows, cols)
		checkInPlace("Softmax", dst, "src", src)
	}
	if cols == 0 {
		return
	}
	for r := range rows {
		softmaxRow(dst[r*cols:][:cols], src[r*cols:][:cols])
	}
}

// plainFactors are the factors of a softmax without a scale.
var plainFactors = simd.NewSoftmaxFactors(1, 1)

// softmaxRow computes Softmax for one non-empty row.
func softmaxRow(dst, src []float32) {
	if path == simd.Generic {
		portableSoftmaxRow(dst, src)
		return
	}
	if top, _ := path.Softmax(dst, src, &plainFactors); top == negInf {
		softmaxMasked(dst, src)
	}
}

// portableSoftmaxRow is softmaxRow in portable Go.
func portableSoftmaxRow(dst, src []float32) {
	dst = dst[:len(src)]
	top := largest(src)
	if top == negInf {
		softmaxMasked(dst, src)
		return
	}
	// The differences and the sum are float64. Rounding a difference to float32 would cost up to 87
	// u of the result, and rounding the sums up to cols*u.
	shift := float64(top)
	sum := 0.0
	for i, v := range src {
		x := float64(v) - shift
		if x < expFloor {
			dst[i] = 0
			continue
		}
		e := exp(x)
		dst[i] = float32(e)
		sum += e
	}
	scale := float32(1 / sum)
	for i := range dst {
		dst[i] *= scale
	}
}

// SoftmaxTemperature is Softmax applied to src divided by temperature, a finite number above 0. The
// maximum is subtracted first, so a low temperature does not cause overflow. In the error bound of
// the vector paths, max-x_i is divided by the temperature.
func SoftmaxTemperature(dst, src []float32, rows, cols int, temperature float32) {
	const kernel = "SoftmaxTemperature"
	checkMatrix(kernel, "dst", dst, rows, cols)
	checkMatrix(kernel, "src", src, rows, cols)
	checkInPlace(kernel, dst, "src", src)
	if !(temperature > 0 && temperature <= math.MaxFloat32) {
		panic(fmt.Sprintf("kernels.%s: temperature %v, want a number above 0", kernel, temperature))
	}
	if cols == 0 {
		return
	}
	s := newTemperedSoftmax(1 / float64(temperature))
	for r := range rows {
		s.row(dst[r*cols:][:cols], src[r*cols:][:cols])
	}
}

// SoftmaxCausal computes the weights of the keys that each query sees. It sets the first seen+r
// elements of row r of dst to the softmax of scale times the same elements of src, and the
// remaining ones to 0; it does not read the remaining elements of src. scale must be above 0 and
// finite; in the error bound it multiplies max-x_i.
func SoftmaxCausal(dst, src []float32, rows, cols, seen int, scale float32) {
	const kernel = "SoftmaxCausal"
	checkMatrix(kernel, "dst", dst, rows, cols)
	checkMatrix(kernel, "src", src, rows, cols)
	checkInPlace(kernel, dst, "src", src)
	if !(scale > 0 && scale <= math.MaxFloat32) || seen < 0 {
		panic(fmt.Sprintf("kernels.%s: scale %v and %d seen, want a number above 0 and at least 0", kernel, scale, seen))
	}
	s := newTemperedSoftmax(float64(scale))
	for r := range rows {
		n := min(seen+r, cols)
		row := dst[r*cols:][:cols]
		if n > 0 {
			s.row(row[:n], src[r*cols:][:n])
		}
		clear(row[n:])
	}
}

// A temperedSoftmax computes the softmax of rows multiplied by a scale. It subtracts the maximum
// before multiplying.
type temperedSoftmax struct {
	scale   float64
	factors simd.SoftmaxFactors
}

func newTemperedSoftmax(scale float64) temperedSoftmax {
	return temperedSoftmax{scale, simd.NewSoftmaxFactors(scale, 1)}
}

func (s *temperedSoftmax) row(dst, src []float32) {
	if path == simd.Generic {
		portableScaledRow(dst, src, s.scale)
		return
	}
	if top, _ := path.Softmax(dst, src, &s.factors); top == negInf {
		softmaxMasked(dst, src)
	}
}

// portableScaledRow is portableSoftmaxRow with a scale factor.
func portableScaledRow(dst, src []float32, scale float64) {
	dst = dst[:len(src)]
	top := largest(src)
	if top == negInf {
		softmaxMasked(dst, src)
		return
	}
	sum := 0.0
	for i, v := range src {
		x := (float64(v) - float64(top)) * scale
		if x < expFloor {
			dst[i] = 0
			continue
		}
		e := exp(x)
		dst[i] = float32(e)
		sum += e
	}
	share := float32(1 / sum)
	for i := range dst {
		dst[i] *= share
	}
}

// softmaxMasked computes a row that contains only -Inf and NaN. It sets dst to NaN if there is a
// NaN, and otherwise to 0.
func softmaxMasked(dst, src []float32) {
	fill := float32(0)
	for _, v := range src {
		if math.IsNaN(float64(v)) {
			fill = nan
		}
	}
	for i := range dst {
		dst[i] = fill
	}
}

// largest returns the largest element of s, ignoring NaN. It returns -Inf if there is no other
// element.
func largest(s []float32) float32 {
	top := negInf
	for _, v := range s {
		if v > top {
			top = v
		}
	}
	return top
}
