package kernels

import "fmt"

// The gradient kernels, XBackward, turn the gradient of a loss with respect to the result of X into
// its gradient with respect to X's operands. The name of a gradient is d followed by the name of
// the operand: dout is the gradient of the result, da the gradient of a.
//
// The gradients of an operand that can be used several times, such as a weight or the residual
// stream, have to be accumulated. MatMulBackward, AddRowBackward, LayerNormBackward and
// AttentionBackward therefore add to the gradients they are given, in float32, and the caller
// clears them before the first use. GELUBackward and SoftmaxCrossEntropy overwrite their result and
// may work in place.
//
// The shape alone determines the order of every sum, so the bits of a gradient do not depend on the
// machine's number of processors.

// checkGradient panics if the gradient d overlaps one of the other operands.
func checkGradient(kernel, name string, d []float32, others ...[]float32) {
	for _, s := range others {
		if overlaps(d, s) {
			panic(fmt.Sprintf("kernels.%s: %s (%d elements) overlaps another operand", kernel, name, len(d)))
		}
	}
}
