package tensor

import (
	"fmt"
	"math/bits"
	"slices"
	"sync"
)

// Pool recycles tensors. Once every shape has been requested, Get and Put allocate nothing, not
// even the header. The zero Pool is ready to use; it is safe for concurrent use.
//
// Storage comes in size classes that are powers of two, and shapes of the same class share it; a
// tensor takes less than twice the memory it needs. The pool never frees a tensor. A sync.Pool
// would be emptied by garbage collections, and benchmarks would then measure refilling it.
type Pool struct {
	mu   sync.Mutex
	free [bits.UintSize][]*Tensor // by class; the storage has 1<<class elements
}

// minClass is the smallest class, 16 elements or one cache line.
const minClass = 4

// Get returns a tensor of the given shape. Its contents are arbitrary, so the caller must overwrite
// all of them.
func (p *Pool) Get(shape ...int) *Tensor { return p.get("Pool.Get", shape) }

// GetZeroed returns a tensor of zeros with the given shape.
func (p *Pool) GetZeroed(shape ...int) *Tensor {
	t := p.get("Pool.GetZeroed", shape)
	clear(t.data)
	return t
}

func (p *Pool) get(op string, shape []int) *Tensor {
	var header Tensor
	n := header.setShape(op, shape)
	class := sizeClass(n)
	t := p.take(class)
	if t == nil {
		t = &Tensor{data: make([]float32, 1<<class), class: class}
	}
	t.dims, t.rank = header.dims, header.rank
	t.data = t.data[:n]
	t.pool = p
	return t
}

// take returns a free tensor of the class, or nil.
func (p *Pool) take(class int) *Tensor {
	p.mu.Lock()
	defer p.mu.Unlock()
	free := p.free[class]
	if len(free) == 0 {
		return nil
	}
	last := len(free) - 1
	t := free[last]
	free[last] = nil // otherwise a tensor never put back could not be collected
	p.free[class] = free[:last]
	return t
}

// Put returns t to the pool. Neither t nor its Data may be used afterwards. t has no elements until
// it is handed out again, so most accidental uses panic. Put panics if t is not from this pool or
// has already been put back.
func (p *Pool) Put(t *Tensor) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.pool != p {
		panic(fmt.Sprintf("tensor.Pool.Put: the tensor of shape %v is not from this pool, or was put back already",
			slices.Clone(t.Shape())))
	}
	t.pool = nil
	t.dims, t.rank = [MaxRank]int{}, 1
	t.data = t.data[:0]
	p.free[t.class] = append(p.free[t.class], t)
}

// sizeClass returns the smallest class with storage for n elements.
func sizeClass(n int) int {
	return max(minClass, bits.Len(uint(max(n, 1)-1)))
}
