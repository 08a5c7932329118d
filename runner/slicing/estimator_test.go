package slicing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/internal/drawtest"
)

// swap lets the sides change places.
func swap(times [][2]float64) [][2]float64 {
	out := make([][2]float64, len(times))
	for i, t := range times {
		out[i] = [2]float64{t[1], t[0]}
	}
	return out
}

// If the sides change places, so do the two values of a round and nothing else, to the last bit,
// and what all slices share does not matter.
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
		r, s := Quicker.of(times), Quicker.of(swap(times))
		if !slices.Equal(r.kept[0], s.kept[1]) || !slices.Equal(r.kept[1], s.kept[0]) || s.spread != r.spread {
			t.Errorf("%+v and %+v", r, s)
		}
		if len(r.kept[0]) == 0 {
			return
		}
		sides, swapped := Quicker.Times(times), Quicker.Times(swap(times))
		if sides[0] != swapped[1] || sides[1] != swapped[0] || Quicker.value(swap(times)) != -Quicker.value(times) {
			t.Errorf("%v and %v", sides, swapped)
		}
		if d := Quicker.of(slower); !slices.Equal(d.kept[0], r.kept[0]) {
			t.Errorf("keeps %v, of slices twice as long %v", r.kept, d.kept)
		}
	})
}

func TestSelectionNeedsPairs(t *testing.T) {
	times := [][2]float64{{math.NaN(), 1}, {1, 0}}
	for range leastPairs - 1 {
		times = append(times, [2]float64{100, 110})
	}
	if s := Quicker.of(times); s.kept[0] != nil || s.kept[1] != nil {
		t.Errorf("of %d pairs: %+v", leastPairs-1, s)
	}
	if s := Quicker.of(append(times, times[2])); len(s.kept[0]) != leastPairs/2 || len(s.kept[1]) != leastPairs/2 || s.kept[0][0] < 2 {
		t.Errorf("of %d equal pairs: %+v", leastPairs, s)
	}
}

// Of each side the quicker half is kept, without the quickest twentieth.
func TestSelection(t *testing.T) {
	var times [][2]float64
	for i := range 20 {
		times = append(times, [2]float64{120 - float64(i), 100 + float64(i)})
	}
	times[3][1], times[19][0] = 50, 50
	for side, want := range []string{"[9 10 11 12 13 14 15 16 17 18]", "[0 1 2 4 5 6 7 8 9 10]"} {
		if got := fmt.Sprint(Quicker.of(times).kept[side]); got != want {
			t.Errorf("side %d keeps %s, want %s", side, got, want)
		}
	}
}

// simulated draws slices: each has noise of its own.
func simulated(rng *rand.Rand, n int, noise float64, change func(base, head float64) (float64, float64)) [][2]float64 {
	times := make([][2]float64, n)
	for i := range times {
		b, h := change(math.Exp(noise*rng.NormFloat64()), math.Exp(noise*rng.NormFloat64()))
		times[i] = [2]float64{1000 * b, 1000 * h}
	}
	return times
}

// moments are the mean and the standard deviation of what a round says, in percent.
func moments(rounds int, value func() float64) (mean, sd float64) {
	sum, squares := 0.0, 0.0
	for range rounds {
		x := 100 * value()
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(rounds)
	return mean, math.Sqrt(squares/float64(rounds) - mean*mean)
}

// Disturbances of a part of all slices, up to five times as long, on either side: the value is much
// sharper than that of all slices, and not biased.
func TestDisturbancesAreBorne(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, tt := range []struct{ noise, disturbed, most float64 }{{0.005, 0.1, 0.3}, {0.05, 0.1, 1.5}, {0.05, 0.3, 2}} {
		disturb := func(x float64) float64 {
			if rng.Float64() < tt.disturbed {
				x *= 1.5 + 3.5*rng.Float64()
			}
			return x
		}
		draw := func() [][2]float64 {
			return simulated(rng, 50, tt.noise, func(b, h float64) (float64, float64) { return disturb(b), 1.03 * disturb(h) })
		}
		mean, sd := moments(2000, func() float64 { return Quicker.value(draw()) })
		_, worst := moments(2000, func() float64 { return meanValue(draw()) })
		t.Logf("noise %.1f %%, 50 slices, +3 %%, %.0f %% disturbed: %+.2f ± %.2f %%, all slices ± %.2f %%", 100*tt.noise, 100*tt.disturbed, mean, sd, worst)
		if sd > worst/2 || sd > tt.most || math.Abs(mean-100*math.Log(1.03)) > 0.2 {
			t.Errorf("noise %v: %+.2f ± %.2f %%, all slices ± %.2f", tt.noise, mean, sd, worst)
		}
	}
}
