// Package kernels provides the arithmetic of the inference engine: float32 kernels on slices. It is
// the lowest layer of the engine, below the tensors, the models and the built-in workloads.
//
// Matrices are row-major and contiguous. Every kernel writes its result to its first argument and
// allocates nothing. The gradient kernels, which add to several arguments, are described in
// backward.go. A length that does not match the shape, or an overlap that the kernel cannot handle,
// is a programming error: the kernel panics with its name and the shapes. The elementwise and row
// kernels can work in place: dst may be the same slice as a source, but must not overlap it
// otherwise.
//
// Kernels never skip work because a factor is zero, so NaN and Inf propagate to the result as IEEE
// 754 requires.
//
// Error bounds in the comments are relative to the exact result and in units of u = 2^-24, the unit
// roundoff of float32.
//
// If the processor has vector instructions, a kernel checks its operands and passes them to package
// simd. With PERFTRACK_SIMD=generic, or if simd does not implement the kernel, it computes the
// result in portable Go. These are the parts of one kernel, LayerNorm:
//
//	LayerNorm           layernorm.go                          checks, chooses the path
//	layerNormRow        layernorm.go                          computes a row in portable Go
//	Path.LayerNorm      simd/vectors.go                       calls the assembly
//	lanes.layerNorm     simd/generate/vectors/layernorm.go    writes the assembly
//	TestLayerNorm...    layernorm_test.go, simd/vectors_test.go
//	BenchmarkLayerNorm  vectors_bench_test.go
//
// The other kernels follow the same naming, except that matrix products use simd/product.go and
// simd/generate/tile.go. All vector paths give the same bits; the results of the portable code
// differ slightly.
//
// ParallelMatMul and ParallelVectorMatMul (parallel.go) divide a product among the threads of a
// workers.Pool.
//
// Begin with matmul.go. Most kernels are in a file named after them; elementwise.go contains the
// simple ones. The gradient kernels are in the _backward files.
package kernels

import (
	"fmt"
	"math"
	"math/bits"
	"unsafe"
)

var (
	negInf = float32(math.Inf(-1))
	nan    = float32(math.NaN())
)

// checkMatrix panics unless s holds exactly rows*cols elements.
func checkMatrix(kernel, name string, s []float32, rows, cols int) {
	// rows*cols may overflow an int, so compute the product in double width. Checking with a
	// division would take as long as the kernel needs for a short row.
	if rows >= 0 && cols >= 0 {
		if over, n := bits.Mul(uint(rows), uint(cols)); over == 0 && n == uint(len(s)) {
			return
		}
	}
	panicShape(kernel, name, len(s), rows, cols)
}

// rowsFit reports whether dst and src hold exactly rows*cols elements and are either the same slice
// or do not overlap. It is small enough to be inlined. If it returns true, a kernel can skip the
// checks that produce panic messages, which would take as long as processing a short row.
func rowsFit(dst, src []float32, rows, cols int) bool {
	const half = 1 << (bits.UintSize/2 - 1) // the product of two smaller numbers does not overflow
	return uint(rows|cols) < half && rows*cols == len(dst) && len(src) == len(dst) && (unsafe.SliceData(dst) == unsafe.SliceData(src) || !overlaps(dst, src))
}

// checkVector panics unless s holds exactly n elements.
func checkVector(kernel, name string, s []float32, n int) {
	if len(s) != n {
		panicLength(kernel, name, len(s), n)
	}
}

//go:noinline
func panicLength(kernel, name string, n, want int) {
	panic(fmt.Sprintf("kernels.%s: %s has %d elements, want %d", kernel, name, n, want))
}

// panicShape and the other panic functions are not inlined, so that the compiler can inline the
// checks. Calling a check would take as long as processing a short row.
//
//go:noinline
func panicShape(kernel, name string, n, rows, cols int) {
	panic(fmt.Sprintf("kernels.%s: %s has %d elements, want %dx%d", kernel, name, n, rows, cols))
}

// checkDisjoint panics if dst and s share an element.
func checkDisjoint(kernel string, dst []float32, name string, s []float32) {
	if overlaps(dst, s) {
		panicOverlap(kernel, name, len(dst), len(s))
	}
}

// checkInPlace panics if dst and s share elements without being the same
// slice. The caller has checked that their lengths are equal.
func checkInPlace(kernel string, dst []float32, name string, s []float32) {
	if overlaps(dst, s) && unsafe.SliceData(dst) != unsafe.SliceData(s) {
		panicOverlap(kernel, name, len(dst), len(s))
	}
}

//go:noinline
func panicOverlap(kernel, name string, n, m int) {
	panic(fmt.Sprintf("kernels.%s: dst (%d elements) overlaps %s (%d elements)", kernel, n, name, m))
}

func overlaps(x, y []float32) bool {
	x0, y0 := uintptr(unsafe.Pointer(unsafe.SliceData(x))), uintptr(unsafe.Pointer(unsafe.SliceData(y)))
	return len(x) > 0 && len(y) > 0 && x0 < y0+4*uintptr(len(y)) && y0 < x0+4*uintptr(len(x))
}
