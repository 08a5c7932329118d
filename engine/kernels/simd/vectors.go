package simd

import "math"

// The functions below call the kernels in vectors_amd64.s. The operands of a kernel all have the
// same length, and dst may be one of the sources. The results have the same bits on both paths,
// regardless of the total length and the position of an element or row.

// Add sets dst to a + b.
func (p Path) Add(dst, a, b []float32) {
	switch n := len(dst); {
	case n == 0:
	case p == AVX512:
		add512(&dst[0], &a[0], &b[0], n)
	default:
		add256(&dst[0], &a[0], &b[0], n)
	}
}

// Mul sets dst to a * b.
func (p Path) Mul(dst, a, b []float32) {
	switch n := len(dst); {
	case n == 0:
	case p == AVX512:
		mul512(&dst[0], &a[0], &b[0], n)
	default:
		mul256(&dst[0], &a[0], &b[0], n)
	}
}

// GELU sets dst to the tanh form of GELU applied to src.
func (p Path) GELU(dst, src []float32) {
	switch n := len(dst); {
	case n == 0:
	case p == AVX512:
		gelu512(&dst[0], &src[0], n)
	default:
		gelu256(&dst[0], &src[0], n)
	}
}

// GELUErf sets dst to the erf form of GELU applied to src.
func (p Path) GELUErf(dst, src []float32) {
	switch n := len(dst); {
	case n == 0:
	case p == AVX512:
		geluErf512(&dst[0], &src[0], n)
	default:
		geluErf256(&dst[0], &src[0], n)
	}
}

// SoftmaxFactors are the parameters of a softmax: the scale times log2(e) in two parts, the
// difference from the largest element below which the result is zero, and the divisor.
type SoftmaxFactors [4]float64

// NewSoftmaxFactors returns the factors for e^(scale*(x-max)) / (sum*count). scale must be above 0
// and count finite.
func NewSoftmaxFactors(scale, count float64) SoftmaxFactors {
	const normal = -126 * math.Ln2 // for x above this, e^x is a normal float32 number
	scale = min(scale, 0x1p126)
	high := float64(float32(scale * math.Log2E))
	return SoftmaxFactors{high, scale*math.Log2E - high, max(normal/scale, -math.MaxFloat32), count}
}

// Softmax sets dst to the softmax of a row. It returns the largest element, ignoring NaN, and the
// sum of the powers. If the largest element is -Inf, dst and sum are not set.
func (p Path) Softmax(dst, src []float32, f *SoftmaxFactors) (top float32, sum float64) {
	if p == AVX512 {
		return softmax512(&dst[0], &src[0], len(dst), (*[4]float64)(f))
	}
	return softmax256(&dst[0], &src[0], len(dst), (*[4]float64)(f))
}

// LayerNorm sets dst to the layer norm of a row with 1/inverse elements. It returns false, and
// leaves dst unchanged, if float32 is not precise enough for the row: because of NaN or Inf, or
// because the variance is zero or outside the range of float32.
func (p Path) LayerNorm(dst, src, gamma, beta []float32, inverse float64, eps float32) bool {
	if p == AVX512 {
		return layerNorm512(&dst[0], &src[0], &gamma[0], &beta[0], len(dst), inverse, eps)
	}
	return layerNorm256(&dst[0], &src[0], &gamma[0], &beta[0], len(dst), inverse, eps)
}

// GELUBackward sets dst to dout times the derivative of GELU's tanh form at src.
func (p Path) GELUBackward(dst, dout, src []float32) {
	switch n := len(dst); {
	case n == 0:
	case p == AVX512:
		geluBackward512(&dst[0], &dout[0], &src[0], n)
	default:
		geluBackward256(&dst[0], &dout[0], &src[0], n)
	}
}

// GELUErfBackward sets dst to dout times the derivative of GELU's erf form at src.
func (p Path) GELUErfBackward(dst, dout, src []float32) {
	switch n := len(dst); {
	case n == 0:
	case p == AVX512:
		geluErfBackward512(&dst[0], &dout[0], &src[0], n)
	default:
		geluErfBackward256(&dst[0], &dout[0], &src[0], n)
	}
}

// SoftmaxBackward sets dst to scale*weights*(dout - sum weights*dout) for a row.
func (p Path) SoftmaxBackward(dst, dout, weights []float32, scale float32) {
	switch n := len(dst); {
	case n == 0:
	case p == AVX512:
		softmaxBackward512(&dst[0], &dout[0], &weights[0], n, scale)
	default:
		softmaxBackward256(&dst[0], &dout[0], &weights[0], n, scale)
	}
}

// LayerNormBackward adds the gradients of a row's LayerNorm. It returns false in the same cases as
// LayerNorm.
func (p Path) LayerNormBackward(dsrc, dgamma, dbeta, dout, src, gamma []float32, inverse float64, eps float32) bool {
	if p == AVX512 {
		return layerNormBackward512(&dsrc[0], &dgamma[0], &dbeta[0], &dout[0], &src[0], &gamma[0], len(dsrc), inverse, eps)
	}
	return layerNormBackward256(&dsrc[0], &dgamma[0], &dbeta[0], &dout[0], &src[0], &gamma[0], len(dsrc), inverse, eps)
}

// AdamWFactors are the parameters of one step: beta1, 1-beta1, beta2, 1-beta2, the learning rate
// including the correction of the first moment, the correction of the second moment, epsilon, and
// the remaining fraction of a weight after the decay.
type AdamWFactors [8]float64

// AdamW performs one step, computing in float64.
func (p Path) AdamW(weights, gradient, first, second []float32, f *AdamWFactors) {
	switch n := len(weights); {
	case n == 0:
	case p == AVX512:
		adamW512(&weights[0], &gradient[0], &first[0], &second[0], n, (*[8]float64)(f))
	default:
		adamW256(&weights[0], &gradient[0], &first[0], &second[0], n, (*[8]float64)(f))
	}
}
