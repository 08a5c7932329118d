package compare

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/stat"
)

// A testSeries holds a check's measurements for one row.
type testSeries struct {
	Unit       string
	Better     int
	Exact      bool
	Threshold  float64
	Noise      float64
	Base, Head []float64
}

// slower returns 40 rounds of a time with head slower by the fraction effect.
func slower(r *rand.Rand, cv, effect float64) testSeries {
	return testSeries{
		Unit: "sec/op", Better: -1, Threshold: 0.05,
		Base: draw(r, 40, 100, cv), Head: draw(r, 40, 100*(1+effect), cv),
	}
}

// constantly returns a series in which each side repeats one value.
func constantly(unit string, n int, b, h float64) testSeries {
	return testSeries{
		Unit: unit, Better: -1, Threshold: 0.05,
		Base: slices.Repeat([]float64{b}, n), Head: slices.Repeat([]float64{h}, n),
	}
}

// decided returns a check's decision on one series after the given number of rounds.
func decided(t *testing.T, s testSeries, rounds int) Decision {
	t.Helper()
	series := SeriesOf(s.Unit, s.Better, s.Exact)
	series.Threshold, series.Noise = s.Threshold, s.Noise
	for i := range min(len(s.Base), len(s.Head)) {
		series.Pairs = append(series.Pairs, stat.Pair{Base: s.Base[i], Head: s.Head[i]})
	}
	d := stat.Replay(stat.Trial{Series: []stat.Series{series}, Sessions: []int{rounds}}, stat.Options{})[0]
	return DecisionOf(d, s.Better)
}

func TestReplayVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	quiet := func(effect float64) testSeries { return slower(r, 0.01, effect) }
	faster := func(s testSeries) testSeries { s.Better = +1; return s }
	unknown := func(s testSeries) testSeries { s.Better = 0; return s }
	with := func(s testSeries, round int, b, h float64) testSeries {
		s.Base[round-1], s.Head[round-1] = b, h
		return s
	}
	exact := func(s testSeries) testSeries { s.Exact = true; return s }
	noisy := func(s testSeries) testSeries { s.Noise = 0.02; return s }
	drifting := func(s testSeries) testSeries {
		for i := range s.Base {
			level := math.Pow(1.5, float64(i/5))
			s.Base[i] *= level
			s.Head[i] *= level
		}
		return s
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		name    string
		series  testSeries
		verdict Verdict
		round   int
		reason  string // a substring of the reason
	}{
		{"slower", quiet(0.1), Regressed, 9, ""},
		{"faster", quiet(-0.1), Improved, 9, ""},
		{"same", quiet(0), Unchanged, 9, "within "},
		{"more per second", faster(quiet(0.1)), Improved, 9, ""},
		{"less per second", faster(quiet(-0.1)), Regressed, 9, ""},
		{"no direction", unknown(quiet(0.1)), Changed, 9, ""},
		{"noise", slower(r, 0.3, 0), Inconclusive, 0, "too noisy: even a thousand rounds would not decide it"},
		{"a clock that ticks", constantly("sec/op", 40, 100, 110), Regressed, 9, ""},
		{"a clock that stands", constantly("sec/op", 40, 100, 100), Unchanged, 9, ""},
		{"builds differ by more than the interval leaves", noisy(quiet(0)), Inconclusive, 0, "too noisy"},
		{"drift that benchstat cannot see through", drifting(quiet(0.06)), Regressed, 9, ""},
		{"no time at all", constantly("sec/op", 40, 0, 0), Unchanged, 9, ""},
		{"nothing a token", constantly("B/tok", 40, 0, 0), Unchanged, 9, ""},
		{"something a token", constantly("B/tok", 40, 0, 8), Regressed, 9, ""},
		{"nothing a token but once", with(constantly("B/tok", 40, 0, 0), 7, 0, 8), Unchanged, 17, ""},
		{"a score that stands", constantly("score", 40, 5, 5), Unchanged, 9, ""},
		{"a score below 0 that stands", constantly("score", 40, -5, -5), Unchanged, 9, ""},
		{"an exact score below 0 that stands", exact(constantly("score", 40, -5, -5)), Unchanged, 9, ""},
		{"infinite on both sides", constantly("score", 40, inf, inf), Inconclusive, 0, "not finite"},
		{"one 0", with(quiet(0.1), 3, 0, 100), Regressed, 9, ""},
		{"one 0 after the decision", with(quiet(0.1), 12, 0, 100), Regressed, 9, ""},
		{"negative", with(quiet(0.1), 3, -1, 100), Regressed, 9, ""},
		{"infinite", with(quiet(0.1), 3, 100, inf), Inconclusive, 0, "not finite"},
		{"a failed round", with(quiet(0.1), 3, nan, 100), Regressed, 12, ""},
		{"nothing", testSeries{Unit: "sec/op", Better: -1}, Inconclusive, 0, "no round measured both sides"},
		{"one side", testSeries{Unit: "sec/op", Better: -1, Base: []float64{1, 2, 3}}, Inconclusive, 0, "no round measured both sides"},
		{"odd options", testSeries{Unit: "sec/op", Threshold: nan, Noise: nan, Base: []float64{1, 2}, Head: []float64{2, 1}}, Inconclusive, 0, "more rounds cannot decide it"},

		{"one more allocation", constantly("allocs/op", 40, 5, 6), Regressed, 9, ""},
		{"one less allocation", constantly("allocs/op", 40, 6, 5), Improved, 9, ""},
		{"the same allocations", constantly("allocs/op", 40, 5, 5), Unchanged, 9, ""},
		{"no allocations", constantly("allocs/op", 40, 0, 0), Unchanged, 9, ""},
		{"the first allocation", constantly("allocs/op", 40, 0, 1), Regressed, 9, ""},
		{"16 bytes", constantly("B/op", 40, 100, 116), Unchanged, 9, "too small"},
		{"17 bytes", constantly("B/op", 40, 100, 117), Regressed, 9, ""},
		{"1 %", constantly("B/op", 40, 10_000, 10_100), Unchanged, 9, "too small"},
		{"varying allocations, once one more", with(constantly("allocs/op", 40, 5, 5), 7, 5, 6), Unchanged, 17, ""},
		{"varying allocations, one more", with(constantly("allocs/op", 40, 5, 6), 7, 6, 6), Regressed, 12, ""},
		{"varying from 0", with(constantly("allocs/op", 40, 0, 2), 7, 1, 2), Regressed, 9, ""},
		{"varying bytes", with(constantly("B/op", 40, 100, 110), 7, 104, 110), Unchanged, 9, "too small"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := decided(t, tt.series, 40)
			if d.Verdict != tt.verdict || d.DecidedAt != tt.round || !strings.Contains(d.Reason, tt.reason) || tt.reason == "" && d.Reason != "" {
				t.Errorf("got %s %q at round %d: %+v", d.Verdict, d.Reason, d.DecidedAt, d)
			}
		})
	}
}

// A count alternating between two values may happen to be constant on each side if there are only a
// few rounds, as when the budget ends early. This is not yet a difference, unless the unit is
// declared exact.
func TestExactWantsRounds(t *testing.T) {
	for _, tt := range []struct {
		unit   string
		exact  bool
		rounds int
		head   float64
		want   Verdict
	}{
		{"allocs/op", false, 2, 68, Inconclusive}, {"allocs/op", false, 6, 68, Inconclusive}, {"allocs/op", false, 7, 68, Regressed},
		{"allocs/op", false, 2, 67, Unchanged}, {"B/op", false, 6, 1e6, Inconclusive}, {"instructions", true, 2, 68, Regressed},
		{"B/tok", false, 6, 67, Inconclusive}, {"B/tok", false, 7, 67, Unchanged},
	} {
		series := constantly(tt.unit, tt.rounds, 67, tt.head)
		series.Exact = tt.exact
		if d := decided(t, series, tt.rounds); d.Verdict != tt.want {
			t.Errorf("%+v: %s (%s)", tt, d.Verdict, d.Reason)
		}
	}
}
