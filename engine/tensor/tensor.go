// Package tensor provides shaped float32 arrays over the kernels, and the pool
// that lets a model run without allocating: the layer between engine/kernels
// and the models, at the start of engine -> runner -> store -> compare ->
// reports.
//
// The operations come in two forms. XInto(dst, ...) writes into an existing
// tensor and allocates nothing; X(...) allocates its result. Shapes that do not
// fit are programming errors: they panic with the operation's name and the
// shapes. What a kernel says about working in place, about NaN and about
// error bounds holds for the operation on it.
//
// Begin with tensor.go; ops.go has the operations, alloc.go and pool.go where the memory
// of their results comes from.
package tensor

import (
	"fmt"
	"math"
	"slices"
)

// MaxRank is the largest number of dimensions of a Tensor: batch, head,
// position and feature.
const MaxRank = 4

// Tensor is a contiguous, row-major array of float32. The last dimension is the
// fastest. A Tensor is not safe for concurrent writing.
type Tensor struct {
	// The dimensions live in the header so that a pooled tensor takes a new
	// shape without allocating.
	dims [MaxRank]int
	rank int
	data []float32

	pool  *Pool // that Get returned it from, nil for New and FromSlice
	class int   // of the pool, fixed when the storage was made
}

// New returns a tensor of zeros. Without dimensions it is a scalar, one element.
func New(shape ...int) *Tensor {
	t := new(Tensor)
	t.data = make([]float32, t.setShape("New", shape))
	return t
}

// FromSlice returns a tensor that uses data as its storage. len(data) must be
// the product of the shape.
func FromSlice(data []float32, shape ...int) *Tensor {
	t := new(Tensor)
	if n := t.setShape("FromSlice", shape); n != len(data) {
		panic(fmt.Sprintf("tensor.FromSlice: %d elements for shape %v, want %d", len(data), slices.Clone(shape), n))
	}
	t.data = data
	return t
}

// Shape returns the dimensions. The slice belongs to the tensor: read it only.
func (t *Tensor) Shape() []int { return t.dims[:t.rank] }

// Data returns the elements in row-major order: the storage itself.
func (t *Tensor) Data() []float32 { return t.data }

// Len returns the number of elements.
func (t *Tensor) Len() int { return len(t.data) }

// rows and cols see the tensor as a matrix: the last dimension is a row, all
// others count rows. A scalar is one row of one element.
func (t *Tensor) cols() int {
	if t.rank == 0 {
		return 1
	}
	return t.dims[t.rank-1]
}

func (t *Tensor) rows() int {
	n := 1
	for _, d := range t.dims[:max(0, t.rank-1)] {
		n *= d
	}
	return n
}

// setShape sets the dimensions and returns the number of elements. It panics,
// naming op, on a shape no tensor can have. Only copies of shape reach the
// panics: otherwise every caller's dimensions would be allocated.
func (t *Tensor) setShape(op string, shape []int) int {
	if len(shape) > MaxRank {
		panic(fmt.Sprintf("tensor.%s: shape %v has more than %d dimensions", op, slices.Clone(shape), MaxRank))
	}
	n := 1
	for _, d := range shape {
		if d < 0 {
			panic(fmt.Sprintf("tensor.%s: negative dimension in shape %v", op, slices.Clone(shape)))
		}
		if d > 0 && n > math.MaxInt/4/d { // 4 bytes an element
			panic(fmt.Sprintf("tensor.%s: shape %v is too large", op, slices.Clone(shape)))
		}
		n *= d
	}
	t.rank = copy(t.dims[:], shape)
	return n
}

func sameShape(a, b *Tensor) bool { return slices.Equal(a.Shape(), b.Shape()) }
