// Package kernels provides the arithmetic of the inference engine: float32
// kernels on slices, the innermost step of engine -> runner -> store ->
// compare -> reports. Tensors, models and the built-in workloads are made of
// these functions and nothing below them is ours.
//
// Matrices are row-major and contiguous. Every kernel writes its first
// argument and allocates nothing; for the kernels of the gradients, which add to
// several, see backward.go. A length that does not fit the shape, or an
// overlap the kernel cannot work with, is a programming error and panics with
// the kernel's name and the shapes. The elementwise and row kernels may work
// in place: dst may be exactly the slice a source is, and otherwise must not
// overlap it.
//
// Kernels never skip work because a factor is zero, so that NaN and Inf reach
// the result as IEEE 754 says.
//
// Error bounds in the comments are relative to the exact result and counted
// in u = 2^-24, the unit roundoff of float32.
//
// Where the processor has vector instructions, a kernel hands its checked operands to package
// simd; with PERFTRACK_SIMD=generic, and where simd has no such kernel, it computes in portable
// Go. What belongs to a kernel, LayerNorm for example:
//
//	LayerNorm           layernorm.go                          checks, chooses the path
//	layerNormRow        layernorm.go                          its twin in portable Go
//	Path.LayerNorm      simd/vectors.go                       calls the assembly
//	lanes.layerNorm     simd/generate/vectors/layernorm.go    writes the assembly
//	TestLayerNorm...    layernorm_test.go, simd/vectors_test.go
//	BenchmarkLayerNorm  vectors_bench_test.go
//
// and so on under each name; of matrix products the middle is simd/product.go and
// simd/generate/tile.go. All vector paths give the same bits, the portable code others.
//
// ParallelMatMul and ParallelVectorMatMul (parallel.go) share a product among the threads of a pool of package workers.
//
// Begin with matmul.go. Most kernels have a file of their name; elementwise.go has the
// simple ones. Gradients are in the _backward files, and what they have in common is in
// backward.go.
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
	// The product may overflow. A division would take as long as a short row does.
	if rows >= 0 && cols >= 0 {
		if over, n := bits.Mul(uint(rows), uint(cols)); over == 0 && n == uint(len(s)) {
			return
		}
	}
	panicShape(kernel, name, len(s), rows, cols)
}

// rowsFit reports whether dst and src hold exactly rows*cols elements and are the same slice or share
// none. It is inlined: where it holds, a row kernel need not call the checks that say what does not,
// which would take as long as a short row.
func rowsFit(dst, src []float32, rows, cols int) bool {
	const half = 1 << (bits.UintSize/2 - 1) // no product of two below it overflows
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

// What panics is not inlined, so that the checks are: they would take as long as a short row does.
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
