package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// AttentionBackward adds the gradients of Attention's operands to dqueries, dkeys and dvalues. As
// in Attention, rows is the number of queries, and the first query sees the first seen of the n =
// seen+rows-1 keys. queries, keys, values and weights come from the forward pass. dout, queries and
// dqueries are rows x dim; keys, values and their gradients are n x dim, with one key or value in
// each row; weights and dscores are rows x n. dscores is set to the gradient of the products
// query.key_i:
//
//	dvalues_i += weight_i*dout
//	dscore_i   = weight_i*(dout.value_i - sum_j weight_j*dout.value_j)/sqrt(dim)
//	dquery    += sum_i dscore_i*key_i
//	dkeys_i   += dscore_i*query
//
// Neither a gradient nor dscores may overlap another operand. Every sum runs in order, over dim,
// the keys or the queries; the sum over j is in float64. The weights of keys that a query does not
// see must be 0, as Attention leaves them.
func AttentionBackward(dqueries, dkeys, dvalues, dscores, dout, weights, queries, keys, values Rows, seen, rows, dim int) {
	const kernel = "AttentionBackward"
	n := seen + rows - 1
	checkSeen(kernel, seen, rows)
	operands := []shaped{
		{"dqueries", dqueries, rows, dim},
		{"dkeys", dkeys, n, dim},
		{"dvalues", dvalues, n, dim},
		{"dscores", dscores, rows, n},
		{"dout", dout, rows, dim},
		{"weights", weights, rows, n},
		{"queries", queries, rows, dim},
		{"keys", keys, n, dim},
		{"values", values, n, dim},
	}
	for _, o := range operands {
		checkRows(kernel, o.name, o.Rows, o.rows, o.cols)
	}
	for i, o := range operands[:4] {
		checkApart(kernel, o.name, o.Rows, o.rows, o.cols, operands[i+1:])
	}
	if n == 0 || dim == 0 {
		for r := range rows {
			clear(dscores.row(r, n))
		}
		return
	}
	if path == simd.Generic {
		attentionBackward(dqueries, dkeys, dvalues, dscores, dout, weights, queries, keys, values, seen, rows, dim)
		return
	}
	for first := 0; first < rows; first += gradientBlock {
		m := min(gradientBlock, rows-first)
		last := seen + first + m - 1 // number of keys that the last query of the block sees
		d, w, out := dscores.from(first), weights.from(first), dout.from(first)
		path.Product(d.matrix(), out.matrix(), values.matrix().Transposed(), m, dim, last, false)
		for r := range m {
			row := d.row(r, n)
			clear(row[seen+first+r:])
			scoreGradients(row[:seen+first+r], w.row(r, seen+first+r), dim)
		}
		path.Product(dqueries.from(first).matrix(), d.matrix(), keys.matrix(), m, last, dim, true)
		path.Product(dkeys.matrix(), d.matrix().Transposed(), queries.from(first).matrix(), last, m, dim, true)
		path.Product(dvalues.matrix(), w.matrix().Transposed(), out.matrix(), last, m, dim, true)
	}
}

// gradientBlock is the number of queries processed at once. The earlier queries of a block multiply
// the keys they do not see by 0.
const gradientBlock = 32

// scoreGradients turns the products dout.value_i in d into the gradients of the scores.
func scoreGradients(d, weights []float32, dim int) {
	weights = weights[:len(d)]
	mean := 0.0
	for i, v := range d {
		mean += float64(weights[i]) * float64(v)
	}
	scale := 1 / math.Sqrt(float64(dim))
	for i, v := range d {
		d[i] = float32(float64(weights[i]) * (float64(v) - mean) * scale)
	}
}

// attentionBackward is AttentionBackward in portable Go, query by query.
func attentionBackward(dqueries, dkeys, dvalues, dscores, dout, weights, queries, keys, values Rows, seen, rows, dim int) {
	for r := range rows {
		n := seen + r
		d, w := dscores.row(r, n), weights.row(r, n)
		query, out := queries.row(r, dim), dout.row(r, dim)
		clear(dscores.row(r, seen+rows-1)[n:])
		dotRows(d, out, values.At, values.Stride)
		scoreGradients(d, w, dim)
		addRows1(dqueries.row(r, dim), d, keys.At, keys.Stride)
		for i, s := range d {
			addOuter(dkeys.row(i, dim), dvalues.row(i, dim), s, query, w[i], out)
		}
	}
}

// dotRows sets dst[i] to the dot product of x and row i of rows; the rows are stride elements
// apart. It computes four rows side by side, because a single sum would wait for the latency of an
// addition at every element.
func dotRows(dst, x, rows []float32, stride int) {
	i := 0
	for ; i+4 <= len(dst); i += 4 {
		r0, r1 := rows[i*stride:][:len(x)], rows[(i+1)*stride:][:len(x)]
		r2, r3 := rows[(i+2)*stride:][:len(x)], rows[(i+3)*stride:][:len(x)]
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
		row, s := rows[i*stride:][:len(x)], float32(0)
		for j, v := range x {
			s += v * row[j]
		}
		dst[i] = s
	}
}

// addOuter adds s*x to d and t*y to e. All four slices have the same length.
func addOuter(d, e []float32, s float32, x []float32, t float32, y []float32) {
	e, x, y = e[:len(d)], x[:len(d)], y[:len(d)]
	for j := range d {
		d[j] += s * x[j]
		e[j] += t * y[j]
	}
}
