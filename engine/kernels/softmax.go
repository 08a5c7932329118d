package kernels

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// expFloor is where e^x leaves the normal numbers of float32. Softmax counts
// what lies below as zero: it is below 1.2e-38 of the row's largest term.
const expFloor = -87.33654

// Softmax sets each row of dst to the softmax of that row of src,
// e^(x_i-max) / sum e^(x_j-max); both are rows x cols and dst may be src.
//
// The error is at most 3.01 u of each element, and 2^-126 where an element is
// that small. -Inf masks an element: its result is 0. A row that is masked
// entirely becomes all zeros: it carries no probability, so a sum weighted with
// it is zero. A row that holds NaN or +Inf becomes all NaN.
//
// On the vector paths the error is at most (10 + ln(cols) + max-x_i) u of each element: the
// differences and powers are float32.
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

// plainFactors are those of Softmax itself.
var plainFactors = simd.NewSoftmaxFactors(1, 1)

// softmaxRow is Softmax of one row that is not empty.
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
	// The difference and the sum are float64: a difference rounded to float32
	// would cost up to 87 u of the result, a sum up to cols*u.
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

// SoftmaxTemperature is Softmax of src divided by a temperature, which is above 0 and finite.
// Subtracting the maximum first keeps a small temperature from overflowing. In its error, on the
// vector paths, max-x_i is divided by the temperature.
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

// SoftmaxCausal sets row r of dst to the softmax of scale times the first seen+r elements of
// that row of src, and to 0 behind them: what a query sees of the keys. What it does not see is
// not read. scale is above 0 and finite; in the error it multiplies max-x_i.
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

// A temperedSoftmax is the softmax of rows times a scale, subtracted before it is multiplied.
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

// portableScaledRow is portableSoftmaxRow with a scale.
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

// softmaxMasked is softmaxRow of a row without a number above -Inf: every
// element is -Inf or NaN.
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

// largest returns the largest element that is not NaN, -Inf if there is none.
func largest(s []float32) float32 {
	top := negInf
	for _, v := range s {
		if v > top {
			top = v
		}
	}
	return top
}
