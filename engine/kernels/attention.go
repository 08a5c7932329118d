package kernels

import "math"

// Attention is one query's scaled dot-product attention over n keys in one head,
//
//	weights = softmax(keys*query / sqrt(dim))    dst = weights*values
//
// (Vaswani et al., arXiv:1706.03762, section 3.2.1). keys and values are n x dim,
// weights has n elements, query and dst have dim. A causal model passes the keys
// up to the query's own position, so nothing is masked and a later position,
// NaN or not, cannot reach an earlier one. dst must overlap no other operand,
// weights none but itself. With n = 0 dst becomes zero.
//
// Every sum runs in order: of dim in a score, of the keys in dst. With d the
// largest error of a score, gamma_dim+3u of sum|query||key|/sqrt(dim), the
// relative error of a weight is at most e^2d-1 + 3.01 u (to first order), and
// dst's error gamma_n more than that of sum weight*|value|.
func Attention(dst, weights, query, keys, values []float32, n, dim int) {
	checkVector("Attention", "dst", dst, dim)
	checkVector("Attention", "weights", weights, n)
	checkVector("Attention", "query", query, dim)
	checkMatrix("Attention", "keys", keys, n, dim)
	checkMatrix("Attention", "values", values, n, dim)
	checkDisjoint("Attention", dst, "weights", weights)
	checkDisjoint("Attention", dst, "query", query)
	checkDisjoint("Attention", dst, "keys", keys)
	checkDisjoint("Attention", dst, "values", values)
	if overlaps(weights, query) || overlaps(weights, keys) || overlaps(weights, values) {
		panic("kernels.Attention: weights overlaps query, keys or values")
	}
	if n == 0 || dim == 0 {
		clear(dst)
		clear(weights)
		return
	}
	dotRows(weights, query, keys)
	scale := float32(1 / math.Sqrt(float64(dim)))
	for i := range weights {
		weights[i] *= scale
	}
	softmaxRow(weights, weights)
	VectorMatMul(dst, weights, values, n, dim)
}

// dotRows sets dst[i] to the product of x with row i of rows, len(x) elements
// each. Four rows run side by side: one sum would wait out the latency of an
// addition at every element.
func dotRows(dst, x, rows []float32) {
	n := len(x)
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		r0, r1 := rows[i*n:][:len(x)], rows[(i+1)*n:][:len(x)]
		r2, r3 := rows[(i+2)*n:][:len(x)], rows[(i+3)*n:][:len(x)]
		var s0, s1, s2, s3 float32
		for j, v := range x {
			s0 += v * r0[j]
			s1 += v * r1[j]
			s2 += v * r2[j]
			s3 += v * r3[j]
		}
		d := dst[i:][:4]
		d[0], d[1], d[2], d[3] = s0, s1, s2, s3
	}
	for ; i < len(dst); i++ {
		row, s := rows[i*n:][:len(x)], float32(0)
		for j, v := range x {
			s += v * row[j]
		}
		dst[i] = s
	}
}
