package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// Attention is causal scaled dot-product attention in one head,
//
//	weights = softmax(queries*keys / sqrt(dim))    dst = weights*values
//
// (Vaswani et al., arXiv:1706.03762, section 3.2.1), for rows queries, the first of which sees
// the first seen keys and each further one a key more, n = seen+rows-1 in all. queries and dst
// are rows x dim, values n x dim; keys are dim x n, a column a key, so that the products with
// all keys are sums of rows. weights is rows x n and 0 where a query does not see a key.
// A later position, NaN or not, cannot reach an earlier one. dst must overlap no other operand,
// weights none but itself. With n = 0 dst becomes zero.
//
// Every sum runs in order, of dim in a score, of the keys in dst, so that the bits of a query's
// result do not depend on how many there are. With d the
// largest error of a score, gamma_dim+3u of sum|query||key|/sqrt(dim), the
// relative error of a weight is at most e^2d-1 + 3.01 u (to first order), and
// dst's error gamma_n more than that of sum weight*|value|.
func Attention(dst, weights, queries, keys, values Rows, seen, rows, dim int) {
	const kernel = "Attention"
	n := seen + rows - 1
	checkSeen(kernel, seen, rows)
	checkRows(kernel, "dst", dst, rows, dim)
	checkRows(kernel, "weights", weights, rows, n)
	checkRows(kernel, "queries", queries, rows, dim)
	checkRows(kernel, "keys", keys, dim, n)
	checkRows(kernel, "values", values, n, dim)
	if near(dst, weights, queries, keys, values) || near(weights, queries, keys, values) {
		checkApart(kernel, "dst", dst, rows, dim, []shaped{
			{"weights", weights, rows, n}, {"queries", queries, rows, dim}, {"keys", keys, dim, n}, {"values", values, n, dim},
		})
		checkApart(kernel, "weights", weights, rows, n, []shaped{
			{"queries", queries, rows, dim}, {"keys", keys, dim, n}, {"values", values, n, dim},
		})
	}
	if n == 0 || dim == 0 {
		for r := range rows {
			clear(dst.row(r, dim))
			clear(weights.row(r, n))
		}
		return
	}
	s := newScaledSoftmax(1 / math.Sqrt(float64(dim)))
	for first := 0; first < rows; first += queryBlock {
		m := min(queryBlock, rows-first)
		d, w, q := dst.from(first), weights.from(first), queries.from(first)
		scores(w, q, keys, m, dim, seen+first+m-1)
		for r := range m {
			row := w.row(r, n)
			seeing := row[:seen+first+r]
			clear(row[len(seeing):])
			s.row(seeing)
		}
		mix(d, w, values, seen+first, m, dim)
	}
}

// queryBlock is how many queries are computed at once: what of the keys the last of them sees
// and the first does not is computed for nothing.
const queryBlock = 8

// A scaledSoftmax is the softmax of a multiple of a row.
type scaledSoftmax struct {
	scale   float32
	factors simd.SoftmaxFactors
}

func newScaledSoftmax(scale float64) scaledSoftmax {
	return scaledSoftmax{float32(scale), simd.NewSoftmaxFactors(scale, 1)}
}

// row replaces a row that is not empty.
func (s *scaledSoftmax) row(row []float32) {
	if path != simd.Generic {
		if top, _ := path.Softmax(row, row, &s.factors); top == negInf {
			softmaxMasked(row, row)
		}
		return
	}
	for i := range row {
		row[i] *= s.scale
	}
	portableSoftmaxRow(row, row)
}

// scores sets the rows of dst to the products of queries with the first n keys.
func scores(dst, queries, keys Rows, rows, dim, n int) {
	if path != simd.Generic {
		path.Product(dst.matrix(), queries.matrix(), keys.matrix(), rows, dim, n, false)
		return
	}
	for r := range rows {
		row := dst.row(r, n)
		clear(row)
		addRows1(row, queries.row(r, dim), keys.At, keys.Stride)
	}
}

// mix sets row r of dst to the sum of the first seen+r values with their weights: of those that
// all see in one product, of the others one by one, because nothing may be multiplied by 0 that
// could be NaN.
func mix(dst, weights, values Rows, seen, rows, dim int) {
	if path != simd.Generic {
		path.Product(dst.matrix(), weights.matrix(), values.matrix(), rows, seen, dim, false)
		for r := 1; r < rows; r++ {
			late := Rows{weights.row(r, seen+r)[seen:], weights.Stride}
			path.Product(dst.from(r).matrix(), late.matrix(), values.from(seen).matrix(), 1, r, dim, true)
		}
		return
	}
	for r := range rows {
		row := dst.row(r, dim)
		clear(row)
		addRows1(row, weights.row(r, seen+r), values.At, values.Stride)
	}
}
