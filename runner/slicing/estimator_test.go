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

var estimators = []Estimator{Sum, Trimmed, Median, Quiet, All}

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
		for _, e := range estimators {
			r, s := e.of(times), e.of(swap(times))
			if !slices.Equal(r.kept[0], s.kept[1]) || !slices.Equal(r.kept[1], s.kept[0]) || s.spread != r.spread || s.lower != r.higher || s.higher != r.lower {
				t.Errorf("%s: %+v and %+v", e, r, s)
			}
			if len(r.kept[0]) == 0 {
				continue
			}
			sides, value := e.Times(times), e.value(times)
			swapped, back := e.Times(swap(times)), e.value(swap(times))
			if sides[0] != swapped[1] || sides[1] != swapped[0] || back != -value {
				t.Errorf("%s: %v, %v and %v, %v", e, sides, value, swapped, back)
			}
			if d := e.of(slower); !slices.Equal(d.kept[0], r.kept[0]) {
				t.Errorf("%s: keeps %v, of slices twice as long %v", e, r.kept, d.kept)
			}
		}
	})
}

func TestSelectionNeedsPairs(t *testing.T) {
	times := [][2]float64{{math.NaN(), 1}, {1, 0}}
	for range leastPairs - 1 {
		times = append(times, [2]float64{100, 110})
	}
	for _, e := range estimators {
		if s := e.of(times); s.kept[0] != nil || s.kept[1] != nil {
			t.Errorf("%s of %d pairs: %+v", e, leastPairs-1, s)
		}
		if s := e.of(append(times, times[2])); len(s.kept[0]) == 0 || e != Quiet && len(s.kept[1]) != leastPairs || s.kept[0][0] < 2 {
			t.Errorf("%s of %d equal pairs: %+v", e, leastPairs, s)
		}
	}
}

// What each estimator keeps of the ratios 1, 2, 3 ... %, of which the last is off.
func TestSelection(t *testing.T) {
	var times [][2]float64
	for i := range 20 {
		times = append(times, [2]float64{100, 101 + float64(i)})
	}
	times[19][1] = 500
	want := map[Estimator]string{
		Sum:     "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18]",
		Trimmed: "[4 5 6 7 8 9 10 11 12 13 14 15]",
		Median:  "[8 9 10 11]",
		Quiet:   "[0 1 2]",
		All:     "[0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19]",
	}
	for e, want := range want {
		if got := fmt.Sprint(e.of(times).kept[1]); got != want {
			t.Errorf("%s keeps %s, want %s", e, got, want)
		}
	}
	// In one piece they are one disturbance.
	for i := range 8 {
		times[11+i][1] = 500
	}
	if got := Sum.of(times).kept[1]; len(got) != 11 {
		t.Errorf("of 20, nine of which are off in one piece, %s keeps %v", Sum, got)
	}
	for i := range 9 {
		times[11+i][1] = 112 + float64(i)
	}
	// Eight are more than chance: then they are what head does.
	for i := range 8 {
		times[2*i][1] = 500
	}
	for _, e := range estimators {
		if got := e.of(times).kept; len(got[0]) != 20 || len(got[1]) != 20 {
			t.Errorf("%s keeps %v", e, got)
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

// moments are the mean and the standard deviation of a round's value, in percent.
func moments(e Estimator, rounds int, draw func() [][2]float64) (mean, sd float64) {
	sum, squares := 0.0, 0.0
	for range rounds {
		x := e.value(draw())
		sum, squares = sum+100*x, squares+1e4*x*x
	}
	mean = sum / float64(rounds)
	return mean, math.Sqrt(squares/float64(rounds) - mean*mean)
}

// Disturbances of a tenth of all slices, up to five times as long, on either side: each value is
// much sharper than that of all slices, and none is biased.
func TestEstimatorsBearDisturbances(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	disturb := func(x float64) float64 {
		if rng.IntN(10) == 0 {
			x *= 1.5 + 3.5*rng.Float64()
		}
		return x
	}
	for _, noise := range []float64{0.005, 0.05} {
		draw := func() [][2]float64 {
			return simulated(rng, 50, noise, func(b, h float64) (float64, float64) { return disturb(b), 1.03 * disturb(h) })
		}
		_, worst := moments(All, 2000, draw)
		for _, e := range []Estimator{Sum, Trimmed, Median, Quiet} {
			mean, sd := moments(e, 2000, draw)
			t.Logf("noise %.1f %%, 50 slices, +3 %%, disturbed: %s %+.2f ± %.2f %%, all ± %.2f %%", 100*noise, e, mean, sd, worst)
			if sd > worst/2 || math.Abs(mean-100*math.Log(1.03)) > 0.5 {
				t.Errorf("noise %v: %s is %+.2f ± %.2f %%, all ± %.2f", noise, e, mean, sd, worst)
			}
		}
	}
}

func TestSignTest(t *testing.T) {
	for _, tt := range []struct {
		a, b int
		want float64
	}{{0, 0, 1}, {1, 0, 1}, {6, 0, 2.0 / 64}, {0, 6, 2.0 / 64}, {1, 9, 22.0 / 1024}, {5, 5, 1}} {
		if got := signTest(tt.a, tt.b); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%d to %d: %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
