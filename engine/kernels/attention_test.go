package kernels

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// refAttention also returns the magnitudes that the error bound is made of: of
// the largest score's terms and of each result's.
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
		Attention(dst, weights, query, keys, values, n, dim)
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
		Attention(dst, weights, tc.query, tc.keys, tc.values, tc.n, len(tc.query))
		if !sameBits(dst, tc.dst) || !sameBits(weights, tc.weights) {
			t.Errorf("%s: %v with weights %v, want %v with %v", tc.name, dst, weights, tc.dst, tc.weights)
		}
	}
	weights := filled(2, nan)
	if Attention(nil, weights, nil, nil, nil, 2, 0); !sameBits(weights, []float32{0, 0}) {
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
		{func() { Attention(f(3), f(2), f(2), f(4), f(4), 2, 2) }, "kernels.Attention: dst has 3 elements, want 2"},
		{func() { Attention(f(2), f(3), f(2), f(4), f(4), 2, 2) }, "kernels.Attention: weights has 3 elements, want 2"},
		{func() { Attention(f(2), f(2), f(1), f(4), f(4), 2, 2) }, "kernels.Attention: query has 1 elements, want 2"},
		{func() { Attention(f(2), f(2), f(2), f(5), f(4), 2, 2) }, "kernels.Attention: keys has 5 elements, want 2x2"},
		{func() { Attention(f(2), f(2), f(2), f(4), f(6), 2, 2) }, "kernels.Attention: values has 6 elements, want 2x2"},
		{func() { Attention(buf[:2], f(2), buf[1:3], f(4), f(4), 2, 2) }, "kernels.Attention: dst (2 elements) overlaps query (2 elements)"},
		{func() { Attention(buf[:2], buf[1:3], f(2), f(4), f(4), 2, 2) }, "kernels.Attention: dst (2 elements) overlaps weights (2 elements)"},
		{func() { Attention(buf[:2], f(2), f(2), buf[:4], f(4), 2, 2) }, "kernels.Attention: dst (2 elements) overlaps keys (4 elements)"},
		{func() { Attention(buf[:2], f(2), f(2), f(4), buf[1:5], 2, 2) }, "kernels.Attention: dst (2 elements) overlaps values (4 elements)"},
		{func() { Attention(f(2), buf[:2], buf[1:3], f(4), f(4), 2, 2) }, "kernels.Attention: weights overlaps query, keys or values"},
		{func() { Attention(f(2), buf[:2], f(2), f(4), buf[1:5], 2, 2) }, "kernels.Attention: weights overlaps query, keys or values"},
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
	if got := testing.AllocsPerRun(10, func() { Attention(dst, weights, query, keys, values, n, dim) }); got != 0 {
		t.Errorf("%v allocations a call, want 0", got)
	}
}
