package slicing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// swap returns times with the sides exchanged.
func swap(times [][2]float64) [][2]float64 {
	out := make([][2]float64, len(times))
	for i, t := range times {
		out[i] = [2]float64{t[1], t[0]}
	}
	return out
}

// Exchanging the sides exchanges the two values of a round, to the last bit. Multiplying all slices
// by the same factor does not change the selection.
func TestSelectionIsAntisymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		time := rapid.OneOf(
			rapid.Float64Range(1, 1000),
			rapid.Map(rapid.IntRange(95, 105), func(i int) float64 { return float64(i) }),
			rapid.SampledFrom([]float64{100, 100, 100, 0, math.NaN(), math.Inf(1)}),
		)
		times := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]float64 {
			return [2]float64{time.Draw(t, "base"), time.Draw(t, "head")}
		}), 0, 40).Draw(t, "times")
		slower := make([][2]float64, len(times))
		for i, p := range times {
			slower[i] = [2]float64{2 * p[0], 2 * p[1]}
		}
		r, s := selectionOf(times), selectionOf(swap(times))
		if !slices.Equal(r.kept, s.kept) || s.spread != r.spread {
			t.Errorf("%+v and %+v", r, s)
		}
		if len(r.kept) == 0 {
			return
		}
		sides, swapped := Times(times), Times(swap(times))
		if sides[0] != swapped[1] || sides[1] != swapped[0] || valueOfRound(swap(times)) != -valueOfRound(times) {
			t.Errorf("%v and %v", sides, swapped)
		}
		if d := selectionOf(slower); !slices.Equal(d.kept, r.kept) {
			t.Errorf("keeps %v, of slices twice as long %v", r.kept, d.kept)
		}
	})
}

func TestSelectionNeedsPairs(t *testing.T) {
	times := [][2]float64{{math.NaN(), 1}, {1, 0}}
	for range leastPairs - 1 {
		times = append(times, [2]float64{100, 110})
	}
	if s := selectionOf(times); s.kept != nil {
		t.Errorf("of %d pairs: %+v", leastPairs-1, s)
	}
	if s := selectionOf(append(times, times[2])); len(s.kept) != leastPairs || s.kept[0] != 2 {
		t.Errorf("of %d equal pairs: %+v", leastPairs, s)
	}
}

// The middle fifth of the pairs, ordered by ratio, is kept, including ties at its ends.
func TestSelection(t *testing.T) {
	for _, tt := range []struct {
		name   string
		ratios []float64
		want   []int
	}{
		{"ten", []float64{9, 1, 8, 2, 7, 3, 6, 4, 5, 10}, []int{6, 8}},
		{"a middle one", []float64{9, 1, 8, 2, 7, 3, 6, 4, 5}, []int{6, 7, 8}},
		{"equal to an end", []float64{9, 1, 8, 2, 5, 3, 6, 4, 5, 10}, []int{4, 8}},
		{"far more are equal", []float64{9, 5, 5, 2, 5, 3, 5, 4, 5, 10}, []int{1, 2, 4, 6, 8}},
		{"without a time", []float64{9, 1, 8, 2, math.NaN(), 7, 3, 6, 4, 5, 10, math.Inf(1), 0}, []int{7, 9}},
	} {
		var times [][2]float64
		for _, r := range tt.ratios {
			times = append(times, [2]float64{100, 100 * r})
		}
		if got := selectionOf(times).kept; !slices.Equal(got, tt.want) {
			t.Errorf("%s: keeps %v, want %v", tt.name, got, tt.want)
		}
	}
}

// If the machine alternates between two speeds every few slices, both slices of most pairs are
// affected alike, so the value of a round hardly changes.
func TestSpeedsOfTheMachineAreBorne(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	draw := func() [][2]float64 {
		speed := 1.0
		return simulated(rng, 50, 0.04, func(b, h float64) (float64, float64) {
			if rng.IntN(5) == 0 {
				speed = 2.7 - speed // 1 and 1.7
			}
			if b *= speed; rng.IntN(10) == 0 {
				speed = 2.7 - speed
			}
			return b, 1.03 * speed * h
		})
	}
	mean, sd := moments(2000, func() float64 { return valueOfRound(draw()) })
	t.Logf("%+.2f ± %.2f %%", mean, sd)
	if sd > 2 || math.Abs(mean-100*math.Log(1.03)) > 0.2 {
		t.Errorf("%+.2f ± %.2f %%", mean, sd)
	}
}

// simulated draws pairs of slices, each with its own noise. The function change modifies the times
// of a pair.
func simulated(rng *rand.Rand, n int, noise float64, change func(base, head float64) (float64, float64)) [][2]float64 {
	times := make([][2]float64, n)
	for i := range times {
		b, h := change(math.Exp(noise*rng.NormFloat64()), math.Exp(noise*rng.NormFloat64()))
		times[i] = [2]float64{1000 * b, 1000 * h}
	}
	return times
}

// moments returns the mean and the standard deviation of the values of simulated rounds, in
// percent.
func moments(rounds int, value func() float64) (mean, sd float64) {
	sum, squares := 0.0, 0.0
	for range rounds {
		x := 100 * value()
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(rounds)
	return mean, math.Sqrt(squares/float64(rounds) - mean*mean)
}

// Even if disturbances make some slices on both sides up to five times as long, the value of a
// round is not biased, and it varies much less than the value of all slices.
func TestDisturbancesAreBorne(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, tt := range []struct{ noise, disturbed, most float64 }{{0.005, 0.1, 0.3}, {0.05, 0.1, 1.5}, {0.05, 0.3, 3.3}} {
		disturb := func(x float64) float64 {
			if rng.Float64() < tt.disturbed {
				x *= 1.5 + 3.5*rng.Float64()
			}
			return x
		}
		draw := func() [][2]float64 {
			return simulated(rng, 50, tt.noise, func(b, h float64) (float64, float64) { return disturb(b), 1.03 * disturb(h) })
		}
		mean, sd := moments(2000, func() float64 { return valueOfRound(draw()) })
		_, worst := moments(2000, func() float64 { return meanValue(draw()) })
		t.Logf("noise %.1f %%, 50 slices, +3 %%, %.0f %% disturbed: %+.2f ± %.2f %%, all slices ± %.2f %%", 100*tt.noise, 100*tt.disturbed, mean, sd, worst)
		if sd > worst/2 || sd > tt.most || math.Abs(mean-100*math.Log(1.03)) > 0.2 {
			t.Errorf("noise %v: %+.2f ± %.2f %%, all slices ± %.2f", tt.noise, mean, sd, worst)
		}
	}
}
