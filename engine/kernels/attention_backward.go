package kernels

import "math"

// AttentionBackward adds to dquery, dkeys and dvalues the gradients of the
// operands of one query's Attention over n keys. query, keys, values and the
// weights are those of the forward pass; dout, dquery and query have dim
// elements, keys, values and their gradients are n x dim, weights has n. dscores,
// n elements, is set to the gradient of the products query.key_i:
//
//	dvalues_i += weight_i*dout
//	dscore_i   = weight_i*(dout.value_i - sum_j weight_j*dout.value_j)/sqrt(dim)
//	dquery    += sum_i dscore_i*key_i
//	dkeys_i   += dscore_i*query
//
// No gradient nor dscores may overlap another operand. The queries of a causal
// head add to the same keys and values one after another, each to those up to
// its own position. Every sum runs in order, of dim or of the keys; that over j
// is float64.
func AttentionBackward(dquery, dkeys, dvalues, dscores, dout, weights, query, keys, values []float32, n, dim int) {
	const kernel = "AttentionBackward"
	checkVector(kernel, "dquery", dquery, dim)
	checkMatrix(kernel, "dkeys", dkeys, n, dim)
	checkMatrix(kernel, "dvalues", dvalues, n, dim)
	checkVector(kernel, "dscores", dscores, n)
	checkVector(kernel, "dout", dout, dim)
	checkVector(kernel, "weights", weights, n)
	checkVector(kernel, "query", query, dim)
	checkMatrix(kernel, "keys", keys, n, dim)
	checkMatrix(kernel, "values", values, n, dim)
	checkGradient(kernel, "dquery", dquery, dkeys, dvalues, dscores, dout, weights, query, keys, values)
	checkGradient(kernel, "dkeys", dkeys, dvalues, dscores, dout, weights, query, keys, values)
	checkGradient(kernel, "dvalues", dvalues, dscores, dout, weights, query, keys, values)
	checkGradient(kernel, "dscores", dscores, dout, weights, query, keys, values)
	if n == 0 || dim == 0 {
		clear(dscores)
		return
	}
	dotRows(dscores, dout, values)
	weights = weights[:len(dscores)]
	mean := 0.0
	for i, d := range dscores {
		mean += float64(weights[i]) * float64(d)
	}
	scale := 1 / math.Sqrt(float64(dim))
	for i, d := range dscores {
		dscores[i] = float32(float64(weights[i]) * (float64(d) - mean) * scale)
	}
	addRows1(dquery, dscores, keys, dim)
	for i, s := range dscores {
		addOuter(dkeys[i*dim:][:dim], dvalues[i*dim:][:dim], s, query, weights[i], dout)
	}
}

// addOuter adds s*x to d and t*y to e, all of one length.
func addOuter(d, e []float32, s float32, x []float32, t float32, y []float32) {
	e, x, y = e[:len(d)], x[:len(d)], y[:len(d)]
	for j := range d {
		d[j] += s * x[j]
		e[j] += t * y[j]
	}
}
