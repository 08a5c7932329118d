package kernels

import (
	"github.com/perftrack/perftrack/engine/kernels/simd"
	"github.com/perftrack/perftrack/engine/kernels/spare"
	"github.com/perftrack/perftrack/engine/kernels/workers"
)

// Below so many operations, or elements that are read once, a product is over before a helper
// has begun.
const (
	parallelFLOPs    = 1 << 20
	parallelElements = 1 << 15
)

// ParallelMatMul is MatMul, to the last bit, on the threads of a pool.
func ParallelMatMul(pool *workers.Pool, dst, a, b []float32, m, k, n int) {
	if pool.Threads() == 1 || 2*m*k*n < parallelFLOPs {
		MatMul(dst, a, b, m, k, n)
		return
	}
	checkMatMulShapes(dst, a, b, m, k, n)
	runProduct(pool, product{dst: dst, a: a, b: b, m: m, k: k, n: n})
}

// ParallelVectorMatMul is VectorMatMul, to the last bit, on the threads of a pool.
func ParallelVectorMatMul(pool *workers.Pool, dst, x, b []float32, k, n int) {
	if pool.Threads() == 1 || k*n < parallelElements {
		VectorMatMul(dst, x, b, k, n)
		return
	}
	checkVectorMatMulShapes(dst, x, b, k, n)
	runProduct(pool, product{dst: dst, a: x, b: b, m: 1, k: k, n: n})
}

// A product is dst = a*b in parts of some columns of all rows, or of some rows: an element is
// computed by one thread alone, in the order in which MatMul does.
type product struct {
	dst, a, b     []float32
	m, k, n       int
	rows, columns int // of a part: all of one of them
}

// partLanes is what a part's columns are a multiple of: two vectors.
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
	*t = product{} // or it would keep the operands
	products.Give(t)
}

// byColumns reports whether a part is some of the columns: then no two threads pack, or read
// from afar, the same of b.
func (p *product) byColumns(threads int) bool {
	return p.m == 1 || path != simd.Generic && p.n >= threads*partLanes
}

func roundUp(n, unit int) int { return (n + unit - 1) / unit * unit }

// Do computes a part.
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

// products are tasks for the next ones.
var products spare.List[product]
