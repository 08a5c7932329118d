package kernels

import "github.com/perftrack/perftrack/engine/kernels/simd"

// SoftmaxBackward sets each row of dst to the gradient of a scaled softmax with respect to its
// operand,
//
//	scale * weight_i * (dout_i - sum_j weight_j*dout_j)
//
// where weights is the result of the softmax. For Softmax itself, scale is 1. All three slices are
// rows x cols, and dst may be dout or weights.
//
// The sum is computed in float64 and the result is rounded once. On the vector paths the error is
// at most 8 u times scale*weight_i*(|dout_i| + sum_j weight_j*|dout_j|), plus the effect of
// underflow.
func SoftmaxBackward(dst, dout, weights []float32, rows, cols int, scale float32) {
	const kernel = "SoftmaxBackward"
	checkMatrix(kernel, "dst", dst, rows, cols)
	checkMatrix(kernel, "dout", dout, rows, cols)
	checkMatrix(kernel, "weights", weights, rows, cols)
	checkInPlace(kernel, dst, "dout", dout)
	checkInPlace(kernel, dst, "weights", weights)
	for r := range rows {
		d, o, w := dst[r*cols:][:cols], dout[r*cols:][:cols], weights[r*cols:][:cols]
		if path != simd.Generic {
			path.SoftmaxBackward(d, o, w, scale)
			continue
		}
		softmaxBackwardRow(d, o, w, float64(scale))
	}
}

// softmaxBackwardRow computes SoftmaxBackward for one row in portable Go.
func softmaxBackwardRow(dst, dout, weights []float32, scale float64) {
	dst, weights = dst[:len(dout)], weights[:len(dout)]
	mean := 0.0
	for i, d := range dout {
		mean += float64(weights[i]) * float64(d)
	}
	for i, d := range dout {
		dst[i] = float32(float64(weights[i]) * (float64(d) - mean) * scale)
	}
}
