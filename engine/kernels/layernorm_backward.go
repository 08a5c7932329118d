package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// LayerNormBackward adds to dsrc, dgamma and dbeta the gradients of LayerNorm's
// operands. With x' = (x-mean)/sqrt(variance+eps) and g = dout*gamma, for each
// row,
//
//	dsrc   += (g - mean(g) - x'*mean(g*x')) / sqrt(variance+eps)
//	dgamma += dout*x'
//	dbeta  += dout
//
// dsrc, dout and src are rows x cols; gamma, dgamma and dbeta hold cols elements.
// None of the gradients may overlap another operand.
//
// Mean and variance are those of LayerNorm, computed again from src. What is
// added is computed in float64 and rounded once with the addition; dgamma and
// dbeta sum in order of the rows.
//
// On the vector paths the error of what is added is at most (cols/8 + 24) u of what it is made
// of: of a gradient of a row, (|g| + |x'|*mean|g*x'| + mean|g|) / sqrt(variance+eps), each |x'|
// with 1 added to it. Rows that float32 does not suffice for are left to the portable code.
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
	var total, along float64 // of g and of g*x'
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
