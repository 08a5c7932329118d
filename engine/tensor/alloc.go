package tensor

// The functions below allocate their result, which suits setup and experiments. A forward pass
// takes its tensors from a Pool and uses the Into forms. Panic messages name the Into form.

// MatMul returns a*b; see MatMulInto.
func MatMul(a, b *Tensor) *Tensor {
	// If a rank is not 2, the missing dimension is 0 here, and MatMulInto panics.
	dst := New(a.dims[0], b.dims[1])
	MatMulInto(dst, a, b)
	return dst
}

// Add returns a + b; see AddInto.
func Add(a, b *Tensor) *Tensor {
	dst := New(a.Shape()...)
	AddInto(dst, a, b)
	return dst
}

// Mul returns a * b, element by element; see MulInto.
func Mul(a, b *Tensor) *Tensor {
	dst := New(a.Shape()...)
	MulInto(dst, a, b)
	return dst
}

// AddRow returns a with row added to every row; see AddRowInto.
func AddRow(a, row *Tensor) *Tensor {
	dst := New(a.Shape()...)
	AddRowInto(dst, a, row)
	return dst
}

// GELU returns the tanh form of GELU applied to src; see GELUInto.
func GELU(src *Tensor) *Tensor {
	dst := New(src.Shape()...)
	GELUInto(dst, src)
	return dst
}

// Softmax returns the softmax of src over the last dimension; see SoftmaxInto.
func Softmax(src *Tensor) *Tensor {
	dst := New(src.Shape()...)
	SoftmaxInto(dst, src)
	return dst
}

// LayerNorm returns src normalized over the last dimension; see LayerNormInto.
func LayerNorm(src, gamma, beta *Tensor, eps float32) *Tensor {
	dst := New(src.Shape()...)
	LayerNormInto(dst, src, gamma, beta, eps)
	return dst
}
