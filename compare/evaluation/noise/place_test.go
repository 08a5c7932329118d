package noise

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The log ratio of a pair varies as expected under each term; noise shared by both sides cancels
// out.
func TestTermsOfPairs(t *testing.T) {
	for _, tt := range []struct {
		name string
		Term
		want float64
	}{
		{"white", White(0.02), 0.02 * math.Sqrt2},
		{"pairs", Pairs(0.02, 0.15), 0.02},
		{"ratios", Sum(Ratios(0.02, T3), Pairs(0, 0.15)), 0.02},
		{"unequal", Unequal(0.03, 0.04), 0.05},
		{"modes", Modes(0.08, 0.3), math.Sqrt(2*0.3*0.7) * math.Log(1.08)},
		{"wander", Wander(0.05, 0.8), 0},
		{"wander of the ratio", RatioWander(0.02, 0.7), 0.02},
		{"shared rounds", SharedRounds(0.05), 0},
		{"shared sides", SharedSides(0.03), 0.03 * math.Sqrt2},
		{"second slower", SecondSlower(0.03, 2), math.Log(1.03)},
		{"of the first only", SecondSlower(0.03, 1), math.Log(1.03) / math.Sqrt2},
		{"one slow", OneSlow(0.08), math.Log(1.08)},
		{"sticky", Sticky(0.08, 0.3, 20), math.Sqrt(2*0.3*0.7) * math.Log(1.08)},
		{"the machine's regimes", MachineRegimes(2, 0.1, 5), math.Log(1.1) * math.Sqrt(1.0/20)},
	} {
		const trials, rounds, benchmarks = 600, 20, 2
		squares := 0.0
		for i := range trials {
			r := rand.New(rand.NewPCG(3, uint64(i)))
			sample := tt.Term(r, benchmarks)
			for round := range rounds {
				for b := range benchmarks {
					var x [2]float64
					first := r.IntN(2)
					for k, side := range [2]int{first, 1 - first} {
						x[side] = sample(Place{Round: round, Benchmark: b, Head: side == 1, Second: k == 1})
					}
					squares += square(x[1] - x[0])
				}
			}
		}
		if got := math.Sqrt(squares / (trials * rounds * benchmarks)); math.Abs(got-tt.want) > 0.06*tt.want+1e-12 {
			t.Errorf("%s: ratios vary by %.4f, want %.4f", tt.name, got, tt.want)
		}
	}
}

// With a quota of 2.5 samples, two in five samples wait.
func TestQuota(t *testing.T) {
	sample := Quota(2.5, 0.06)(rand.New(rand.NewPCG(1, 2)), 29)
	waits := 0
	for i := range 10_000 {
		if sample(Place{Head: i%2 == 0}) > 0 {
			waits++
		}
	}
	if math.Abs(float64(waits)-4000) > 10 {
		t.Errorf("%d of 10,000 wait, want two in five", waits)
	}
}
