package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// geluTail is the magnitude of x at and above which both forms of GELU equal their limits in
// float32: x for positive x, and -0 for negative x, where the exact values are smaller than half
// the smallest denormal.
const geluTail = 14.5

// GELU sets dst[i] to the tanh form of the Gaussian error linear unit,
//
//	0.5*x*(1 + tanh(sqrt(2/pi)*(x + 0.044715*x^3)))
//
// with x = src[i] (Hendrycks and Gimpel, arXiv:1606.08415, section 2). dst may
// be src. The error is at most 1.01 u, and half the smallest denormal where
// the result underflows. -Inf gives -0, the limit; +Inf gives +Inf, NaN gives NaN.
//
// On the vector paths the error is at most 1e-6, and relative to the result at most 5 u for x >= 0
// and (6+3|z|) u for x < 0, where z = 2*sqrt(2/pi)*(x + 0.044715*x^3); a result below 2^-122 may be
// -0.
func GELU(dst, src []float32) {
	checkVector("GELU", "dst", dst, len(src))
	checkInPlace("GELU", dst, "src", src)
	if path != simd.Generic {
		path.GELU(dst, src)
		return
	}
	gelu(dst, src)
}

// gelu is GELU in portable Go.
func gelu(dst, src []float32) {
	// 0.5*(1+tanh(z)) = 1/(1+e^-2z), with one exponential and without cancellation.
	const (
		c1 = -2 * math.Sqrt2 / math.SqrtPi
		c3 = c1 * 0.044715
	)
	for i, v := range src {
		if isTail(v) {
			dst[i] = geluLimit(v)
			continue
		}
		x := float64(v)
		dst[i] = float32(x / (1 + exp(x*(c1+c3*x*x))))
	}
}

// GELUErf sets dst[i] to the exact form of the Gaussian error linear unit,
// x*Phi(x) = 0.5*x*(1 + erf(x/sqrt2)) with x = src[i]. dst may be src. The
// error is at most 1.15 u, and half the smallest denormal where the result
// underflows. -Inf gives -0, the limit; +Inf gives +Inf, NaN gives NaN.
//
// Phi(-|x|) = e^(-x^2/2)*R(|x|), where the rational function R of degrees 4 and 5 approximates
// 0.5*erfcx(|x|/sqrt2) on [0, 14.5] with a relative error of at most 7.4e-9 = 0.124 u. It
// interpolates at the ten Chebyshev nodes of s = |x|/(|x|+3).
//
// On the vector paths the error is at most 1e-6, and relative to the result at most 5 u for x >= 0
// and (12+1.5x^2) u for x < 0; a result below 2^-122 may be -0.
func GELUErf(dst, src []float32) {
	checkVector("GELUErf", "dst", dst, len(src))
	checkInPlace("GELUErf", dst, "src", src)
	if path != simd.Generic {
		path.GELUErf(dst, src)
		return
	}
	geluErf(dst, src)
}

// geluErf is GELUErf in portable Go.
func geluErf(dst, src []float32) {
	const (
		p0, p1, p2 = 0.50000000201959938, 0.43759369865491987, 0.18267022600282165
		p3, p4     = 0.040429605249423031, 0.0040823584493375172
		q1, q2     = 1.6730722767560904, 1.2002550752594452
		q3, q4, q5 = 0.46796804195049829, 0.10134849037234291, 0.010232834775553661
	)
	for i, v := range src {
		if isTail(v) {
			dst[i] = geluLimit(v)
			continue
		}
		x := float64(v)
		a := math.Abs(x)
		p := p0 + a*(p1+a*(p2+a*(p3+a*p4)))
		q := 1 + a*(q1+a*(q2+a*(q3+a*(q4+a*q5))))
		tail := x * exp(-0.5*x*x) * p / q
		if v > 0 {
			tail = x - tail
		}
		dst[i] = float32(tail)
	}
}

// isTail reports whether |x| >= geluTail or x is NaN, using a single comparison.
func isTail(x float32) bool {
	return math.Float32bits(x)&^(1<<31) >= geluTailBits
}

var geluTailBits = math.Float32bits(geluTail)

// geluLimit returns GELU(x) for any x in the tail, as reported by isTail.
func geluLimit(x float32) float32 {
	if x < 0 {
		return negZero
	}
	return x
}

var negZero = float32(math.Copysign(0, -1))
