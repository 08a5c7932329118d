package kernels

import "github.com/perftrack/perftrack/engine/kernels/simd"

// SoftmaxBackward sets each row of dst to the gradient of the operand of a softmax with a scale,
//
//	scale * weight_i * (dout_i - sum_j weight_j*dout_j)
//
// from the weights that it gave, 1 being the scale of Softmax itself. All are rows x cols; dst may be
// dout or weights.
//
// The sum is float64, and the result rounded once. On the vector paths the error is at most 8 u
// of scale*weight_i*(|dout_i| + sum_j weight_j*|dout_j|), beside what underflows.
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

// softmaxBackwardRow is SoftmaxBackward of a row in portable Go.
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
