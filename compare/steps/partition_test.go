package steps

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// leastCost returns the lowest cost of a single level for all values. The best level is the mean of
// the values within the bound of the loss, so leastCost tries every set of values that could be
// within it.
func leastCost(z []float64) float64 {
	best := boundedAt * boundedAt * float64(len(z))
	sorted := slices.Sorted(slices.Values(z))
	for i := range sorted {
		for j := i + 1; j <= len(sorted); j++ {
			mean := 0.0
			for _, v := range sorted[i:j] {
				mean += v / float64(j-i)
			}
			cost := 0.0
			for _, v := range z {
				cost += min((v-mean)*(v-mean), boundedAt*boundedAt)
			}
			best = min(best, cost)
		}
	}
	return best
}

// bestOf returns the lowest cost of all partitions. It tries every possible last level.
func bestOf(z []float64, cut []bool, penalty float64) float64 {
	best := []float64{0}
	for t := 1; t <= len(z); t++ {
		least := math.Inf(1)
		for from := 0; from+leastLength <= t; from++ {
			if from == 0 || cut[from] {
				least = min(least, best[from]+penalty+leastCost(z[from:t]))
			}
		}
		best = append(best, least)
	}
	return best[len(z)]
}

// The partition is the best possible one for each number of values, and its levels have the cost
// that it reports.
func TestPartitionIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		penalty := rapid.Float64Range(0.5, 25).Draw(t, "penalty")
		n := rapid.IntRange(1, 16).Draw(t, "n")
		value := rapid.OneOf(rapid.Float64Range(-3, 3), rapid.Float64Range(-20, 20), rapid.SampledFrom([]float64{0, 0, 5}))
		var z []float64
		var cut []bool
		for i := range n {
			z, cut = append(z, value.Draw(t, "z")), append(cut, rapid.IntRange(0, 3).Draw(t, fmt.Sprint("cut", i)) > 0)
		}
		p := newPartition(z, cut, penalty)
		for i := range n {
			want := bestOf(z[:i+1], cut, penalty)
			if got := p.best[i+1]; got != want && !(math.Abs(got-want) < 1e-7) {
				t.Fatalf("of %d values: cost %v, want %v", i+1, got, want)
			}
		}
		if n < leastLength {
			return
		}
		sum, levels := 0.0, append(p.levels(), n)
		for i, from := range levels[:len(levels)-1] {
			if levels[i+1]-from < leastLength || from > 0 && !p.cut[from] {
				t.Fatalf("levels %v", levels)
			}
			sum += p.penalty + leastCost(p.z[from:levels[i+1]])
		}
		if want := p.best[n]; levels[0] != 0 || math.Abs(sum-want) > 1e-7 {
			t.Fatalf("levels %v cost %v, the best %v", levels, sum, want)
		}
	})
}
