package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The ranks are from a table for the sign test: Conover, Practical Nonparametric Statistics, 3rd
// ed., table A3.
func TestMedianInterval(t *testing.T) {
	for _, tt := range []struct {
		n    int
		tail float64
		rank int
	}{
		{0, 0.01, 0}, {1, 0.01, 0}, {6, 0.01, 0}, {7, 0.01, 1}, {10, 0.01, 1}, {11, 0.01, 2}, {20, 0.01, 5}, {40, 0.01, 13},
		{4, 0.0625, 1}, {5, 0.025, 0}, {6, 0.025, 1}, {10, 0.025, 2}, {2, 0.25, 1}, {10_000, 0.025, 4902},
	} {
		var values []float64
		for i := range tt.n {
			values = append(values, float64(tt.n-i)) // once sorted, each value equals its rank
		}
		center, lo, hi := MedianInterval(values, tt.tail)
		wantLo, wantHi := float64(tt.rank), float64(tt.n+1-tt.rank)
		if tt.rank == 0 {
			wantLo, wantHi = math.Inf(-1), math.Inf(1)
		}
		if lo != wantLo || hi != wantHi {
			t.Errorf("of %d values at %v: [%v, %v], want [%v, %v]", tt.n, tt.tail, lo, hi, wantLo, wantHi)
		}
		if tt.n > 0 && center != float64(tt.n+1)/2 {
			t.Errorf("median of %d values: %v", tt.n, center)
		}
		if need := MedianNeeds(tt.tail); (tt.n >= need) != (tt.rank > 0) {
			t.Errorf("needs %d values at %v, but %d have rank %d", need, tt.tail, tt.n, tt.rank)
		}
	}
}

// The interval misses the median no more often than promised, even for a skewed distribution.
func TestMedianIntervalErrsAtMost(t *testing.T) {
	const trials, tail = 20_000, 0.05
	r := rand.New(rand.NewPCG(1, 2))
	above, below := 0, 0
	for range trials {
		var values []float64
		for range 12 {
			values = append(values, r.ExpFloat64())
		}
		_, lo, hi := MedianInterval(values, tail)
		if lo > math.Ln2 {
			above++
		}
		if hi < math.Ln2 {
			below++
		}
	}
	most := int(trials * (tail + 4*math.Sqrt(tail/trials)))
	if above > most || below > most {
		t.Errorf("wrong %d and %d times in %d", above, below, trials)
	}
}
