package kernels

import "fmt"

// The gradient kernels, XBackward, take the gradient of a loss with respect to
// the result of X and give that with respect to X's operands. A gradient is
// named d and its operand: dout is the gradient of the result, da that of a.
//
// An operand that can have several uses, a weight or the residual stream, gets
// its gradient added: MatMulBackward, AddRowBackward, LayerNormBackward and
// AttentionBackward add to every gradient they are given, in float32, and the
// caller clears it first where it starts. GELUBackward and SoftmaxCrossEntropy
// set theirs, and may work in place.
//
// Every sum runs in an order that follows from the shape alone, so the bits of a
// gradient do not depend on the machine's number of processors.

// checkGradient panics if the gradient d overlaps one of the other operands.
func checkGradient(kernel, name string, d []float32, others ...[]float32) {
	for _, s := range others {
		if overlaps(d, s) {
			panic(fmt.Sprintf("kernels.%s: %s (%d elements) overlaps another operand", kernel, name, len(d)))
		}
	}
}
