package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/livetest"
)

// shortPlan returns options with levels a few rounds can reach, so all outcomes of their coins can
// be tried.
func shortPlan() Options {
	return Options{
		Alpha: 0.25,
		Plan:  Plan{Looks: []Look{{3, 0.2}, {4, 0.3}, {6, 0.2}}, Reserve: 0.3, Step: 2},
		Floor: func(float64, float64) EffectFloor { return EffectFloor{} },
	}
}

const shortRounds = 8

// tossed returns the series with their sides swapped in each round whose bit in coins is set.
func tossed(series []Series, coins int) []Series {
	out := slices.Clone(series)
	for i := range out {
		out[i].Pairs = slices.Clone(out[i].Pairs)
		for r, p := range out[i].Pairs {
			if coins>>r&1 == 1 {
				out[i].Pairs[r] = Pair{Base: p.Head, Head: p.Base}
			}
		}
		out[i].Means = slices.Clone(out[i].Means)
		for r, p := range out[i].Means {
			if coins>>r&1 == 1 {
				out[i].Means[r] = Pair{Base: p.Head, Head: p.Base}
			}
		}
	}
	return out
}

// oddFamilies draws families of series without any assumptions. Their values may be unequal, tied,
// infinite, negative or missing.
func oddFamilies(r *rand.Rand) map[string][]Series {
	series := func(value func(round int) (a, b float64)) Series {
		s := Series{Better: -1, Threshold: 0.05}
		for round := range shortRounds {
			a, b := value(round)
			s.Pairs = append(s.Pairs, Pair{Base: a, Head: b})
		}
		return s
	}
	wild := func(int) (float64, float64) { return 100, 100 * math.Exp(math.Exp(2*r.NormFloat64())/50) }
	growing := func(round int) (float64, float64) { return 100, 100 + math.Ldexp(1, round) }
	tied := func(int) (float64, float64) { return 100, 100 + float64(r.IntN(3)) }
	zero := func(int) (float64, float64) { return float64(r.IntN(2)), float64(1 + r.IntN(2)) }
	negative := func(int) (float64, float64) { return r.NormFloat64(), r.NormFloat64() }
	lacking := func(int) (float64, float64) {
		if r.IntN(4) == 0 {
			return math.NaN(), 1
		}
		return 100, 100 + 10*r.Float64()
	}
	capped := series(wild)
	capped.Capped = true
	// This series is as good as equal in its first rounds, so it is not always a hypothesis.
	late := series(func(round int) (float64, float64) {
		if round < 4 {
			return 1000, 1001
		}
		return 1000, 1100
	})
	late.Counts, late.Negligible = true, Negligible{Size: 16}
	unknown := series(wild)
	unknown.Unknown = true
	// In some of these series, the mean follows the typical round, in others it contradicts it or
	// is the only difference, and some rounds have no mean.
	mean := func(value, mean func(int) (float64, float64)) Series {
		s := series(value)
		s.Means = series(mean).Pairs
		return s
	}
	alike := series(wild)
	alike.Means = slices.Clone(alike.Pairs)
	opposed := series(growing)
	for _, p := range opposed.Pairs {
		opposed.Means = append(opposed.Means, Pair{Base: p.Head, Head: p.Base})
	}
	flat := func(int) (float64, float64) { return 100, 100 }
	unknownMean := mean(tied, wild)
	unknownMean.Unknown = true
	return map[string][]Series{
		"mean":     {mean(flat, growing)},
		"alike":    {alike},
		"opposed":  {opposed},
		"means":    {alike, opposed, mean(flat, wild), mean(wild, lacking), unknownMean, series(wild)},
		"one":      {series(wild)},
		"growing":  {series(growing)},
		"tied":     {series(tied)},
		"zero":     {series(zero)},
		"negative": {series(negative)},
		"lacking":  {series(lacking)},
		"capped":   {capped},
		"several":  {series(wild), series(growing), series(tied), series(wild)},
		"all":      {series(wild), series(zero), series(negative), late, unknown, capped},
	}
}

// If both sides behave the same, then over all outcomes of fair coins, the probability that any
// series is flagged as higher is at most alpha, and so is the probability that any is flagged as
// lower. This is true for one session and for several sessions, wherever they end, and also for the
// part of alpha that other targets leave. The test counts outcomes, so it needs no theoretical
// bound and assumes nothing about the noise.
func TestPairsErrAsPlanned(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	most := 0.0
	for _, part := range []float64{1, 0.4} {
		for range livetest.Few(1, 3) {
			for name, family := range oddFamilies(r) {
				for _, sessions := range [][]int{{6}, {8}, {2, 5, 6, 7, 8}, {7, 7, 8}} {
					opt := shortPlan()
					opt.Part = part
					var s Sequence
					var higher, lower int
					for coins := range 1 << shortRounds {
						s.Reset(Trial{Series: tossed(family, coins), Sessions: sessions}, opt)
						var flagged [Same + 1]bool
						for _, d := range s.Decisions() {
							flagged[d.Outcome] = true
						}
						if flagged[Higher] {
							higher++
						}
						if flagged[Lower] {
							lower++
						}
					}
					rate := float64(max(higher, lower)) / (1 << shortRounds)
					if rate > part*opt.Alpha {
						t.Errorf("%s, sessions %v: flagged in %v of all ways at %v of %v", name, sessions, rate, part, opt.Alpha)
					}
					most = max(most, rate)
				}
			}
		}
	}
	if most < 0.1 {
		t.Errorf("at most %v are flagged at 0.25: the test tests nothing", most)
	}
}

// Over all outcomes of the coins, the probability that the lower end of any interval shown after a
// session is above the true shift, which is 0, is at most alpha. The same is true of upper ends
// below the true shift.
func TestPairsCover(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	most := 0.0
	for range livetest.Few(1, 3) {
		for name, family := range oddFamilies(r) {
			if len(family) > 1 {
				continue
			}
			for _, sessions := range [][]int{{6}, {8}, {1, 2, 3, 4, 5, 6, 7, 8}, {5, 5, 7, 7}} {
				opt := shortPlan()
				opt.Alpha = 0.9
				var above, below int
				for coins := range 1 << shortRounds {
					trial := Trial{Series: tossed(family, coins)}
					s := NewSequence(Trial{Series: stripped(trial.Series)}, opt)
					from, up, down := 0, false, false
					for _, end := range sessions {
						feed(s, trial, from, end)
						s.End(end)
						d := s.Decisions()[0]
						up, down, from = up || d.Shift.Lo > 0, down || d.Shift.Hi < 0, end
					}
					if up {
						above++
					}
					if down {
						below++
					}
				}
				rate := float64(max(above, below)) / (1 << shortRounds)
				if rate > opt.Alpha {
					t.Errorf("%s, sessions %v: an end is wrong in %v of all ways at %v", name, sessions, rate, opt.Alpha)
				}
				most = max(most, rate)
			}
		}
	}
	if most < 0.2 {
		t.Errorf("at most %v are wrong at 0.9: the test tests nothing", most)
	}
}

// The shares that the looks of a trial spend on flags sum to at most 1, however shares are carried
// over and trials are continued.
func TestPairsSpendWhatThereIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opt := Options{
			Part:  rapid.SampledFrom([]float64{1, 1, 0.5, 0.1, 0.03, 1e-6}).Draw(t, "part"),
			Floor: func(float64, float64) EffectFloor { return EffectFloor{Least: 10} }, // decides nothing
		}
		trial := Trial{Series: []Series{seq(rand.New(rand.NewPCG(1, 2)), 250, 0.01, 0.3), constantly(250, 1, 1), seq(rand.New(rand.NewPCG(3, 4)), 250, 0.01, 0.3)}}
		if rapid.Bool().Draw(t, "means") {
			trial.Series[0].Means, trial.Series[2].Means = trial.Series[2].Pairs, trial.Series[0].Pairs
		}
		trial.Series[0].Threshold, trial.Series[2].Threshold, trial.Series[2].Unknown = 0, 0, true
		s := NewSequence(Trial{Series: stripped(trial.Series)}, opt)
		var spent [len(groups)]float64
		looked := 0
		look := func() {
			if s.pairs.looked == looked {
				return
			}
			looked = s.pairs.looked
			n := s.pairs.sizes()
			for i, g := range groups {
				st := &s.series[map[bool]int{false: 0, true: 2}[g.unknown]]
				now := st.now
				if g.mean {
					now = st.mean
				}
				if now.adjusted[up] < 1 {
					spent[i] += now.up * n.sharing(i, s.opt.Part) / now.adjusted[up]
				}
			}
		}
		round := 0
		for range rapid.IntRange(1, 8).Draw(t, "sessions") {
			for range rapid.IntRange(0, 30).Draw(t, "rounds") {
				round++
				feed(s, trial, round-1, round)
				look()
			}
			s.End(round)
			look()
		}
		due := s.opt.Plan.reserved(max(round, 1))
		for _, l := range s.opt.Plan.Looks {
			if l.Rounds <= round {
				due += l.Share
			}
		}
		for i := range spent[:2+2*min(1, len(trial.Series[0].Means))] {
			if got := spent[i] + s.pairs.carried[i]; math.Abs(got-due) > 1e-9 || due > 1-s.opt.Plan.Further {
				t.Fatalf("after %d rounds %v spent and %v carried, of %v", round, spent[i], s.pairs.carried[i], due)
			}
		}
	})
}

// At a look, an interval gets the look's share. Between two looks, it gets half of the next look's
// share, and the next look keeps the other half. After the last look, it gets the released part of
// the reserve.
func TestPairsPayForIntervals(t *testing.T) {
	series := seq(rand.New(rand.NewPCG(1, 2)), 100, 0.3, 0)
	for _, tt := range []struct {
		sessions []int
		share    float64
	}{
		{[]int{9}, 0.25},
		{[]int{14}, 0.04},
		{[]int{18}, 0.08 / 2},
		{[]int{18, 19}, 0.08 / 4},
		{[]int{18, 18}, 0.08 / 2},
		{[]int{18, 21}, 0.08 / 2},
		{[]int{18, 19, 21}, 0.08 / 4},
		{[]int{18, 27}, 0.1},
		{[]int{48}, 0.15},
		{[]int{48, 48}, 0.15},
		{[]int{48, 60}, 0.05 / 5},
		{[]int{48, 60, 80}, 0.05*2/5 - 0.05/5},
		{[]int{30, 80}, 0.05 * 2 / 5},
	} {
		got := Replay(Trial{Series: []Series{series}, Sessions: tt.sessions}, Options{})[0]
		last := tt.sessions[len(tt.sessions)-1]
		var test SignedRank
		test.Load(logsOf(series.Pairs[:last]))
		want := test.Interval(tt.share * 0.01)
		if got.Outcome != Open || got.Rounds != last || math.Abs(math.Log1p(got.Shift.Lo)-want.Lo) > 1e-12 || math.Abs(math.Log1p(got.Shift.Hi)-want.Hi) > 1e-12 {
			t.Errorf("sessions %v: %+v, want %+v", tt.sessions, got, want)
		}
	}
}

func logsOf(pairs []Pair) (logs []Pair) {
	for _, p := range pairs {
		logs = append(logs, Pair{Base: math.Log(p.Base), Head: math.Log(p.Head)})
	}
	return logs
}
