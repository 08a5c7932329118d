package kernels

import "github.com/perftrack/perftrack/engine/kernels/simd"

// These are the block sizes of MatMul, in elements. A block of b takes 128 KiB, so it stays in the
// second-level cache while every row of a passes over it; one row of a block of dst takes 1 KiB and
// stays in the first-level cache. Smaller blocks (64x128) were 3 % slower at size 256 and 9 %
// slower at 512.
const (
	depthBlock = 128
	widthBlock = 256
)

// MatMul sets dst = a*b, where a is m x k, b is k x n and dst is m x n. dst must not overlap a or
// b. If k is 0, dst becomes zero.
//
// Each element is summed in order of k, so its error is at most gamma_k*sum|a||b| with gamma_k =
// k*u/(1-k*u), for any block sizes (Higham, Accuracy and Stability of Numerical Algorithms, section
// 3.1). The vector paths do not round between multiplication and addition. They all give the same
// bits, which can differ from those of the portable code.
func MatMul(dst, a, b []float32, m, k, n int) {
	checkMatMulShapes(dst, a, b, m, k, n)
	if path != simd.Generic {
		path.Product(simd.Rows(dst, n), simd.Rows(a, k), simd.Rows(b, n), m, k, n, false)
		return
	}
	matMul(dst, a, b, m, k, n)
}

func checkMatMulShapes(dst, a, b []float32, m, k, n int) {
	checkMatrix("MatMul", "dst", dst, m, n)
	checkMatrix("MatMul", "a", a, m, k)
	checkMatrix("MatMul", "b", b, k, n)
	checkDisjoint("MatMul", dst, "a", a)
	checkDisjoint("MatMul", dst, "b", b)
}

// matMul is MatMul in portable Go.
func matMul(dst, a, b []float32, m, k, n int) {
	clear(dst)
	if m == 0 || k == 0 || n == 0 {
		return
	}
	for j := 0; j < n; j += widthBlock {
		width := min(widthBlock, n-j)
		for p := 0; p < k; p += depthBlock {
			depth := min(depthBlock, k-p)
			block := b[p*n+j:]
			i := 0
			for ; i+2 <= m; i += 2 {
				addRows2(dst[i*n+j:][:width], dst[(i+1)*n+j:][:width],
					a[i*k+p:][:depth], a[(i+1)*k+p:][:depth], block, n)
			}
			if i < m {
				addRows1(dst[i*n+j:][:width], a[i*k+p:][:depth], block, n)
			}
		}
	}
}

// addRows2 adds x*b to d and y*b to e, where row p of b starts at p*stride.
//
// The inner loop works on a block of 2 rows by 4 steps of k. It keeps eight factors in registers
// and does 16 floating-point operations for every 4 loads of b. A wider block (4x4) does not fit
// into the 16 vector registers and is slower than no blocking at all. The order of the statements
// keeps the compiler from spilling registers.
func addRows2(d, e, x, y, b []float32, stride int) {
	e = e[:len(d)]
	y = y[:len(x)]
	p := 0
	for ; p+4 <= len(x); p += 4 {
		x0, x1, x2, x3 := x[p], x[p+1], x[p+2], x[p+3]
		y0, y1, y2, y3 := y[p], y[p+1], y[p+2], y[p+3]
		b0 := b[p*stride:][:len(d)]
		b1 := b[(p+1)*stride:][:len(d)]
		b2 := b[(p+2)*stride:][:len(d)]
		b3 := b[(p+3)*stride:][:len(d)]
		for j := range d {
			s, t := d[j], e[j]
			v := b0[j]
			s += x0 * v
			t += y0 * v
			v = b1[j]
			s += x1 * v
			t += y1 * v
			v = b2[j]
			s += x2 * v
			t += y2 * v
			v = b3[j]
			s += x3 * v
			t += y3 * v
			d[j], e[j] = s, t
		}
	}
	for ; p < len(x); p++ {
		addScaled(d, x[p], b[p*stride:])
		addScaled(e, y[p], b[p*stride:])
	}
}

// addRows1 adds x*b to d. It replaces addRows2 for the last row of an odd m and for the
// vector-matrix products of token generation.
func addRows1(d, x, b []float32, stride int) {
	p := 0
	for ; p+4 <= len(x); p += 4 {
		x0, x1, x2, x3 := x[p], x[p+1], x[p+2], x[p+3]
		b0 := b[p*stride:][:len(d)]
		b1 := b[(p+1)*stride:][:len(d)]
		b2 := b[(p+2)*stride:][:len(d)]
		b3 := b[(p+3)*stride:][:len(d)]
		for j := range d {
			d[j] = d[j] + x0*b0[j] + x1*b1[j] + x2*b2[j] + x3*b3[j]
		}
	}
	for ; p < len(x); p++ {
		addScaled(d, x[p], b[p*stride:])
	}
}

// addScaled adds x times the first len(d) elements of b to d.
func addScaled(d []float32, x float32, b []float32) {
	b = b[:len(d)]
	for j := range d {
		d[j] += x * b[j]
	}
}
