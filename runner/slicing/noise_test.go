package slicing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/livetest"
)

// A sliceNoise makes slices take longer. round draws the noise of one round. It returns a function,
// place, to be called for each slice in chronological order. place returns the factor by which the
// slice takes longer.
type sliceNoise struct {
	name  string
	truth float64 // fraction by which head's mean is larger
	round func(rng *rand.Rand, slices int) (place func(at int, head bool) float64)
}

// everySlice returns noise drawn for each slice independently.
func everySlice(draw func(rng *rand.Rand, head bool) float64) func(*rand.Rand, int) func(int, bool) float64 {
	return func(rng *rand.Rand, _ int) func(int, bool) float64 {
		return func(_ int, head bool) float64 { return draw(rng, head) }
	}
}

// sliceNoises returns several kinds of noise: noise of the machine, bursts from other programs, and
// costs in only some slices. In addition, each slice has normal noise of 5 %.
func sliceNoises() []sliceNoise {
	sometimes := func(rng *rand.Rand, share, factor float64) float64 {
		if rng.Float64() < share {
			return factor
		}
		return 1
	}
	of := func(head bool, b, h float64) float64 {
		if head {
			return h
		}
		return b
	}
	return []sliceNoise{
		{"normal, 5 %", 0, everySlice(func(*rand.Rand, bool) float64 { return 1 })},
		{"a tenth takes 1.5 to 5 times as long", 0, everySlice(func(rng *rand.Rand, _ bool) float64 {
			return sometimes(rng, 0.1, 1.5+3.5*rng.Float64())
		})},
		{"bursts of 4 slices, a fifth of the time, 1.2 to 3 times as long", 0, bursts},
		{"drift of 10 % within the round", 0, func(_ *rand.Rand, n int) func(int, bool) float64 {
			return func(at int, _ bool) float64 { return 1 + 0.1*float64(at)/float64(n) }
		}},
		{"jumps of 15 %, every 8 slices in the mean", 0, func(rng *rand.Rand, _ int) func(int, bool) float64 {
			level := rng.IntN(2)
			return func(int, bool) float64 {
				if rng.IntN(8) == 0 {
					level = rng.IntN(2)
				}
				return 1 + 0.15*float64(level)
			}
		}},
		{"collector: a tenth of both +30 %", 0, everySlice(func(rng *rand.Rand, _ bool) float64 { return sometimes(rng, 0.1, 1.3) })},
		{"collector: a tenth of base, a fifth of head +30 %", 1.06/1.03 - 1, everySlice(func(rng *rand.Rand, head bool) float64 {
			return sometimes(rng, of(head, 0.1, 0.2), 1.3)
		})},
		{"a tenth of head's slices +100 %", 0.1, everySlice(func(rng *rand.Rand, head bool) float64 {
			return sometimes(rng, of(head, 0, 0.1), 2)
		})},
	}
}

// bursts returns the noise of another program, in bursts that begin at any slice and last for
// several slices.
func bursts(rng *rand.Rand, _ int) func(int, bool) float64 {
	size := 1.0
	return func(int, bool) float64 {
		switch {
		case size > 1 && rng.IntN(4) == 0:
			size = 1
		case size == 1 && rng.IntN(16) == 0:
			size = 1.2 + 1.8*rng.Float64()
		}
		return size
	}
}

// draw draws a round of n pairs of slices in the order ABBA.
func (s sliceNoise) draw(rng *rand.Rand, n int) [][2]float64 {
	place := s.round(rng, 2*n)
	times := make([][2]float64, n)
	for i := range times {
		for k, side := range [2]int{i % 2, 1 - i%2} {
			times[i][side] = 1000 * math.Exp(0.05*rng.NormFloat64()) * place(2*i+k, side == 1)
		}
	}
	return times
}

// TestSimulateRounds prints the table of rounds in docs/evaluation.md. It has the mean and the
// standard deviation, in percent, of the values from the middle pairs and from all slices:
//
//	PERFTRACK_SIMULATE=full go test -run SimulateRounds -timeout 60m -v ./runner/slicing
//
// Even without this setting, with fewer rounds, it checks that neither value is biased if the sides
// are the same, and the mean of all slices includes a cost in some slices only.
func TestSimulateRounds(t *testing.T) {
	rounds, counts := livetest.Few(200, 500), []int{50}
	if os.Getenv("PERFTRACK_SIMULATE") == "full" {
		rounds, counts = 2_000, []int{20, 50, 100}
	}
	out := &strings.Builder{}
	fmt.Fprintln(out, "| pairs of slices a round, noise | true | middle pairs | all |\n|---|--:|--:|--:|")
	for i, s := range sliceNoises() {
		for _, n := range counts {
			truth := 100 * math.Log1p(s.truth)
			fmt.Fprintf(out, "| %d, %s | %+.2f |", n, s.name, truth)
			for k, value := range []func([][2]float64) float64{valueOfRound, meanValue} {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(n))) // the same rounds for both values
				mean, sd := moments(rounds, func() float64 { return value(s.draw(rng, n)) })
				fmt.Fprintf(out, " %+.2f ± %.2f |", mean, sd)
				off := 4 * sd / math.Sqrt(float64(rounds))
				if s.truth == 0 && math.Abs(mean) > off || k == 1 && mean < 0.9*truth-off {
					t.Errorf("%d pairs, %s: %+.2f of %.2f %%", n, s.name, mean, truth)
				}
			}
			fmt.Fprintln(out)
		}
	}
	t.Logf("%d rounds each\n\n%s", rounds, out)
}

// meanValue returns the log ratio of the means of all slices, assuming no waits.
func meanValue(times [][2]float64) float64 {
	var sides [2][]float64
	for _, t := range times {
		for side := range sides {
			sides[side] = append(sides[side], t[side])
		}
	}
	waited := make([]float64, len(times))
	return math.Log(MeanOf(sides[1], waited).Time / MeanOf(sides[0], waited).Time)
}
