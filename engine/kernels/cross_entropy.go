package kernels

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// SoftmaxCrossEntropy returns the cross-entropy of the targets under the softmax of the rows of
// logits, and sets dst to its gradient:
//
//	loss     = sum over rows of (ln sum_j e^x_j - x_target) / count
//	dst[r,j] = (softmax(x)_j - [j is the target]) / count
//
// logits and dst are rows x cols, and targets holds one column number for each row; dst may be
// logits. With count = rows the loss is the mean in nats. To compute a batch in parts, pass the
// number of rows in the whole batch as count: the losses of the parts then add up to the mean, and
// the gradients to the mean's gradient. SoftmaxCrossEntropy panics if a target is out of range or
// count is below 1.
//
// The loss is computed and summed over the rows in float64. The error of a gradient is at most 2.01
// u relative to it plus 0.01 u/count, and 2^-126 where a probability is that small. A row with NaN
// or +Inf, or only -Inf, makes the loss and the row's gradients NaN. If a target's logit is -Inf
// and another logit in its row is not, the loss is +Inf.
//
// On the vector paths the error of a gradient is at most (11 + ln(cols) + max-x_j) u relative to
// it, plus 4 u/count for the target. The error of the loss is at most (8 + ln(cols)) u for each
// row.
func SoftmaxCrossEntropy(dst, logits []float32, targets []int, rows, cols, count int) float64 {
	checkMatrix("SoftmaxCrossEntropy", "dst", dst, rows, cols)
	checkMatrix("SoftmaxCrossEntropy", "logits", logits, rows, cols)
	checkInPlace("SoftmaxCrossEntropy", dst, "logits", logits)
	if len(targets) != rows || count < 1 {
		panic(fmt.Sprintf("kernels.SoftmaxCrossEntropy: %d targets and count %d for %d rows", len(targets), count, rows))
	}
	loss := 0.0
	for r, target := range targets {
		if target < 0 || target >= cols {
			panic(fmt.Sprintf("kernels.SoftmaxCrossEntropy: target %d of row %d is not one of %d columns", target, r, cols))
		}
		loss += crossEntropyRow(dst[r*cols:][:cols], logits[r*cols:][:cols], target, float64(count))
	}
	return loss / float64(count)
}

func crossEntropyRow(dst, src []float32, target int, count float64) float64 {
	own := float64(src[target]) // read before dst is written, because dst may be src
	if path == simd.Generic {
		return portableCrossEntropyRow(dst, src, target, count)
	}
	factors := simd.NewSoftmaxFactors(1, count)
	top, sum := path.Softmax(dst, src, &factors)
	if top == negInf {
		return portableCrossEntropyRow(dst, src, target, count)
	}
	own -= float64(top)
	e := 0.0
	if !(own < expFloor) {
		e = math.Exp(own)
	}
	dst[target] = float32((e - sum) / (sum * count))
	return math.Log(sum) - own
}

// portableCrossEntropyRow is crossEntropyRow in portable Go.
func portableCrossEntropyRow(dst, src []float32, target int, count float64) float64 {
	dst = dst[:len(src)]
	shift := float64(largest(src))      // if this is infinite, x and everything after it become NaN
	own := float64(src[target]) - shift // read before dst is written, because dst may be src
	sum := 0.0
	for j, v := range src {
		x := float64(v) - shift
		if x < expFloor {
			dst[j] = 0
			continue
		}
		e := exp(x)
		dst[j] = float32(e)
		sum += e
	}
	scale := 1 / (sum * count)
	for j, e := range dst {
		dst[j] = float32(float64(e) * scale)
	}
	// The target's gradient is p-1, scaled. Computing it from a p already rounded to float32 would
	// leave few correct digits when the target is almost certain.
	e := 0.0
	if !(own < expFloor) {
		e = exp(own)
	}
	dst[target] = float32((e - sum) * scale)
	return math.Log(sum) - own
}
