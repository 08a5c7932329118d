package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Select returns the k-th value of the sorted slice and partitions the slice around it.
func TestSelect(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(-1), math.Inf(1)}
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		v := make([]float64, 1+r.IntN(400))
		values := rapid.SampledFrom([]int{1, 3, 30, 1e9}).Draw(t, "values")
		for i := range v {
			if v[i] = float64(r.IntN(values)); values == 30 && r.IntN(20) == 0 {
				v[i] = odd[r.IntN(len(odd))]
			}
		}
		sorted := slices.Sorted(slices.Values(v))
		switch rapid.IntRange(0, 2).Draw(t, "order") {
		case 0:
			copy(v, sorted)
		case 1:
			copy(v, sorted)
			slices.Reverse(v)
		}
		k := r.IntN(len(v))
		same := func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) }
		if lo, hi := Middle(slices.Clone(v)); !same(lo, sorted[(len(v)-1)/2]) || !same(hi, sorted[len(v)/2]) {
			t.Fatalf("middle of %v is %v and %v", sorted, lo, hi)
		}
		if got := Select(v, k); !same(got, sorted[k]) || !same(v[k], sorted[k]) {
			t.Fatalf("value %d of %v is %v", k, sorted, got)
		}
		slices.Sort(v[:k])
		slices.Sort(v[k:])
		if !slices.EqualFunc(v, sorted, same) {
			t.Fatalf("split at %d into %v, sorted %v", k, v, sorted)
		}
	})
}
