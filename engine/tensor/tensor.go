// Package tensor provides float32 arrays with a shape, and a pool that lets a model run without
// allocating. It is the layer between engine/kernels and the models.
//
// The operations come in two forms. XInto(dst, ...) writes into an existing tensor and allocates
// nothing; X(...) allocates its result. Mismatched shapes are programming errors: the operation
// panics with its name and the shapes. A kernel's comment about working in place, NaN and error
// bounds also applies to the operation using it.
//
// Begin with tensor.go. ops.go contains the operations; alloc.go and pool.go provide the memory for
// their results.
package tensor

import (
	"fmt"
	"math"
	"slices"
)

// MaxRank is the largest number of dimensions of a Tensor: enough for batch, head, position and
// feature.
const MaxRank = 4

// Tensor is a contiguous, row-major array of float32; the last dimension varies fastest. A Tensor
// is not safe for concurrent writing.
type Tensor struct {
	// The dimensions are in the header so that a pooled tensor can take a new shape without
	// allocating.
	dims [MaxRank]int
	rank int
	data []float32

	pool  *Pool // the pool the tensor came from; nil for New and FromSlice
	class int   // size class in the pool, fixed when the storage is allocated
}

// New returns a tensor of zeros with the given shape. Without dimensions, it is a scalar with one
// element.
func New(shape ...int) *Tensor {
	t := new(Tensor)
	t.data = make([]float32, t.setShape("New", shape))
	return t
}

// FromSlice returns a tensor that uses data as its storage. len(data) must be the product of the
// dimensions.
func FromSlice(data []float32, shape ...int) *Tensor {
	t := new(Tensor)
	if n := t.setShape("FromSlice", shape); n != len(data) {
		panic(fmt.Sprintf("tensor.FromSlice: %d elements for shape %v, want %d", len(data), slices.Clone(shape), n))
	}
	t.data = data
	return t
}

// Shape returns the dimensions. The slice belongs to the tensor and must not be modified.
func (t *Tensor) Shape() []int { return t.dims[:t.rank] }

// Data returns the tensor's storage: its elements in row-major order.
func (t *Tensor) Data() []float32 { return t.data }

// Len returns the number of elements.
func (t *Tensor) Len() int { return len(t.data) }

// cols and rows treat the tensor as a matrix: the last dimension is the length of a row, and the
// product of the others is the number of rows. A scalar is one row of one element.
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

// setShape sets the dimensions and returns the number of elements. It panics, naming op, if no
// tensor can have the shape. The panics use copies of shape, because otherwise the dimensions would
// escape to the heap in every caller.
func (t *Tensor) setShape(op string, shape []int) int {
	if len(shape) > MaxRank {
		panic(fmt.Sprintf("tensor.%s: shape %v has more than %d dimensions", op, slices.Clone(shape), MaxRank))
	}
	n := 1
	for _, d := range shape {
		if d < 0 {
			panic(fmt.Sprintf("tensor.%s: negative dimension in shape %v", op, slices.Clone(shape)))
		}
		if d > 0 && n > math.MaxInt/4/d { // 4 bytes per element
			panic(fmt.Sprintf("tensor.%s: shape %v is too large", op, slices.Clone(shape)))
		}
		n *= d
	}
	t.rank = copy(t.dims[:], shape)
	return n
}

func sameShape(a, b *Tensor) bool { return slices.Equal(a.Shape(), b.Shape()) }
