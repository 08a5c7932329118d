package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// Attention computes causal scaled dot-product attention for one head:
//
//	weights = softmax(queries*keys / sqrt(dim))    dst = weights*values
//
// (Vaswani et al., arXiv:1706.03762, section 3.2.1). rows is the number of queries. The first query
// sees the first seen keys, and each later query sees one key more than the query before it, so
// there are n = seen+rows-1 keys. queries and dst are rows x dim and values is n x dim; keys is dim
// x n, with one key in each column, so that a query's products with all keys are a sum of rows.
// weights is rows x n and becomes 0 where a query does not see a key. No position affects an
// earlier one, even if it holds NaN. dst and weights must not overlap each other or another
// operand. If n is 0, dst becomes zero.
//
// Every sum runs in order, over dim for a score and over the keys for dst, so the bits of a query's
// result do not depend on the number of queries. Let d be the largest error of a score, at most
// (gamma_dim+3u) * sum|query||key|/sqrt(dim). Then the relative error of a weight is at most e^2d-1
// + 3.01 u (to first order), and the error of dst is at most that plus gamma_n, times sum
// weight*|value|.
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

// queryBlock is the number of queries computed at once. Each of them is multiplied by all keys that
// the last query of the block sees, so a large block wastes work on its earlier queries.
const queryBlock = 8

// A scaledSoftmax computes the softmax of a row multiplied by a scale.
type scaledSoftmax struct {
	scale   float32
	factors simd.SoftmaxFactors
}

func newScaledSoftmax(scale float64) scaledSoftmax {
	return scaledSoftmax{float32(scale), simd.NewSoftmaxFactors(scale, 1)}
}

// row replaces a non-empty row by its scaled softmax.
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

// mix sets row r of dst to the weighted sum of the first seen+r values. The values seen by all rows
// are added in one product. The others are added row by row, because multiplying a NaN by 0 would
// change rows that do not see it.
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
