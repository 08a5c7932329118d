package slicing

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"
)

// roundsOf returns n rounds with the given number of slices. The log ratio of a round is change,
// plus noise with the standard deviation between, plus the effect of the spread of its slices.
func roundsOf(rng *rand.Rand, n, slices int, between, spread, change float64) (rounds []Round) {
	for range n {
		r := Round{Spread: spread}
		ratio := change + between*rng.NormFloat64() + spread*math.Sqrt(middleVariance/float64(slices))*rng.NormFloat64()
		for side, ns := range []float64{1000, 1000 * math.Exp(ratio)} {
			r.Results[side] = &benchfmt.Result{Values: []benchfmt.Value{{Value: ns * 1e-9, Unit: "sec/op", OrigValue: ns, OrigUnit: "ns/op"}}}
		}
		rounds = append(rounds, r)
	}
	return rounds
}

// If rounds differ by more than their slices explain, they get fewer slices, whether or not head
// changed. Exchanging the sides makes no difference.
func TestReward(t *testing.T) {
	const trials = 400
	for _, tt := range []struct {
		name                    string
		rounds, slices, n       int
		between, spread, change float64
		least, most             float64 // mean number of slices
		benchtime               time.Duration
	}{
		{"too few rounds", 4, 100, 60, 0.06, 0.08, 0, 100, 100, 100 * time.Millisecond},
		{"processes differ", 12, 100, 60, 0.06, 0.08, 0, 20, 22, 100 * time.Millisecond},
		{"they differ, and head is slower", 12, 100, 60, 0.06, 0.08, 0.05, 20, 22, 100 * time.Millisecond},
		{"slices explain it", 12, 100, 60, 0, 0.2, 0, 85, 100, 100 * time.Millisecond},
		{"slices explain it, and head is slower", 12, 100, 60, 0, 0.2, 0.05, 60, 90, 100 * time.Millisecond},
		{"operations are few", 12, 100, 1, 0.06, 0.08, 0, 50, 51, 100 * time.Millisecond},
		{"few were chosen", 12, 20, 60, 0.06, 0.08, 0, 20, 20, 100 * time.Millisecond},
		{"half a second is asked for", 12, 100, 60, 0.06, 0.08, 0, 50, 51, 500 * time.Millisecond},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		w := Method{N: tt.n, Slices: tt.slices, Length: 2 * time.Millisecond}
		sum := 0.0
		for range trials {
			var r, swapped Reward
			for _, round := range roundsOf(rng, tt.rounds, tt.slices, tt.between, tt.spread, tt.change) {
				r.Add(round, tt.slices)
				round.Results[0], round.Results[1] = round.Results[1], round.Results[0]
				swapped.Add(round, tt.slices)
			}
			sum += float64(r.Slices(w, tt.benchtime))
			if a, b := r.Slices(w, tt.benchtime), swapped.Slices(w, tt.benchtime); a != b {
				t.Fatalf("%s: %d slices, and %d with the sides swapped", tt.name, a, b)
			}
		}
		if mean := sum / trials; mean < tt.least || mean > tt.most {
			t.Errorf("%s: %.1f slices in the mean, want %v to %v", tt.name, mean, tt.least, tt.most)
		}
	}
}
