package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// LayerNormBackward adds the gradients of LayerNorm's operands to dsrc, dgamma and dbeta. With x' =
// (x-mean)/sqrt(variance+eps) and g = dout*gamma, each row adds
//
//	dsrc   += (g - mean(g) - x'*mean(g*x')) / sqrt(variance+eps)
//	dgamma += dout*x'
//	dbeta  += dout
//
// dsrc, dout and src are rows x cols; gamma, dgamma and dbeta hold cols elements. The gradients
// must not overlap any other operand.
//
// The mean and the variance are computed from src as in LayerNorm. Each term is computed in float64
// and rounded once, when it is added; dgamma and dbeta are summed over the rows in order.
//
// On the vector paths the error of a term is at most (cols/8 + 24) u times the magnitudes of its
// parts, with 1 added to each |x'|. For dsrc these are (|g| + |x'|*mean|g*x'| + mean|g|) /
// sqrt(variance+eps). The portable code computes rows that need more precision.
func LayerNormBackward(dsrc, dgamma, dbeta, dout, src, gamma []float32, rows, cols int, eps float32) {
	checkMatrix("LayerNormBackward", "dsrc", dsrc, rows, cols)
	checkVector("LayerNormBackward", "dgamma", dgamma, cols)
	checkVector("LayerNormBackward", "dbeta", dbeta, cols)
	checkMatrix("LayerNormBackward", "dout", dout, rows, cols)
	checkMatrix("LayerNormBackward", "src", src, rows, cols)
	checkVector("LayerNormBackward", "gamma", gamma, cols)
	checkGradient("LayerNormBackward", "dsrc", dsrc, dgamma, dbeta, dout, src, gamma)
	checkGradient("LayerNormBackward", "dgamma", dgamma, dbeta, dout, src, gamma)
	checkGradient("LayerNormBackward", "dbeta", dbeta, dout, src, gamma)
	if cols == 0 {
		return
	}
	inverse := 1 / float64(cols)
	for r := range rows {
		if path != simd.Generic && path.LayerNormBackward(dsrc[r*cols:][:cols], dgamma, dbeta, dout[r*cols:][:cols], src[r*cols:][:cols], gamma, inverse, eps) {
			continue
		}
		layerNormBackwardRow(dsrc[r*cols:][:cols], dgamma, dbeta, dout[r*cols:][:cols], src[r*cols:][:cols], gamma, float64(eps))
	}
}

func layerNormBackwardRow(dsrc, dgamma, dbeta, dout, src, gamma []float32, eps float64) {
	n := float64(len(src))
	mean := sum(src) / n
	scale := 1 / math.Sqrt(squaredDeviation(src, mean)/n+eps)

	dsrc, dgamma, dbeta = dsrc[:len(src)], dgamma[:len(src)], dbeta[:len(src)]
	dout, gamma = dout[:len(src)], gamma[:len(src)]
	var total, along float64 // sums of g and of g*x'
	for i, v := range src {
		d, x := float64(dout[i]), (float64(v)-mean)*scale
		g := d * float64(gamma[i])
		total += g
		along += g * x
		dgamma[i] = float32(float64(dgamma[i]) + d*x)
		dbeta[i] += dout[i]
	}
	total, along = total/n, along/n
	for i, v := range src {
		g, x := float64(dout[i])*float64(gamma[i]), (float64(v)-mean)*scale
		dsrc[i] = float32(float64(dsrc[i]) + (g-total-x*along)*scale)
	}
}
