package tensor

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/kernels"
)

// MatMulInto sets dst = a*b for matrices a (m x k), b (k x n) and dst (m x n). dst must not share
// storage with a or b.
func MatMulInto(dst, a, b *Tensor) {
	if a.rank != 2 || b.rank != 2 || dst.rank != 2 ||
		a.dims[1] != b.dims[0] || dst.dims[0] != a.dims[0] || dst.dims[1] != b.dims[1] {
		panicShapes("MatMulInto", dst, "a", a, "b", b)
	}
	kernels.MatMul(dst.data, a.data, b.data, a.dims[0], a.dims[1], b.dims[1])
}

// AddInto sets dst = a + b. The shapes must be equal; dst may be a, b or both.
func AddInto(dst, a, b *Tensor) {
	if !sameShape(dst, a) || !sameShape(dst, b) {
		panicShapes("AddInto", dst, "a", a, "b", b)
	}
	kernels.Add(dst.data, a.data, b.data)
}

// MulInto sets dst = a * b, element by element. The shapes must be equal; dst may be a, b or both.
func MulInto(dst, a, b *Tensor) {
	if !sameShape(dst, a) || !sameShape(dst, b) {
		panicShapes("MulInto", dst, "a", a, "b", b)
	}
	kernels.Mul(dst.data, a.data, b.data)
}

// AddRowInto adds row to every row of a and stores the sums in dst, as for a bias. row has as many
// elements as a has columns. dst has a's shape and may be a.
func AddRowInto(dst, a, row *Tensor) {
	if !sameShape(dst, a) || a.rank == 0 || row.rank != 1 || row.dims[0] != a.cols() {
		panicShapes("AddRowInto", dst, "a", a, "row", row)
	}
	kernels.AddRow(dst.data, a.data, row.data, a.rows(), a.cols())
}

// GELUInto sets dst to the tanh form of GELU applied to src. The shapes must be equal; dst may be
// src.
func GELUInto(dst, src *Tensor) {
	if !sameShape(dst, src) {
		panicShapes("GELUInto", dst, "src", src)
	}
	kernels.GELU(dst.data, src.data)
}

// SoftmaxInto sets dst to the softmax of src over the last dimension. The shapes must be equal; dst
// may be src.
func SoftmaxInto(dst, src *Tensor) {
	if !sameShape(dst, src) {
		panicShapes("SoftmaxInto", dst, "src", src)
	}
	kernels.Softmax(dst.data, src.data, src.rows(), src.cols())
}

// LayerNormInto normalizes src over the last dimension, multiplies by gamma and adds beta. gamma
// and beta have as many elements as src has columns. dst has src's shape and may be src.
func LayerNormInto(dst, src, gamma, beta *Tensor, eps float32) {
	if !sameShape(dst, src) || gamma.rank != 1 || !sameShape(gamma, beta) || gamma.dims[0] != src.cols() {
		panicShapes("LayerNormInto", dst, "src", src, "gamma", gamma, "beta", beta)
	}
	kernels.LayerNorm(dst.data, src.data, gamma.data, beta.data, src.rows(), src.cols(), eps)
}

// panicShapes panics with the name of the operation and the shapes of dst and the operands. The
// operands alternate between name and tensor.
func panicShapes(op string, dst *Tensor, operands ...any) {
	text := fmt.Sprintf("tensor.%s: shapes do not fit: dst %v", op, dst.Shape())
	for i := 0; i < len(operands); i += 2 {
		text += fmt.Sprintf(", %s %v", operands[i], operands[i+1].(*Tensor).Shape())
	}
	panic(text)
}
