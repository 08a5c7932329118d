package kernels

import "math"

// GELUBackward sets dst[i] to dout[i] times the derivative of GELU's tanh form
// at src[i], GELU's own operand. All three have the same length; dst may be dout
// or src.
//
// With s = 1/(1+e^z), z = x*(c1+c3*x^2), GELU is x*s and its derivative
// s - x*s*(1-s)*(c1+3*c3*x^2). The error is at most 1.01 u of the result plus
// 0.01 u of dout[i]: the derivative has a zero near -0.75, where nothing is left
// to be relative to. At +Inf the derivative is 1, at -Inf 0, and at NaN NaN.
func GELUBackward(dst, dout, src []float32) {
	checkVector("GELUBackward", "dst", dst, len(src))
	checkVector("GELUBackward", "dout", dout, len(src))
	checkInPlace("GELUBackward", dst, "dout", dout)
	checkInPlace("GELUBackward", dst, "src", src)
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

// geluSlopeLimit is the derivative of GELU where isTail holds.
func geluSlopeLimit(x float32) float32 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return 0
	}
	return nan
}
