package steps

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/livetest"
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

// The partition is the best possible one for each number of values, and its levels have the cost it
// reports.
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

// Two costs may touch without crossing. Here, the cost of one level and the cost of a second level
// starting at value 7 touch in the middle of the compared range. Everywhere else, the second costs
// less.
func TestTouchingCosts(t *testing.T) {
	z := []float64{0.1, 5, 0.1, 5.1, 0, 5, 5, 0, 0, 0}
	cut := slices.Repeat([]bool{true}, len(z))
	for _, trim := range []bool{true, false} {
		p := emptyPartition(z, cut, 9)
		p.find(trim)
		if got, want := p.best[len(z)], bestOf(z, cut, 9); math.Abs(got-want) > 1e-9 {
			t.Errorf("trimmed %v: cost %v, want %v", trim, got, want)
		}
	}
}

// Trimming changes no level, not even where many partitions cost the same.
func TestTrimmingKeepsLevels(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	values := []func() float64{
		func() float64 { return float64(random.IntN(4) * 5) },
		func() float64 { return float64(random.IntN(12)) / 3 * 1.7 },
		func() float64 { return []float64{0, 0, 5, 0.1, 5.1}[random.IntN(5)] },
		random.NormFloat64,
	}
	penalties := []float64{1, 3, 9, 13.8, 18, 25}
	for range livetest.Few(10_000, 200_000) {
		n := 3 + random.IntN(60)
		z, cut := make([]float64, n), make([]bool, n)
		value := values[random.IntN(len(values))]
		for i := range z {
			z[i], cut[i] = value(), random.IntN(4) > 0
		}
		penalty := penalties[random.IntN(len(penalties))]
		whole := emptyPartition(z, cut, penalty)
		whole.find(false)
		if got, want := newPartition(z, cut, penalty).levels(), whole.levels(); !slices.Equal(got, want) {
			t.Fatalf("%v, cuts %v, penalty %v: levels at %v, without trimming at %v", z, cut, penalty, got, want)
		}
	}
}
