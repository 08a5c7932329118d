package kernels

import "github.com/perftrack/perftrack/engine/kernels/simd"

// VectorMatMul sets dst = x*b, where x has k elements, b is k x n and dst has n elements. dst must
// not overlap x or b. The result equals that of MatMul with m = 1 to the last bit. VectorMatMul is
// for the single rows of token generation. There, no element of b is used twice, so b is not
// divided into blocks but read straight through, which suits the prefetcher. If b does not fit into
// the second-level cache, this is 1.2 to 1.6 times as fast.
func VectorMatMul(dst, x, b []float32, k, n int) {
	checkVectorMatMulShapes(dst, x, b, k, n)
	if path != simd.Generic {
		path.Product(simd.Rows(dst, n), simd.Rows(x, k), simd.Rows(b, n), 1, k, n, false)
		return
	}
	clear(dst)
	if k == 0 || n == 0 {
		return
	}
	addRows1(dst, x, b, n)
}

func checkVectorMatMulShapes(dst, x, b []float32, k, n int) {
	checkVector("VectorMatMul", "dst", dst, n)
	checkVector("VectorMatMul", "x", x, k)
	checkMatrix("VectorMatMul", "b", b, k, n)
	checkDisjoint("VectorMatMul", dst, "x", x)
	checkDisjoint("VectorMatMul", dst, "b", b)
}
