package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

var roundValues = []struct {
	name  string
	value RoundValue
}{{"sum", SumRatio}, {"median", MedianRatio}, {"trimmed", TrimmedRatio}}

// If the sides change places the value changes its sign and nothing else, to the last bit;
// the order of the slices does not matter, nor what all of them share.
func TestRoundIsAntisymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		time := rapid.OneOf(
			rapid.Float64Range(1, 1000),
			rapid.Map(rapid.IntRange(95, 105), func(i int) float64 { return float64(i) }),
			rapid.SampledFrom([]float64{100, 100, 100, 0, math.NaN(), math.Inf(1)}),
		)
		pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Pair {
			return Pair{Base: time.Draw(t, "base"), Head: time.Draw(t, "head")}
		}), 0, 40).Draw(t, "pairs")
		swapped, slower := make([]Pair, len(pairs)), make([]Pair, len(pairs))
		for i, p := range pairs {
			swapped[i] = Pair{Base: p.Head, Head: p.Base}
			slower[i] = Pair{Base: 2 * p.Base, Head: 2 * p.Head}
		}
		for _, v := range roundValues {
			r, s := v.value(pairs), v.value(swapped)
			same := s.Value == -r.Value || math.IsNaN(s.Value) && math.IsNaN(r.Value)
			if !same || s.Kept != r.Kept || s.Spread != r.Spread || s.Lower != r.Higher || s.Higher != r.Lower {
				t.Errorf("%s: %+v and %+v", v.name, r, s)
			}
			if d := v.value(slower); math.Abs(d.Value-r.Value) > 1e-9 {
				t.Errorf("%s: %+v, twice as slow %+v", v.name, r, d)
			}
		}
	})
}

func TestRoundNeedsSlices(t *testing.T) {
	pairs := []Pair{{Base: math.NaN(), Head: 1}, {Base: 1}}
	for range leastSlices - 1 {
		pairs = append(pairs, Pair{Base: 100, Head: 110})
	}
	for _, v := range roundValues {
		if r := v.value(pairs); !math.IsNaN(r.Value) || r.Kept != 0 {
			t.Errorf("%s of %d pairs: %+v", v.name, leastSlices-1, r)
		}
		if r := v.value(append(pairs, pairs[2])); math.Abs(r.Value-math.Log(1.1)) > 1e-12 || r.Kept == 0 {
			t.Errorf("%s of %d pairs: %+v", v.name, leastSlices, r)
		}
	}
}

// simulated draws slices: each has noise of its own.
func simulated(rng *rand.Rand, n int, noise float64, change func(base, head float64) (float64, float64)) []Pair {
	pairs := make([]Pair, n)
	for i := range pairs {
		b, h := change(math.Exp(noise*rng.NormFloat64()), math.Exp(noise*rng.NormFloat64()))
		pairs[i] = Pair{Base: 1000 * b, Head: 1000 * h}
	}
	return pairs
}

// moments are the mean and the standard deviation of a round's value, in percent.
func moments(value RoundValue, rounds int, draw func() []Pair) (mean, sd float64) {
	sum, squares := 0.0, 0.0
	for range rounds {
		x := 100 * value(draw()).Value
		sum, squares = sum+x, squares+x*x
	}
	mean = sum / float64(rounds)
	return mean, math.Sqrt(squares/float64(rounds) - mean*mean)
}

// A cost of 30 % in a tenth of head's slices is 3 % of its time. The sum sees it, however still
// the machine is, though each such slice then looks like a disturbance; the others do
// not, which is what their comments say.
func TestRoundSeesARareCost(t *testing.T) {
	const rounds = 2000
	for _, noise := range []float64{0.005, 0.02, 0.05} {
		for _, n := range []int{50, 100} {
			rng := rand.New(rand.NewPCG(5, uint64(n)))
			draw := func() []Pair {
				return simulated(rng, n, noise, func(b, h float64) (float64, float64) {
					if rng.IntN(10) == 0 {
						h *= 1.3
					}
					return b, h
				})
			}
			var mean [3]float64
			for i, v := range roundValues {
				var sd float64
				mean[i], sd = moments(v.value, rounds, draw)
				t.Logf("noise %.1f %%, %d slices, a cost of 3 %% in a tenth: %s %+.2f ± %.2f %%", 100*noise, n, v.name, mean[i], sd)
			}
			if least := 1.5; n == 100 && mean[0] < least {
				t.Errorf("noise %v, %d slices: the sum sees %+.2f %% of 3 %%", noise, n, mean[0])
			}
			if noise < 0.01 && mean[1] > 0.5 {
				t.Errorf("noise %v: the median sees %+.2f %%", noise, mean[1])
			}
		}
	}
}

// Disturbances of a tenth of all slices, up to five times as long, on either side: each value is
// much sharper than a plain ratio of sums, and none is biased.
func TestRoundBearsDisturbances(t *testing.T) {
	plain := func(pairs []Pair) Round {
		b, h := 0.0, 0.0
		for _, p := range pairs {
			b, h = b+p.Base, h+p.Head
		}
		return Round{Value: math.Log(h / b)}
	}
	rng := rand.New(rand.NewPCG(7, 8))
	disturb := func(x float64) float64 {
		if rng.IntN(10) == 0 {
			x *= 1.5 + 3.5*rng.Float64()
		}
		return x
	}
	for _, noise := range []float64{0.005, 0.05} {
		draw := func() []Pair {
			return simulated(rng, 50, noise, func(b, h float64) (float64, float64) { return disturb(b), 1.03 * disturb(h) })
		}
		_, worst := moments(plain, 2000, draw)
		for _, v := range roundValues {
			mean, sd := moments(v.value, 2000, draw)
			t.Logf("noise %.1f %%, 50 slices, +3 %%, disturbed: %s %+.2f ± %.2f %%, plain sums ± %.2f %%", 100*noise, v.name, mean, sd, worst)
			if sd > worst/2 || math.Abs(mean-100*math.Log(1.03)) > 0.5 {
				t.Errorf("noise %v: %s is %+.2f ± %.2f %%, plain sums ± %.2f", noise, v.name, mean, sd, worst)
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
