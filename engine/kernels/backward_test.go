package kernels

import (
	"math"
	"testing"
)

// The gradient kernels are compared with two references that share no code with them. One is the
// formula of the derivative in float64, with an error bound. The other, in this file, is the
// central differences of the forward kernel in float64. It reveals a formula that is wrong in both
// the kernel and the first reference.

// wide converts s to float64.
func wide(s []float32) []float64 {
	w := make([]float64, len(s))
	for i, v := range s {
		w[i] = float64(v)
	}
	return w
}

// difference returns the derivative of loss with respect to x[i], estimated by the fourth-order
// central difference. With steps of 1e-3 and values of about 1, the truncation error is about h^4 =
// 1e-12 and the rounding error of float64 about 1e-16/h = 1e-13.
func difference(loss func() float64, x []float64, i int) float64 {
	const h = 1e-3
	at := x[i]
	defer func() { x[i] = at }()
	value := func(d float64) float64 {
		x[i] = at + d
		return loss()
	}
	return (8*(value(h)-value(-h)) - (value(2*h) - value(-2*h))) / (12 * h)
}

// checkDifferences compares got, the sum of start and a gradient, with the central differences of
// loss for every element of x. The gradients in these tests are sums of at most a few dozen terms
// of about 1, so a tolerance of 1e-5 allows for float32 rounding but not for a wrong term.
func checkDifferences(t *testing.T, what string, got, start []float32, loss func() float64, x []float64) {
	t.Helper()
	for i := range x {
		want := difference(loss, x, i)
		if math.Abs(float64(got[i])-float64(start[i])-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("%s[%d] = %g, by differences %g", what, i, got[i]-start[i], want)
		}
	}
}

// weighted returns a loss whose gradient with respect to out is dout.
func weighted(dout []float32, out []float64) float64 {
	s := 0.0
	for i, v := range out {
		s += float64(dout[i]) * v
	}
	return s
}

func TestBackwardByDifferences(t *testing.T) { onEachPath(t, testBackwardByDifferences) }

func testBackwardByDifferences(t *testing.T) {
	const m, k, n = 3, 5, 6
	start := func(seed uint64, n int) (d, start []float32) {
		start = normal(seed, n, 1, 0)
		return append([]float32(nil), start...), start
	}

	t.Run("MatMul", func(t *testing.T) {
		a, b, dout := normal(1, m*k, 1, 0), normal(2, k*n, 1, 0), normal(3, m*n, 1, 0)
		da, startA := start(4, m*k)
		db, startB := start(5, k*n)
		MatMulBackward(da, db, dout, a, b, m, k, n)
		x, y := wide(a), wide(b)
		loss := func() float64 {
			out := make([]float64, m*n)
			for i := range out {
				for p := range k {
					out[i] += x[i/n*k+p] * y[p*n+i%n]
				}
			}
			return weighted(dout, out)
		}
		checkDifferences(t, "da", da, startA, loss, x)
		checkDifferences(t, "db", db, startB, loss, y)
	})

	t.Run("AddRow", func(t *testing.T) {
		dout := normal(3, m*n, 1, 0)
		drow, startRow := start(4, n)
		AddRowBackward(drow, dout, m, n)
		row := make([]float64, n)
		loss := func() float64 {
			out := make([]float64, m*n)
			for i := range out {
				out[i] = row[i%n]
			}
			return weighted(dout, out)
		}
		checkDifferences(t, "drow", drow, startRow, loss, row)
	})

	t.Run("GELU", func(t *testing.T) {
		src, dout := normal(1, 40, 2, 0), normal(3, 40, 1, 0)
		dsrc := filled(40, nan)
		GELUBackward(dsrc, dout, src)
		x := wide(src)
		loss := func() float64 {
			out := make([]float64, len(x))
			for i, v := range x {
				out[i] = refGELU(v)
			}
			return weighted(dout, out)
		}
		checkDifferences(t, "dsrc", dsrc, make([]float32, len(x)), loss, x)
	})

	t.Run("LayerNorm", func(t *testing.T) {
		const eps = 0.1 // large enough to notice if a kernel leaves it out
		src, dout := normal(1, m*n, 1, 0.5), normal(3, m*n, 1, 0)
		gain, bias := normal(6, n, 1, 1), make([]float64, n)
		dsrc, startSrc := start(4, m*n)
		dgamma, startGamma := start(5, n)
		dbeta, startBeta := start(7, n)
		LayerNormBackward(dsrc, dgamma, dbeta, dout, src, gain, m, n, eps)
		x, g := wide(src), wide(gain)
		loss := func() float64 { return weighted(dout, wideLayerNorm(x, g, bias, m, n, float64(float32(eps)))) }
		checkDifferences(t, "dsrc", dsrc, startSrc, loss, x)
		checkDifferences(t, "dgamma", dgamma, startGamma, loss, g)
		checkDifferences(t, "dbeta", dbeta, startBeta, loss, bias)
	})

	t.Run("SoftmaxCrossEntropy", func(t *testing.T) {
		const count = 5 // the batch has two more rows in another part
		logits, targets := normal(1, m*n, 2, 0), []int{4, 0, 5}
		dlogits := filled(m*n, nan)
		got := SoftmaxCrossEntropy(dlogits, logits, targets, m, n, count)
		x := wide(logits)
		loss := func() float64 { return wideCrossEntropy(x, targets, n) / count }
		if want := loss(); math.Abs(got-want) > byPath(1e-9, (8+math.Log(n))*unit*m/count) {
			t.Errorf("loss %v, want %v", got, want)
		}
		checkDifferences(t, "dlogits", dlogits, make([]float32, m*n), loss, x)
	})

	t.Run("Attention", func(t *testing.T) {
		const n, dim = 6, 5
		query, keys, values := normal(1, dim, 1, 0), normal(2, n*dim, 1, 0), normal(3, n*dim, 1, 0)
		dout, out, weights := normal(4, dim, 1, 0), make([]float32, dim), make([]float32, n)
		attend(out, weights, query, keys, values, n, dim)
		dquery, startQuery := start(5, dim)
		dkeys, startKeys := start(6, n*dim)
		dvalues, startValues := start(7, n*dim)
		attendBackward(dquery, dkeys, dvalues, filled(n, nan), dout, weights, query, keys, values, n, dim)
		q, k, v := wide(query), wide(keys), wide(values)
		loss := func() float64 { return weighted(dout, wideAttention(q, k, v, n, dim)) }
		checkDifferences(t, "dquery", dquery, startQuery, loss, q)
		checkDifferences(t, "dkeys", dkeys, startKeys, loss, k)
		checkDifferences(t, "dvalues", dvalues, startValues, loss, v)
	})
}

func wideLayerNorm(x, gain, bias []float64, rows, cols int, eps float64) []float64 {
	out := make([]float64, len(x))
	for r := range rows {
		row, mean, variance := x[r*cols:][:cols], 0.0, 0.0
		for _, v := range row {
			mean += v / float64(cols)
		}
		for _, v := range row {
			variance += (v - mean) * (v - mean) / float64(cols)
		}
		for i, v := range row {
			out[r*cols+i] = gain[i]*(v-mean)/math.Sqrt(variance+eps) + bias[i]
		}
	}
	return out
}

// wideCrossEntropy returns the cross-entropy summed over the rows.
func wideCrossEntropy(x []float64, targets []int, cols int) float64 {
	loss := 0.0
	for r, target := range targets {
		sum := 0.0
		for _, v := range x[r*cols:][:cols] {
			sum += math.Exp(v)
		}
		loss += math.Log(sum) - x[r*cols+target]
	}
	return loss
}

func wideAttention(query, keys, values []float64, n, dim int) []float64 {
	out, sum := make([]float64, dim), 0.0
	for i := range n {
		score := 0.0
		for j := range dim {
			score += query[j] * keys[i*dim+j] / math.Sqrt(float64(dim))
		}
		w := math.Exp(score)
		sum += w
		for j := range dim {
			out[j] += w * values[i*dim+j]
		}
	}
	for j := range out {
		out[j] /= sum
	}
	return out
}

func TestBackwardPanics(t *testing.T) {
	f := func(n int) []float32 { return make([]float32, n) }
	buf := f(40)
	attention := func(dquery, dkeys, dvalues, dscores, dout, weights, query, keys, values []float32) func() {
		return func() {
			attendBackward(dquery, dkeys, dvalues, dscores, dout, weights, query, keys, values, 3, 2)
		}
	}
	for _, tc := range []struct {
		call func()
		want string
	}{
		{func() { MatMulBackward(f(6), f(12), f(7), f(6), f(12), 2, 3, 4) }, "kernels.MatMulBackward: dout has 7 elements, want 2x4"},
		{func() { MatMulBackward(f(6), f(12), f(8), f(5), f(12), 2, 3, 4) }, "kernels.MatMulBackward: a has 5 elements, want 2x3"},
		{func() { MatMulBackward(f(6), f(12), f(8), f(6), f(11), 2, 3, 4) }, "kernels.MatMulBackward: b has 11 elements, want 3x4"},
		{func() { MatMulBackward(f(5), f(12), f(8), f(6), f(12), 2, 3, 4) }, "kernels.MatMulBackward: da has 5 elements, want 2x3"},
		{func() { MatMulBackward(f(6), f(13), f(8), f(6), f(12), 2, 3, 4) }, "kernels.MatMulBackward: db has 13 elements, want 3x4"},
		{func() { MatMulBackward(buf[:6], f(12), buf[5:13], f(6), f(12), 2, 3, 4) }, "kernels.MatMulBackward: da (6 elements) overlaps another operand"},
		{func() { MatMulBackward(buf[:6], buf[5:17], f(8), f(6), f(12), 2, 3, 4) }, "kernels.MatMulBackward: da (6 elements) overlaps another operand"},
		{func() { MatMulBackward(nil, buf[5:17], f(8), f(6), buf[5:17], 2, 3, 4) }, "kernels.MatMulBackward: db (12 elements) overlaps another operand"},
		{func() { AddRowBackward(f(2), f(6), 2, 3) }, "kernels.AddRowBackward: drow has 2 elements, want 3"},
		{func() { AddRowBackward(f(3), f(5), 2, 3) }, "kernels.AddRowBackward: dout has 5 elements, want 2x3"},
		{func() { AddRowBackward(buf[:3], buf[2:8], 2, 3) }, "kernels.AddRowBackward: drow (3 elements) overlaps another operand"},
		{func() { GELUBackward(f(3), f(4), f(4)) }, "kernels.GELUBackward: dst has 3 elements, want 4"},
		{func() { GELUBackward(f(4), f(3), f(4)) }, "kernels.GELUBackward: dout has 3 elements, want 4"},
		{func() { GELUBackward(buf[:4], buf[1:5], f(4)) }, "kernels.GELUBackward: dst (4 elements) overlaps dout (4 elements)"},
		{func() { GELUBackward(buf[:4], f(4), buf[1:5]) }, "kernels.GELUBackward: dst (4 elements) overlaps src (4 elements)"},
		{func() { LayerNormBackward(f(5), f(3), f(3), f(6), f(6), f(3), 2, 3, 0) }, "kernels.LayerNormBackward: dsrc has 5 elements, want 2x3"},
		{func() { LayerNormBackward(f(6), f(2), f(3), f(6), f(6), f(3), 2, 3, 0) }, "kernels.LayerNormBackward: dgamma has 2 elements, want 3"},
		{func() { LayerNormBackward(f(6), f(3), f(4), f(6), f(6), f(3), 2, 3, 0) }, "kernels.LayerNormBackward: dbeta has 4 elements, want 3"},
		{func() { LayerNormBackward(f(6), f(3), f(3), f(7), f(6), f(3), 2, 3, 0) }, "kernels.LayerNormBackward: dout has 7 elements, want 2x3"},
		{func() { LayerNormBackward(f(6), f(3), f(3), f(6), f(8), f(3), 2, 3, 0) }, "kernels.LayerNormBackward: src has 8 elements, want 2x3"},
		{func() { LayerNormBackward(f(6), f(3), f(3), f(6), f(6), f(1), 2, 3, 0) }, "kernels.LayerNormBackward: gamma has 1 elements, want 3"},
		{func() { LayerNormBackward(buf[:6], f(3), f(3), buf[:6], f(6), f(3), 2, 3, 0) }, "kernels.LayerNormBackward: dsrc (6 elements) overlaps another operand"},
		{func() { LayerNormBackward(f(6), buf[:3], buf[:3], f(6), f(6), f(3), 2, 3, 0) }, "kernels.LayerNormBackward: dgamma (3 elements) overlaps another operand"},
		{func() { LayerNormBackward(f(6), f(3), buf[:3], f(6), f(6), buf[:3], 2, 3, 0) }, "kernels.LayerNormBackward: dbeta (3 elements) overlaps another operand"},
		{func() { SoftmaxCrossEntropy(f(5), f(6), []int{0, 0}, 2, 3, 2) }, "kernels.SoftmaxCrossEntropy: dst has 5 elements, want 2x3"},
		{func() { SoftmaxCrossEntropy(f(6), f(7), []int{0, 0}, 2, 3, 2) }, "kernels.SoftmaxCrossEntropy: logits has 7 elements, want 2x3"},
		{func() { SoftmaxCrossEntropy(buf[:6], buf[1:7], []int{0, 0}, 2, 3, 2) }, "kernels.SoftmaxCrossEntropy: dst (6 elements) overlaps logits (6 elements)"},
		{func() { SoftmaxCrossEntropy(f(6), f(6), []int{0}, 2, 3, 2) }, "kernels.SoftmaxCrossEntropy: 1 targets and count 2 for 2 rows"},
		{func() { SoftmaxCrossEntropy(f(6), f(6), []int{0, 0}, 2, 3, 0) }, "kernels.SoftmaxCrossEntropy: 2 targets and count 0 for 2 rows"},
		{func() { SoftmaxCrossEntropy(f(6), f(6), []int{0, 3}, 2, 3, 2) }, "kernels.SoftmaxCrossEntropy: target 3 of row 1 is not one of 3 columns"},
		{func() { SoftmaxCrossEntropy(f(6), f(6), []int{-1, 2}, 2, 3, 2) }, "kernels.SoftmaxCrossEntropy: target -1 of row 0 is not one of 3 columns"},
		{attention(f(1), f(6), f(6), f(3), f(2), f(3), f(2), f(6), f(6)), "kernels.AttentionBackward: dqueries has 1 elements in rows 2 apart, want 1x2"},
		{attention(f(2), f(5), f(6), f(3), f(2), f(3), f(2), f(6), f(6)), "kernels.AttentionBackward: dkeys has 5 elements in rows 2 apart, want 3x2"},
		{attention(f(2), f(6), f(5), f(3), f(2), f(3), f(2), f(6), f(6)), "kernels.AttentionBackward: dvalues has 5 elements in rows 2 apart, want 3x2"},
		{attention(f(2), f(6), f(6), f(2), f(2), f(3), f(2), f(6), f(6)), "kernels.AttentionBackward: dscores has 2 elements in rows 3 apart, want 1x3"},
		{attention(f(2), f(6), f(6), f(3), f(1), f(3), f(2), f(6), f(6)), "kernels.AttentionBackward: dout has 1 elements in rows 2 apart, want 1x2"},
		{attention(f(2), f(6), f(6), f(3), f(2), f(2), f(2), f(6), f(6)), "kernels.AttentionBackward: weights has 2 elements in rows 3 apart, want 1x3"},
		{attention(f(2), f(6), f(6), f(3), f(2), f(3), f(1), f(6), f(6)), "kernels.AttentionBackward: queries has 1 elements in rows 2 apart, want 1x2"},
		{attention(f(2), f(6), f(6), f(3), f(2), f(3), f(2), f(5), f(6)), "kernels.AttentionBackward: keys has 5 elements in rows 2 apart, want 3x2"},
		{attention(f(2), f(6), f(6), f(3), f(2), f(3), f(2), f(6), f(4)), "kernels.AttentionBackward: values has 4 elements in rows 2 apart, want 3x2"},
		{attention(buf[:2], f(6), f(6), f(3), buf[:2], f(3), f(2), f(6), f(6)), "kernels.AttentionBackward: dqueries (1x2) overlaps dout (1x2)"},
		{attention(f(2), buf[:6], f(6), f(3), f(2), f(3), f(2), buf[:6], f(6)), "kernels.AttentionBackward: dkeys (3x2) overlaps keys (3x2)"},
		{attention(f(2), f(6), buf[:6], f(3), f(2), f(3), f(2), f(6), buf[:6]), "kernels.AttentionBackward: dvalues (3x2) overlaps values (3x2)"},
		{attention(f(2), f(6), f(6), buf[:3], f(2), buf[:3], f(2), f(6), f(6)), "kernels.AttentionBackward: dscores (1x3) overlaps weights (1x3)"},
	} {
		func() {
			defer func() {
				if got := recover(); got != tc.want {
					t.Errorf("panic %v, want %s", got, tc.want)
				}
			}()
			tc.call()
		}()
	}
}

func TestBackwardAllocatesNothing(t *testing.T) { onEachPath(t, testBackwardAllocatesNothing) }

func testBackwardAllocatesNothing(t *testing.T) {
	const m, k, n = 40, 7, 9 // too large for the compiler to put a kernel's temporary slices on the stack
	a, b, dout := normal(1, m*k, 1, 0), normal(2, k*n, 1, 0), normal(3, m*n, 1, 0)
	da, db, dsrc, row := make([]float32, m*k), make([]float32, k*n), make([]float32, m*n), make([]float32, n)
	drow, dbeta, src := make([]float32, n), make([]float32, n), normal(4, m*n, 1, 0)
	query, keys, values := normal(5, k, 1, 0), normal(6, n*k, 1, 0), normal(7, n*k, 1, 0)
	dquery, dkeys, dvalues, dscores := make([]float32, k), make([]float32, n*k), make([]float32, n*k), make([]float32, n)
	weights, dmixed, targets := normal(8, n, 1, 0), normal(9, k, 1, 0), make([]int, m)
	dst := make([]float32, m*n)
	for _, tc := range []struct {
		name string
		run  func()
	}{
		{"MatMulBackward", func() { MatMulBackward(da, db, dout, a, b, m, k, n) }},
		{"AddRowBackward", func() { AddRowBackward(drow, dout, m, n) }},
		{"GELUBackward", func() { GELUBackward(dsrc, dout, src) }},
		{"LayerNormBackward", func() { LayerNormBackward(dsrc, drow, dbeta, dout, src, row, m, n, 1e-5) }},
		{"GELUErfBackward", func() { GELUErfBackward(dsrc, dout, src) }},
		{"SoftmaxBackward", func() { SoftmaxBackward(dsrc, dout, src, m, n, 1) }},
		{"AdamW", func() { AdamW(dsrc, dout, src, dst, AdamWStep{Epsilon: 1}) }},
		{"SoftmaxCrossEntropy", func() { SoftmaxCrossEntropy(dsrc, src, targets, m, n, m) }},
		{"AttentionBackward", func() {
			attendBackward(dquery, dkeys, dvalues, dscores, dmixed, weights, query, keys, values, n, k)
		}},
	} {
		if got := testing.AllocsPerRun(10, tc.run); got != 0 {
			t.Errorf("%s: %v allocations a call, want 0", tc.name, got)
		}
	}
}
