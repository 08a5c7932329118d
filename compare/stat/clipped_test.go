package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/livetest"
)

// Over all coin outcomes of a few rounds, the fraction with a p-value of at most p is itself at
// most p.
func TestClippedSumIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.Float64Range(0, 10), 1, 9).Draw(t, "sizes")
		shift := rapid.Float64Range(-3, 3).Draw(t, "shift")
		test := clippedSum{clip: rapid.Float64Range(0.5, 12).Draw(t, "clip")}
		var ups, downs []float64
		for coins := range 1 << len(sizes) {
			test.diffs = test.diffs[:0]
			for i, s := range sizes {
				if coins>>i&1 == 1 {
					s = -s
				}
				test.diffs = append(test.diffs, shift+s)
			}
			tails := test.tails(shift)
			ups, downs = append(ups, tails.Up), append(downs, tails.Down)
		}
		for _, all := range [][]float64{ups, downs} {
			for _, p := range all {
				if part := partBelow(all, p); part > p*(1+1e-9) {
					t.Fatalf("%g of all coins have a p of at most %g", part, p)
				}
			}
		}
	})
}

// partBelow returns the fraction of values at or below p.
func partBelow(values []float64, p float64) float64 {
	n := 0
	for _, v := range values {
		if v <= p*(1+1e-12) {
			n++
		}
	}
	return float64(n) / float64(len(values))
}

// Without rounding to steps, p is by definition the fraction of all subsets whose sum is 0 or less.
// With rounding, p is between that fraction and the one for a shift one step larger.
func TestClippedSumAgainstSubsets(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 7))
	for range 200 {
		test := clippedSum{clip: 1}
		for range 1 + r.IntN(12) {
			test.diffs = append(test.diffs, 0.3+r.NormFloat64())
		}
		shift, n := 0.2*r.NormFloat64(), len(test.diffs)
		exact := func(shift float64) float64 {
			below := 0
			for subset := range 1 << n {
				sum := 0.0
				for i, d := range test.diffs {
					if subset>>i&1 == 1 {
						sum += max(-1, min(d-shift, 1))
					}
				}
				if sum <= 0 {
					below++
				}
			}
			return float64(below) / float64(int(1)<<n)
		}
		got, least, most := test.tails(shift).Up, exact(shift), exact(shift+1./clippedSteps)
		if got < least || got > most {
			t.Errorf("%v above %g: p %g, want %g to %g", test.diffs, shift, got, least, most)
		}
	}
}

func TestClippedSumTails(t *testing.T) {
	for _, c := range []struct {
		diffs    []float64
		up, down float64
	}{
		{nil, 1, 1},
		{[]float64{0}, 1, 1},
		{[]float64{3}, 0.5, 1},
		{[]float64{1, 2, 3}, 1. / 8, 1},
		{[]float64{-1, 2, 4}, 2. / 8, 7. / 8},
		{[]float64{-100, 2, 3}, 4. / 8, 5. / 8}, // counted as -4
		{[]float64{math.Inf(1), -1}, 2. / 4, 3. / 4},
		{[]float64{math.Inf(-1), 1}, 3. / 4, 2. / 4},
	} {
		test := clippedSum{clip: 4, diffs: c.diffs}
		if got := test.tails(0); got != (Tails{c.up, c.down}) {
			t.Errorf("%v: %+v, want %g and %g", c.diffs, got, c.up, c.down)
		}
	}
}

// The interval contains every shift that the test does not reject, and each end is at most an
// eighth of a step too far out.
func TestClippedSumIntervalIsDual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		test := clippedSum{
			clip:  rapid.Float64Range(0.5, 12).Draw(t, "clip"),
			diffs: rapid.SliceOfN(rapid.Float64Range(-10, 10), 1, 30).Draw(t, "differences"),
		}
		tail := rapid.Float64Range(1e-6, 0.4).Draw(t, "tail")
		got, eighth := test.interval(tail), test.clip/clippedSteps/8
		if leastP(len(test.diffs)) > tail {
			if !math.IsInf(got.Lo, -1) || !math.IsInf(got.Hi, 1) {
				t.Fatalf("[%g, %g] of %d rounds", got.Lo, got.Hi, len(test.diffs))
			}
			return
		}
		if !(got.Lo <= got.Center+eighth && got.Center-eighth <= got.Hi) {
			t.Errorf("%g is not within [%g, %g]", got.Center, got.Lo, got.Hi)
		}
		if p := test.tails(got.Lo).Up; p > tail {
			t.Errorf("the lower end has p %g, tail %g", p, tail)
		}
		if p := test.tails(got.Hi).Down; p > tail {
			t.Errorf("the upper end has p %g, tail %g", p, tail)
		}
		if p := test.tails(got.Lo + 1.01*eighth).Up; p <= tail {
			t.Errorf("the lower end is too far out: p %g, tail %g", p, tail)
		}
		if p := test.tails(got.Hi - 1.01*eighth).Down; p <= tail {
			t.Errorf("the upper end is too far out: p %g, tail %g", p, tail)
		}
	})
}

// If processes may have to wait for a quota, sums find a change of +10 %; ranks alone find it only
// half of the time.
func TestSumsFindBesideAQuota(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 8))
	opt := Options{}
	opt.Part = 1. / 29
	trials := livetest.Few(100, 1000)
	found := 0
	for range trials {
		done := 1.7 * r.Float64()
		process := func() float64 {
			x := 100 * math.Exp(0.01*r.NormFloat64())
			for done += 1 + 0.01*r.NormFloat64(); done >= 1.7; done -= 1.7 {
				x *= 1.12
			}
			return x
		}
		series := Series{Better: -1, Threshold: 0.05}
		for range 48 {
			base, head := process(), process()
			if r.IntN(2) == 0 {
				base, head = head, base
			}
			series.Pairs = append(series.Pairs, Pair{Base: base, Head: 1.1 * head})
		}
		trial := Trial{Series: []Series{series}, Sessions: []int{48}}
		if Replay(trial, opt)[0].Outcome == Higher {
			found++
		}
	}
	t.Logf("of %d trials +10 %% is found in %d", trials, found)
	if found < trials*85/100 {
		t.Errorf("of %d trials +10 %% is found in %d", trials, found)
	}
}
