package kernels

import "github.com/perftrack/perftrack/engine/kernels/simd"

// fewRows is the smallest number of rows in dout for which MatMulBackward transposes b to compute
// da as a tiled product.
const fewRows = 8

// MatMulBackward adds the gradients of MatMul's operands to da and db:
//
//	da += dout * transposed b    db += transposed a * dout
//
// Here a and da are m x k, b and db are k x n and dout is m x n. If da or db is nil, its gradient
// is not computed. da and db must not overlap each other or another operand.
//
// Each element of da is summed over n (in blocks of widthBlock in portable Go) and each element of
// db over m in order. The error is therefore at most gamma_(n+1) and gamma_(m+1), respectively,
// times the sum of the magnitudes of the terms and of the previous value.
func MatMulBackward(da, db, dout, a, b []float32, m, k, n int) {
	checkMatrix("MatMulBackward", "dout", dout, m, n)
	checkMatrix("MatMulBackward", "a", a, m, k)
	checkMatrix("MatMulBackward", "b", b, k, n)
	if da != nil {
		checkMatrix("MatMulBackward", "da", da, m, k)
		checkGradient("MatMulBackward", "da", da, db, dout, a, b)
	}
	if db != nil {
		checkMatrix("MatMulBackward", "db", db, k, n)
		checkGradient("MatMulBackward", "db", db, dout, a, b)
	}
	if m == 0 || k == 0 || n == 0 {
		return
	}
	if da != nil {
		if path == simd.Generic || m < fewRows {
			addTimesTransposed(da, dout, b, m, k, n)
		} else {
			path.Product(simd.Rows(da, k), simd.Rows(dout, n), simd.Rows(b, n).Transposed(), m, n, k, true)
		}
	}
	if db != nil {
		if path == simd.Generic {
			addTransposedTimes(db, a, dout, m, k, n)
		} else {
			path.Product(simd.Rows(db, n), simd.Rows(a, k).Transposed(), simd.Rows(dout, n), k, m, n, true)
		}
	}
}

// addTimesTransposed adds x * transposed b to d by multiplying rows with rows. x is m x n, b is k x
// n and d is m x k. The block sizes are those of MatMul.
func addTimesTransposed(d, x, b []float32, m, k, n int) {
	for j := 0; j < n; j += widthBlock {
		width := min(widthBlock, n-j)
		for p := 0; p < k; p += depthBlock {
			depth := min(depthBlock, k-p)
			block := b[p*n+j:]
			i := 0
			for ; i+2 <= m; i += 2 {
				addDots2(d[i*k+p:][:depth], d[(i+1)*k+p:][:depth],
					x[i*n+j:][:width], x[(i+1)*n+j:][:width], block, n)
			}
			if i < m {
				addDots1(d[i*k+p:][:depth], x[i*n+j:][:width], block, n)
			}
		}
	}
}

// addDots2 adds the dot product of x and row p of b to d[p], and the dot product of y and row p to
// e[p]. Row p starts at p*stride. It computes eight sums side by side, with 16 operations for every
// 6 loads, and no addition waits for the one before it.
func addDots2(d, e, x, y, b []float32, stride int) {
	e = e[:len(d)]
	y = y[:len(x)]
	p := 0
	for ; p+4 <= len(d); p += 4 {
		b0, b1 := b[p*stride:][:len(x)], b[(p+1)*stride:][:len(x)]
		b2, b3 := b[(p+2)*stride:][:len(x)], b[(p+3)*stride:][:len(x)]
		var s0, s1, s2, s3, t0, t1, t2, t3 float32
		for j, u := range x {
			v := y[j]
			w := b0[j]
			s0 += u * w
			t0 += v * w
			w = b1[j]
			s1 += u * w
			t1 += v * w
			w = b2[j]
			s2 += u * w
			t2 += v * w
			w = b3[j]
			s3 += u * w
			t3 += v * w
		}
		q := d[p:][:4]
		q[0], q[1], q[2], q[3] = q[0]+s0, q[1]+s1, q[2]+s2, q[3]+s3
		q = e[p:][:4]
		q[0], q[1], q[2], q[3] = q[0]+t0, q[1]+t1, q[2]+t2, q[3]+t3
	}
	for ; p < len(d); p++ {
		row := b[p*stride:][:len(x)]
		d[p] += dot(x, row)
		e[p] += dot(y, row)
	}
}

// addDots1 is addDots2 for a single row, the last row of an odd m.
func addDots1(d, x, b []float32, stride int) {
	for p := range d {
		d[p] += dot(x, b[p*stride:][:len(x)])
	}
}

func dot(x, y []float32) float32 {
	y = y[:len(x)]
	s := float32(0)
	for j, v := range x {
		s += v * y[j]
	}
	return s
}

// addTransposedTimes adds transposed a * x to d, where a is m x k, x is m x n and d is k x n. It
// copies two columns of a at a time into contiguous arrays, which MatMul's inner loop reads as
// rows. Every copied factor is used for a whole block of columns.
func addTransposedTimes(d, a, x []float32, m, k, n int) {
	var even, odd [depthBlock]float32
	for j := 0; j < n; j += widthBlock {
		width := min(widthBlock, n-j)
		for i := 0; i < m; i += depthBlock {
			depth := min(depthBlock, m-i)
			block := x[i*n+j:]
			p := 0
			for ; p+2 <= k; p += 2 {
				for r := range depth {
					pair := a[(i+r)*k+p:][:2]
					even[r], odd[r] = pair[0], pair[1]
				}
				addRows2(d[p*n+j:][:width], d[(p+1)*n+j:][:width], even[:depth], odd[:depth], block, n)
			}
			if p < k {
				for r := range depth {
					even[r] = a[(i+r)*k+p]
				}
				addRows1(d[p*n+j:][:width], even[:depth], block, n)
			}
		}
	}
}
