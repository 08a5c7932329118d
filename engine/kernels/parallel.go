package kernels

import (
	"github.com/perftrack/perftrack/engine/kernels/simd"
	"github.com/perftrack/perftrack/engine/kernels/spare"
	"github.com/perftrack/perftrack/engine/kernels/workers"
)

// A product with fewer operations than parallelFLOPs, or a vector-matrix product with fewer matrix
// elements than parallelElements, would be finished before a helper thread could begin.
const (
	parallelFLOPs    = 1 << 20
	parallelElements = 1 << 15
)

// ParallelMatMul is MatMul with the work divided among the threads of a pool. The result is the
// same to the last bit.
func ParallelMatMul(pool *workers.Pool, dst, a, b []float32, m, k, n int) {
	if pool.Threads() == 1 || 2*m*k*n < parallelFLOPs {
		MatMul(dst, a, b, m, k, n)
		return
	}
	checkMatMulShapes(dst, a, b, m, k, n)
	runProduct(pool, product{dst: dst, a: a, b: b, m: m, k: k, n: n})
}

// ParallelVectorMatMul is VectorMatMul with the work divided among the threads of a pool. The
// result is the same to the last bit.
func ParallelVectorMatMul(pool *workers.Pool, dst, x, b []float32, k, n int) {
	if pool.Threads() == 1 || k*n < parallelElements {
		VectorMatMul(dst, x, b, k, n)
		return
	}
	checkVectorMatMulShapes(dst, x, b, k, n)
	runProduct(pool, product{dst: dst, a: x, b: b, m: 1, k: k, n: n})
}

// A product computes dst = a*b in parts. A part is either some columns of all rows or all columns
// of some rows, so a single thread computes each element, in the same order as MatMul.
type product struct {
	dst, a, b     []float32
	m, k, n       int
	rows, columns int // size of a part; at least one of them equals the size of the whole matrix
}

// partLanes is the width of two AVX-512 vectors. If a product is divided by columns, every part
// except the last has a multiple of partLanes columns.
const partLanes = 32

func runProduct(pool *workers.Pool, p product) {
	threads := pool.Threads()
	p.rows, p.columns = p.m, p.n
	var parts int
	if p.byColumns(threads) {
		p.columns = roundUp((p.n+threads-1)/threads, partLanes)
		parts = (p.n + p.columns - 1) / p.columns
	} else {
		p.rows = (p.m + threads - 1) / threads
		parts = (p.m + p.rows - 1) / p.rows
	}
	t := products.Take()
	*t = p
	pool.Run(t, parts)
	*t = product{} // otherwise it would keep the operands alive
	products.Give(t)
}

// byColumns reports whether the product is divided by columns. If so, no two threads pack the same
// part of b or fetch it from distant memory.
func (p *product) byColumns(threads int) bool {
	return p.m == 1 || path != simd.Generic && p.n >= threads*partLanes
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Do computes one part of the product.
func (p *product) Do(part int) {
	j := part * p.columns
	i := 0
	if p.rows < p.m {
		i, j = part*p.rows, 0
	}
	m, n := min(p.rows, p.m-i), min(p.columns, p.n-j)
	if path != simd.Generic {
		path.Product(simd.Rows(p.dst[i*p.n+j:], p.n), simd.Rows(p.a[i*p.k:], p.k), simd.Rows(p.b[j:], p.n), m, p.k, n, false)
		return
	}
	if p.m == 1 {
		clear(p.dst[j:][:n])
		addRows1(p.dst[j:][:n], p.a, p.b[j:], p.n)
		return
	}
	matMul(p.dst[i*p.n:][:m*p.n], p.a[i*p.k:][:m*p.k], p.b, m, p.k, p.n)
}

// products keeps used products for reuse.
var products spare.List[product]
