package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// refAttention returns the expected output and weights, and the magnitudes for the error bound:
// score is the largest sum of the absolute terms of a key's score, and magnitude[j] is the sum of
// the absolute terms of out[j].
func refAttention(query, keys, values []float32, n, dim int) (out, weights []float64, score float64, magnitude []float64) {
	scores, sum := make([]float64, n), 0.0
	for i := range n {
		terms := 0.0
		for j := range dim {
			v := float64(query[j]) * float64(keys[i*dim+j]) / math.Sqrt(float64(dim))
			scores[i] += v
			terms += math.Abs(v)
		}
		score = max(score, terms)
	}
	top := math.Inf(-1)
	for _, s := range scores {
		top = max(top, s)
	}
	for _, s := range scores {
		weights = append(weights, math.Exp(s-top))
		sum += math.Exp(s - top)
	}
	out, magnitude = make([]float64, dim), make([]float64, dim)
	for i := range n {
		weights[i] /= sum
		for j := range dim {
			v := weights[i] * float64(values[i*dim+j])
			out[j] += v
			magnitude[j] += math.Abs(v)
		}
	}
	return out, weights, score, magnitude
}

// attend calls Attention with a single query and with keys stored as rows.
func attend(dst, weights, query, keys, values []float32, n, dim int) {
	columns := make([]float32, len(keys))
	for i := range n {
		for j := range dim {
			columns[j*n+i] = keys[i*dim+j]
		}
	}
	Attention(Rows{dst, dim}, Rows{weights, n}, Rows{query, dim}, Rows{columns, n}, Rows{values, dim}, n, 1, dim)
}

// attendBackward calls AttentionBackward with a single query.
func attendBackward(dquery, dkeys, dvalues, dscores, dout, weights, query, keys, values []float32, n, dim int) {
	AttentionBackward(Rows{dquery, dim}, Rows{dkeys, dim}, Rows{dvalues, dim}, Rows{dscores, n}, Rows{dout, dim},
		Rows{weights, n}, Rows{query, dim}, Rows{keys, dim}, Rows{values, dim}, n, 1, dim)
}

// A head holds random operands for Attention and AttentionBackward. Each operand is part of a
// larger matrix.
type head struct {
	seen, rows, n, dim                              int
	dst, weights, queries, keyColumns, keys, values Rows
	dout, dqueries, dkeys, dvalues, dscores         Rows
}

func newHead(t *rapid.T) *head {
	h := &head{seen: rapid.IntRange(1, 20).Draw(t, "seen"), rows: rapid.IntRange(1, 40).Draw(t, "rows"), dim: rapid.IntRange(1, 20).Draw(t, "dim")}
	h.n = h.seen + h.rows - 1
	seed := rapid.Uint64().Draw(t, "seed")
	rows := func(rows, cols int) Rows {
		seed++
		stride := cols + rapid.IntRange(0, 9).Draw(t, "gap")
		return Rows{normal(seed, rows*stride, 1, 0), stride}
	}
	h.dst, h.weights, h.queries = rows(h.rows, h.dim), rows(h.rows, h.n), rows(h.rows, h.dim)
	h.keyColumns, h.keys, h.values = rows(h.dim, h.n), rows(h.n, h.dim), rows(h.n, h.dim)
	h.dout, h.dqueries, h.dscores = rows(h.rows, h.dim), rows(h.rows, h.dim), rows(h.rows, h.n)
	h.dkeys, h.dvalues = rows(h.n, h.dim), rows(h.n, h.dim)
	for i := range h.n {
		for j := range h.dim {
			h.keyColumns.row(j, h.n)[i] = h.keys.row(i, h.dim)[j]
		}
	}
	return h
}

// The number of queries computed at once does not change a single bit of a query's result. Keys
// that a query does not see have weight 0, and NaN in them does not affect the result.
func TestAttentionOfManyQueries(t *testing.T) { onEachPath(t, testAttentionOfManyQueries) }

func testAttentionOfManyQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHead(t)
		late := rapid.IntRange(1, h.rows).Draw(t, "late")
		for j := range h.dim { // keys and values seen only by query late and later ones
			for i := h.seen + late - 1; i < h.n; i++ {
				h.keyColumns.row(j, h.n)[i], h.values.row(i, h.dim)[j] = nan, nan
			}
		}
		Attention(h.dst, h.weights, h.queries, h.keyColumns, h.values, h.seen, h.rows, h.dim)
		for r := range h.rows {
			seen := h.seen + r
			dst, weights := filled(h.dim, nan), filled(seen, nan)
			Attention(Rows{dst, h.dim}, Rows{weights, seen}, h.queries.from(r), h.keyColumns, h.values, seen, 1, h.dim)
			if row := h.weights.row(r, h.n); !sameBits(dst, h.dst.row(r, h.dim)) || !sameBits(weights, row[:seen]) || !sameBits(row[seen:], make([]float32, h.n-seen)) {
				t.Fatalf("query %d of %d: %v with weights %v, alone %v with %v", r, h.rows, h.dst.row(r, h.dim), row, dst, weights)
			}
			if r < late && dst[0] != dst[0] {
				t.Fatalf("query %d of %d: NaN from a later position than %d", r, h.rows, late)
			}
		}
	})
}

// The gradients of many queries are the sums of the gradients of single queries.
// TestAttentionBackwardErrorBound checks the single queries.
func TestAttentionBackwardOfManyQueries(t *testing.T) {
	onEachPath(t, testAttentionBackwardOfManyQueries)
}

func testAttentionBackwardOfManyQueries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := newHead(t)
		Attention(h.dst, h.weights, h.queries, h.keyColumns, h.values, h.seen, h.rows, h.dim)
		copies := func(r Rows) Rows { return Rows{append([]float32{}, r.At...), r.Stride} }
		dqueries, dkeys, dvalues := copies(h.dqueries), copies(h.dkeys), copies(h.dvalues)
		AttentionBackward(h.dqueries, h.dkeys, h.dvalues, h.dscores, h.dout, h.weights, h.queries, h.keys, h.values, h.seen, h.rows, h.dim)
		for r := range h.rows {
			AttentionBackward(dqueries.from(r), dkeys, dvalues, Rows{make([]float32, h.n), h.n}, h.dout.from(r), h.weights.from(r), h.queries.from(r), h.keys, h.values, h.seen+r, 1, h.dim)
			if late := h.dscores.row(r, h.n)[h.seen+r:]; !sameBits(late, make([]float32, len(late))) {
				t.Fatalf("query %d has scores of keys that it does not see: %v", r, late)
			}
		}
		for _, tc := range []struct {
			name      string
			got, want Rows
		}{{"dqueries", h.dqueries, dqueries}, {"dkeys", h.dkeys, dkeys}, {"dvalues", h.dvalues, dvalues}} {
			for i, v := range tc.got.At {
				within(t, fmt.Sprintf("%s %d", tc.name, i), v, float64(tc.want.At[i]), 1e-4)
			}
		}
	})
}

func gamma(n int) float64 { return float64(n) * unit / (1 - float64(n)*unit) }

func TestAttentionErrorBound(t *testing.T) { onEachPath(t, testAttentionErrorBound) }

func testAttentionErrorBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 70).Draw(t, "n")
		dim := rapid.IntRange(0, 40).Draw(t, "dim")
		scale := rapid.Float64Range(0, 4).Draw(t, "scale")
		seed := rapid.Uint64().Draw(t, "seed")
		query, keys, values := normal(seed, dim, scale, 0), normal(seed+1, n*dim, scale, 0), normal(seed+2, n*dim, 3, 1)
		dst, weights := filled(dim, nan), filled(n, nan)
		attend(dst, weights, query, keys, values, n, dim)
		if dim == 0 {
			return
		}
		want, wantWeights, score, magnitude := refAttention(query, keys, values, n, dim)
		relative := math.Expm1(2*(gamma(dim)+3*unit)*score) + 3.01*unit
		for i, w := range wantWeights {
			within(t, fmt.Sprintf("n %d dim %d: weight %d", n, dim, i), weights[i], w, relative*w+0x1p-126)
		}
		for j, v := range want {
			within(t, fmt.Sprintf("n %d dim %d: element %d", n, dim, j), dst[j], v,
				(relative+gamma(n))*magnitude[j]+float64(n)*0x1p-120)
		}
	})
}

func TestAttentionSpecialCases(t *testing.T) { onEachPath(t, testAttentionSpecialCases) }

func testAttentionSpecialCases(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, tc := range []struct {
		name                string
		query, keys, values []float32
		n                   int
		dst, weights        []float32
	}{
		{"no keys", []float32{1, 2}, nil, nil, 0, []float32{0, 0}, []float32{}},
		{"one key", []float32{1, 2}, []float32{3, 4}, []float32{5, 6}, 1, []float32{5, 6}, []float32{1}},
		{"equal keys", []float32{1}, []float32{2, 2}, []float32{4, 8}, 2, []float32{6}, []float32{0.5, 0.5}},
		{"one key far ahead", []float32{50}, []float32{0, 50}, []float32{4, 8}, 2, []float32{8}, []float32{0, 1}},
		{"NaN in a key", []float32{1}, []float32{1, nan}, []float32{4, 8}, 2, []float32{nan}, []float32{nan, nan}},
		{"Inf in a value of no weight", []float32{50}, []float32{0, 50}, []float32{inf, 8}, 2, []float32{nan}, []float32{0, 1}},
	} {
		dst, weights := filled(len(tc.dst), nan), filled(tc.n, nan)
		attend(dst, weights, tc.query, tc.keys, tc.values, tc.n, len(tc.query))
		if !sameBits(dst, tc.dst) || !sameBits(weights, tc.weights) {
			t.Errorf("%s: %v with weights %v, want %v with %v", tc.name, dst, weights, tc.dst, tc.weights)
		}
	}
	weights := filled(2, nan)
	if attend(nil, weights, nil, nil, nil, 2, 0); !sameBits(weights, []float32{0, 0}) {
		t.Errorf("without elements the weights are %v, want zeros", weights)
	}
}

func TestAttentionPanics(t *testing.T) {
	f := func(n int) []float32 { return make([]float32, n) }
	buf := f(12)
	for _, tc := range []struct {
		call func()
		want string
	}{
		{func() { attend(f(1), f(2), f(2), f(4), f(4), 2, 2) }, "kernels.Attention: dst has 1 elements in rows 2 apart, want 1x2"},
		{func() { attend(f(2), f(1), f(2), f(4), f(4), 2, 2) }, "kernels.Attention: weights has 1 elements in rows 2 apart, want 1x2"},
		{func() { attend(f(2), f(2), f(1), f(4), f(4), 2, 2) }, "kernels.Attention: queries has 1 elements in rows 2 apart, want 1x2"},
		{func() { attend(f(2), f(2), f(2), f(4), f(3), 2, 2) }, "kernels.Attention: values has 3 elements in rows 2 apart, want 2x2"},
		{func() { Attention(Rows{f(2), 2}, Rows{f(2), 2}, Rows{f(2), 2}, Rows{f(4), 1}, Rows{f(4), 2}, 2, 1, 2) }, "kernels.Attention: keys has 4 elements in rows 1 apart, want 2x2"},
		{func() { Attention(Rows{}, Rows{}, Rows{}, Rows{}, Rows{}, -1, 3, 2) }, "kernels.Attention: 3 queries, and the first sees -1 keys"},
		{func() { attend(buf[:2], f(2), buf[1:3], f(4), f(4), 2, 2) }, "kernels.Attention: dst (1x2) overlaps queries (1x2)"},
		{func() { attend(buf[:2], buf[1:3], f(2), f(4), f(4), 2, 2) }, "kernels.Attention: dst (1x2) overlaps weights (1x2)"},
		{func() { attend(buf[:2], f(2), f(2), f(4), buf[1:5], 2, 2) }, "kernels.Attention: dst (1x2) overlaps values (2x2)"},
		{func() { attend(f(2), buf[:2], buf[1:3], f(4), f(4), 2, 2) }, "kernels.Attention: weights (1x2) overlaps queries (1x2)"},
		{func() {
			Attention(Rows{f(2), 2}, Rows{buf, 2}, Rows{f(2), 2}, Rows{buf[1:], 2}, Rows{f(4), 2}, 2, 1, 2)
		}, "kernels.Attention: weights (1x2) overlaps keys (2x2)"},
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

func TestAttentionAllocatesNothing(t *testing.T) { onEachPath(t, testAttentionAllocatesNothing) }

func testAttentionAllocatesNothing(t *testing.T) {
	const n, dim = 9, 7
	dst, weights := make([]float32, dim), make([]float32, n)
	query, keys, values := normal(1, dim, 1, 0), normal(2, n*dim, 1, 0), normal(3, n*dim, 1, 0)
	if got := testing.AllocsPerRun(10, func() {
		Attention(Rows{dst, dim}, Rows{weights, n}, Rows{query, dim}, Rows{keys, n}, Rows{values, dim}, n, 1, dim)
	}); got != 0 {
		t.Errorf("%v allocations a call, want 0", got)
	}
}
