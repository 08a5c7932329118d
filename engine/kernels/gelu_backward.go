package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// GELUBackward sets dst[i] to dout[i] times the derivative of GELU's tanh form at src[i], GELU's
// own operand. All three slices must have the same length; dst may be dout or src.
//
// With s = 1/(1+e^z), z = x*(c1+c3*x^2), GELU is x*s and its derivative is s -
// x*s*(1-s)*(c1+3*c3*x^2). The error is at most 1.01 u times the result plus 0.01 u times dout[i].
// The second part does not shrink with the result, because the derivative has a zero near -0.75.
// The derivative is 1 at +Inf, 0 at -Inf and NaN at NaN.
//
// On the vector paths the error is at most 1e-6 times dout[i].
func GELUBackward(dst, dout, src []float32) {
	checkGELUBackward("GELUBackward", dst, dout, src)
	if path != simd.Generic {
		path.GELUBackward(dst, dout, src)
		return
	}
	geluBackward(dst, dout, src)
}

// GELUErfBackward is GELUBackward for GELUErf. The derivative is Phi(x) + x*phi(x), where Phi is
// the normal distribution function and phi its density. The error is at most 1.01 u times the
// result plus 0.3 u times dout[i], and on the vector paths 1e-6 times dout[i].
func GELUErfBackward(dst, dout, src []float32) {
	checkGELUBackward("GELUErfBackward", dst, dout, src)
	if path != simd.Generic {
		path.GELUErfBackward(dst, dout, src)
		return
	}
	geluErfBackward(dst, dout, src)
}

func checkGELUBackward(kernel string, dst, dout, src []float32) {
	checkVector(kernel, "dst", dst, len(src))
	checkVector(kernel, "dout", dout, len(src))
	checkInPlace(kernel, dst, "dout", dout)
	checkInPlace(kernel, dst, "src", src)
}

// geluBackward is GELUBackward in portable Go.
func geluBackward(dst, dout, src []float32) {
	const (
		c1 = -2 * math.Sqrt2 / math.SqrtPi
		c3 = c1 * 0.044715
	)
	dst, dout = dst[:len(src)], dout[:len(src)]
	for i, v := range src {
		if isTail(v) {
			dst[i] = dout[i] * geluSlopeLimit(v)
			continue
		}
		x := float64(v)
		s := 1 / (1 + exp(x*(c1+c3*x*x)))
		dst[i] = float32(float64(dout[i]) * (s - x*s*(1-s)*(c1+3*c3*x*x)))
	}
}

// geluErfBackward is GELUErfBackward in portable Go. It computes the tail in the same way as
// geluErf.
func geluErfBackward(dst, dout, src []float32) {
	const (
		p0, p1, p2 = 0.50000000201959938, 0.43759369865491987, 0.18267022600282165
		p3, p4     = 0.040429605249423031, 0.0040823584493375172
		q1, q2     = 1.6730722767560904, 1.2002550752594452
		q3, q4, q5 = 0.46796804195049829, 0.10134849037234291, 0.010232834775553661
		density    = 1 / (math.Sqrt2 * math.SqrtPi)
	)
	dst, dout = dst[:len(src)], dout[:len(src)]
	for i, v := range src {
		if isTail(v) {
			dst[i] = dout[i] * geluSlopeLimit(v)
			continue
		}
		x := float64(v)
		a, e := math.Abs(x), exp(-0.5*x*x)
		p := p0 + a*(p1+a*(p2+a*(p3+a*p4)))
		q := 1 + a*(q1+a*(q2+a*(q3+a*(q4+a*q5))))
		slope := e * p / q
		if v > 0 {
			slope = 1 - slope
		}
		dst[i] = float32(float64(dout[i]) * (slope + x*e*density))
	}
}

// geluSlopeLimit returns the derivative of GELU at any x in the tail, as reported by isTail.
func geluSlopeLimit(x float32) float32 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return 0
	}
	return nan
}
