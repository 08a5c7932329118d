package compare

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// seq draws a series of n rounds whose head is slower by effect.
func seq(r *rand.Rand, n int, cv, effect float64) SequentialSeries {
	return SequentialSeries{
		Unit: "sec/op", Better: -1, Threshold: 0.05,
		Base: draw(r, n, 100, cv), Head: draw(r, n, 100*(1+effect), cv),
	}
}

// constantly is a series that repeats one value a side.
func constantly(unit string, n int, b, h float64) SequentialSeries {
	return SequentialSeries{
		Unit: unit, Better: -1, Threshold: 0.05,
		Base: slices.Repeat([]float64{b}, n), Head: slices.Repeat([]float64{h}, n),
	}
}

func only(t *testing.T, s SequentialSeries, sessions ...int) SequentialDecision {
	t.Helper()
	d := Replay(SequentialTrial{Series: []SequentialSeries{s}, Sessions: sessions}, SequentialOptions{})[0]
	checkFinite(t, d)
	return d
}

// checkFinite fails on any NaN.
func checkFinite(t interface{ Fatalf(string, ...any) }, d SequentialDecision) {
	for _, v := range []float64{d.Shift.Center, d.Shift.Lo, d.Shift.Hi, d.Bound, d.P, d.AdjustedP, d.Threshold} {
		if v != v {
			t.Fatalf("NaN in %+v", d)
		}
	}
	if math.IsInf(d.Shift.Center, 0) || d.Shift.Lo > d.Shift.Center || d.Shift.Center > d.Shift.Hi {
		t.Fatalf("odd shift in %+v", d)
	}
}

func TestReplayVerdicts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	quiet := func(effect float64) SequentialSeries { return seq(r, 40, 0.01, effect) }
	faster := func(s SequentialSeries) SequentialSeries { s.Better = +1; return s }
	unknown := func(s SequentialSeries) SequentialSeries { s.Better = 0; return s }
	with := func(s SequentialSeries, round int, b, h float64) SequentialSeries {
		s.Base[round-1], s.Head[round-1] = b, h
		return s
	}
	exact := func(s SequentialSeries) SequentialSeries { s.Exact = true; return s }
	noisy := func(s SequentialSeries) SequentialSeries { s.Noise = 0.02; return s }
	drifting := func(s SequentialSeries) SequentialSeries {
		for i := range s.Base {
			level := math.Pow(1.5, float64(i/blockRounds))
			s.Base[i] *= level
			s.Head[i] *= level
		}
		return s
	}
	nan, inf := math.NaN(), math.Inf(1)
	for _, tt := range []struct {
		name    string
		series  SequentialSeries
		verdict Verdict
		round   int
		reason  string // a part of it
	}{
		{"slower", quiet(0.1), Regressed, 10, ""},
		{"faster", quiet(-0.1), Improved, 10, ""},
		{"same", quiet(0), Unchanged, 10, "within "},
		{"more per second", faster(quiet(0.1)), Improved, 10, ""},
		{"less per second", faster(quiet(-0.1)), Regressed, 10, ""},
		{"no direction", unknown(quiet(0.1)), Changed, 10, ""},
		{"noise", seq(r, 40, 0.3, 0), Inconclusive, 0, "needs "},
		{"a clock that ticks", constantly("sec/op", 40, 100, 110), Regressed, 10, ""},
		{"a clock that stands", constantly("sec/op", 40, 100, 100), Unchanged, 10, ""},
		{"builds differ by more than the interval leaves", noisy(quiet(0)), Inconclusive, 0, "no number of rounds"},
		{"drift that benchstat cannot see through", drifting(quiet(0.06)), Inconclusive, 0, "drifted"},
		{"no time at all", constantly("sec/op", 40, 0, 0), Unchanged, 10, ""},
		{"nothing a token", constantly("B/tok", 40, 0, 0), Unchanged, 10, ""},
		{"something a token", constantly("B/tok", 40, 0, 8), Inconclusive, 0, "a value of 0 has no relative change"},
		{"nothing a token but once", with(constantly("B/tok", 40, 0, 0), 7, 0, 8), Inconclusive, 0, "a value of 0 has no relative change"},
		{"a score that stands", constantly("score", 40, 5, 5), Unchanged, 10, ""},
		{"a score below 0 that stands", constantly("score", 40, -5, -5), Unchanged, 10, ""},
		{"an exact score below 0 that stands", exact(constantly("score", 40, -5, -5)), Unchanged, 10, ""},
		{"infinite on both sides", constantly("score", 40, inf, inf), Inconclusive, 0, "not finite"},
		{"one 0", with(quiet(0.1), 3, 0, 100), Inconclusive, 0, "a value of 0"},
		{"one 0 after the decision", with(quiet(0.1), 12, 0, 100), Regressed, 10, ""},
		{"negative", with(quiet(0.1), 3, -1, 100), Inconclusive, 0, "negative"},
		{"infinite", with(quiet(0.1), 3, 100, inf), Inconclusive, 0, "not finite"},
		{"a failed round", with(quiet(0.1), 3, nan, 100), Regressed, 10, ""},
		{"nothing", SequentialSeries{Unit: "sec/op", Better: -1}, Inconclusive, 0, "no round has both sides"},
		{"one side", SequentialSeries{Unit: "sec/op", Better: -1, Base: []float64{1, 2, 3}}, Inconclusive, 0, "no round has both sides"},
		{"odd options", SequentialSeries{Unit: "sec/op", Threshold: nan, Noise: nan, Base: []float64{1, 2}, Head: []float64{2, 1}}, Inconclusive, 0, "no number of rounds"},

		{"one more allocation", constantly("allocs/op", 40, 5, 6), Regressed, 10, ""},
		{"one less allocation", constantly("allocs/op", 40, 6, 5), Improved, 10, ""},
		{"the same allocations", constantly("allocs/op", 40, 5, 5), Unchanged, 10, ""},
		{"no allocations", constantly("allocs/op", 40, 0, 0), Unchanged, 10, ""},
		{"the first allocation", constantly("allocs/op", 40, 0, 1), Regressed, 10, ""},
		{"16 bytes", constantly("B/op", 40, 100, 116), Unchanged, 10, "too small"},
		{"17 bytes", constantly("B/op", 40, 100, 117), Regressed, 10, ""},
		{"1 %", constantly("B/op", 40, 10_000, 10_100), Unchanged, 10, "too small"},
		{"varying allocations, once one more", with(constantly("allocs/op", 40, 5, 5), 7, 5, 6), Unchanged, 10, ""},
		{"varying allocations, one more", with(constantly("allocs/op", 40, 5, 6), 7, 6, 6), Regressed, 10, ""},
		{"varying from 0", with(constantly("allocs/op", 40, 0, 2), 7, 1, 2), Regressed, 10, ""},
		{"varying bytes", with(constantly("B/op", 40, 100, 110), 7, 104, 110), Unchanged, 10, "too small"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := only(t, tt.series, 40)
			if d.Verdict != tt.verdict || d.Round != tt.round || !strings.Contains(d.Reason, tt.reason) || tt.reason == "" && d.Reason != "" {
				t.Errorf("got %s %q at round %d: %+v", d.Verdict, d.Reason, d.Round, d)
			}
		})
	}
}

// What the p of a regression is made of: its own test at the round that
// decided, times the hypotheses, over the share of that look.
func TestReplayNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	trial := SequentialTrial{Sessions: []int{40}}
	for i := range 5 {
		trial.Series = append(trial.Series, seq(r, 40, 0.01, cond(i == 0, 0.1, 0.0)))
	}
	d := Replay(trial, SequentialOptions{})[0]
	logs := func(v []float64) (out []float64) {
		for _, x := range v[:10] {
			out = append(out, math.Log(x))
		}
		return out
	}
	want := new(Stratified).Test(logs(trial.Series[0].Base), logs(trial.Series[0].Head), 5, math.Log1p(0.0025)).Up
	if d.P != want || math.Abs(d.AdjustedP/(want*5/0.225)-1) > 1e-12 || d.Rounds != 10 {
		t.Errorf("got %+v, p %v", d, want)
	}
	if d.Bound < d.Shift.Hi || d.Shift.Lo > 0.1 || d.Shift.Hi < 0.1 {
		t.Errorf("interval %+v", d)
	}
}

// A p that would do alone is not enough among many.
func TestReplayCorrects(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	one := seq(r, 10, 0.01, 0.2)
	alone := SequentialTrial{Series: []SequentialSeries{one}, Sessions: []int{10}}
	many := SequentialTrial{Sessions: []int{10}}
	many.Series = append(many.Series, one)
	for range 199 {
		many.Series = append(many.Series, seq(r, 10, 0.01, 0))
	}
	if d := Replay(alone, SequentialOptions{})[0]; d.Verdict != Regressed {
		t.Errorf("alone: %+v", d)
	}
	if d := Replay(many, SequentialOptions{})[0]; d.Verdict != Inconclusive || d.AdjustedP < 0.01 {
		t.Errorf("one of 200 in 10 rounds: %+v", d) // 1/252² > 0.00225/200
	}
	// Exact counts are outside the family.
	few := alone
	for range 199 {
		few.Series = append(few.Series, constantly("allocs/op", 10, 3, 3))
	}
	if d := Replay(few, SequentialOptions{})[0]; d.Verdict != Regressed {
		t.Errorf("beside counts: %+v", d)
	}
}

// A change that a late sample of the base hides from one look is not called
// unchanged because its interval ends below the threshold.
func TestReplayWaitsForHidden(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	hidden := seq(r, 40, 0.002, 0.04)
	hidden.Base[3] = 200
	trial := SequentialTrial{Series: []SequentialSeries{hidden}, Sessions: []int{10}}
	for range 28 {
		trial.Series = append(trial.Series, seq(r, 40, 0.01, 0))
	}
	if d := Replay(trial, SequentialOptions{})[0]; d.Verdict != Inconclusive {
		t.Errorf("after 10 rounds: %+v", d)
	}
	trial.Sessions[0] = 15
	if d := Replay(trial, SequentialOptions{})[0]; d.Verdict != Regressed {
		t.Errorf("after 15 rounds: %+v", d)
	}
}

// A look that finds one regression tests the others against fewer, also at
// later looks; an improvement is of the other family.
func TestReplayHolmAcrossLooks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	trial := SequentialTrial{Sessions: []int{40}, Series: []SequentialSeries{
		seq(r, 40, 0.01, 0.2), seq(r, 40, 0.01, 0.2), seq(r, 40, 0.01, -0.2), seq(r, 40, 0.1, 0.1),
	}}
	s := NewSequence(SequentialTrial{Series: trial.Series}, SequentialOptions{})
	feed(s, trial, 0, 15)
	open := &s.series[3]
	if !s.Open(3) || s.Tested() != 4 {
		t.Fatalf("open %v, tested %d", s.Open(3), s.Tested())
	}
	for side, m := range []float64{up: 2, down: 3} {
		p := []float64{open.now.up, open.now.down}[side]
		if want := min(1, p*m/0.1125); math.Abs(open.now.adjusted[side]-want) > 1e-12 {
			t.Errorf("side %d adjusted to %v, want %v", side, open.now.adjusted[side], want)
		}
	}
	if open.now.adjusted[up] == 1 {
		t.Error("p is too large for this test")
	}
}

// R: p.adjust(c(.035, .01, .02, .9), "holm"), over the share of the look.
func TestSequentialHolm(t *testing.T) {
	s := &Sequence{opt: SequentialOptions{}.withDefaults(), round: 10, series: make([]sequentialState, 4)}
	for i, p := range []float64{0.035, 0.01, 0.02, 0.9} {
		s.series[i] = sequentialState{SequentialSeries: SequentialSeries{Better: -1}, now: measurement{pairs: 10, up: p}}
	}
	s.correct(false, 4, 0.5, Regressed, func(*sequentialState) int { return up })
	for i, want := range []float64{0.14, 0.08, 0.12, 1} {
		if got := s.series[i].now.adjusted[up]; math.Abs(got-want) > 1e-12 {
			t.Errorf("p %d adjusted to %v, want %v", i, got, want)
		}
	}
}

// feed adds the rounds (from, to] of a trial, as a runner would: only of what
// is open.
func feed(s *Sequence, trial SequentialTrial, from, to int) {
	for round := from + 1; round <= to; round++ {
		for i, series := range trial.Series {
			if s.Open(i) && round <= min(len(series.Base), len(series.Head)) {
				s.Add(i, round, series.Base[round-1], series.Head[round-1])
			}
		}
		s.Complete(round)
	}
}

// A trial cut short is decided by its last full look; what came after counts
// in the estimate. Continued, it goes on with the looks that are left and has
// one more at its end.
func TestReplayContinues(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	series := seq(r, 60, 0.1, 0.025) // too noisy for long
	d := only(t, series, 17)
	if d.Verdict != Inconclusive || d.Rounds != 17 || d.Need <= 17 || d.Round != 0 {
		t.Errorf("cut short: %+v", d)
	}
	if d := only(t, series, 9); d.Verdict != Inconclusive || d.Rounds != 9 || d.AdjustedP != 1 {
		t.Errorf("before the first look: %+v", d)
	}
	decided := seq(r, 60, 0.03, 0.06)
	first := only(t, decided, 17)
	again := only(t, decided, 17, 45)
	if first.Verdict != Inconclusive || again.Verdict != Regressed || again.Round <= 17 {
		t.Errorf("first %+v, continued %+v", first, again)
	}
	// The looks of continuations are paid from the reserve, halved each time.
	slow := seq(r, 70, 0.1, 0.08)
	var levels []float64
	for _, sessions := range [][]int{{40}, {40, 50}, {40, 50, 60}, {40, 50, 50, 60}} {
		s := NewSequence(SequentialTrial{Series: []SequentialSeries{slow}, Sessions: sessions}, SequentialOptions{Alpha: 1e-12})
		now := s.series[0].now
		levels = append(levels, now.up/now.adjusted[up])
	}
	for i, want := range []float64{0.225, 0.025, 0.0125, 0.0125} { // nothing measured, nothing spent
		if math.Abs(levels[i]-want) > 1e-9 {
			t.Errorf("after %d sessions a share of %v, want %v", i+1, levels[i], want)
		}
	}
}

// The shares of every plan sum to the whole error rate, with as many
// continuations and further trials of the same commits as anyone likes.
func TestPlans(t *testing.T) {
	for name, p := range map[string]Plan{"check": CheckPlan(), "fixed": FixedPlan(30)} {
		sum := 0.0
		for _, l := range p.Looks {
			sum += l.Share
		}
		if name == "check" && math.Abs(sum-0.9) > 1e-12 {
			t.Errorf("looks spend %v", sum)
		}
		for r := range 60 {
			sum += p.continuation(r+1) + p.further(r+1)
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s spends %v", name, sum)
		}
	}
	if got := []int{CheckPlan().NextLook(0), CheckPlan().NextLook(10), CheckPlan().NextLook(39), CheckPlan().NextLook(40)}; !slices.Equal(got, []int{10, 15, 40, 0}) {
		t.Errorf("looks %v", got)
	}
}

// drawSequential draws a trial with everything that a store can hold.
func drawSequential(t *rapid.T) SequentialTrial {
	var trial SequentialTrial
	value := rapid.OneOf(
		rapid.Float64Range(90, 110),
		rapid.Map(rapid.IntRange(100, 104), func(i int) float64 { return float64(i) }),
		rapid.SampledFrom([]float64{math.NaN(), 0, -1, math.Inf(1), math.Inf(-1), 1e-320, math.MaxFloat64}),
	)
	usual := rapid.OneOf(rapid.Float64Range(99, 101), rapid.Float64Range(105, 107))
	for range rapid.IntRange(0, 4).Draw(t, "series") {
		v := rapid.SampledFrom([]*rapid.Generator[float64]{value, usual}).Draw(t, "kind")
		trial.Series = append(trial.Series, SequentialSeries{
			Unit:      rapid.SampledFrom([]string{"sec/op", "B/op", "allocs/op", "score"}).Draw(t, "unit"),
			Better:    rapid.IntRange(-1, 1).Draw(t, "better"),
			Exact:     rapid.Bool().Draw(t, "exact"),
			Threshold: rapid.SampledFrom([]float64{0, 0.02, 0.05, 3}).Draw(t, "threshold"),
			Noise:     rapid.SampledFrom([]float64{0, 0.001, 0.02}).Draw(t, "noise"),
			Base:      rapid.SliceOfN(v, 0, 45).Draw(t, "base"),
			Head:      rapid.SliceOfN(v, 0, 45).Draw(t, "head"),
		})
	}
	end := 0
	for range rapid.IntRange(0, 3).Draw(t, "sessions") {
		end += rapid.IntRange(0, 25).Draw(t, "rounds")
		trial.Sessions = append(trial.Sessions, end)
	}
	return trial
}

// Whatever is stored: no panic, no NaN, and a runner that dropped what was
// decided, round by round, ends with the verdicts that a replay gives.
func TestReplayIsTheSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trial := drawSequential(t)
		want := Replay(trial, SequentialOptions{})
		s := NewSequence(SequentialTrial{Series: stripped(trial.Series)}, SequentialOptions{})
		from := 0
		for _, end := range trial.Sessions {
			feed(s, trial, from, end)
			s.Decisions() // looking changes nothing
			s.End(end)
			from = end
		}
		got := s.Decisions()
		for i := range want {
			checkFinite(t, want[i])
			if a, b := fmt.Sprintf("%+v", got[i]), fmt.Sprintf("%+v", want[i]); a != b {
				t.Fatalf("series %d\n got %s\nwant %s", i, a, b)
			}
		}
	})
}

func stripped(series []SequentialSeries) []SequentialSeries {
	out := slices.Clone(series)
	for i := range out {
		out[i].Base, out[i].Head = nil, nil
	}
	return out
}

// With the sides swapped, what got worse got better.
func TestReplayMirrors(t *testing.T) {
	mirror := map[Verdict]Verdict{Regressed: Improved, Improved: Regressed}
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		series := seq(r, 40, 0.03, []float64{-0.06, 0, 0.06}[r.IntN(3)])
		there := only(t, series, 40)
		series.Base, series.Head = series.Head, series.Base
		back := only(t, series, 40)
		want := there.Verdict
		if v, ok := mirror[want]; ok {
			want = v
		}
		if back.Verdict != want || back.Round != there.Round || math.Abs((1+back.Shift.Center)*(1+there.Shift.Center)-1) > 1e-12 {
			t.Fatalf("%+v\nswapped %+v", there, back)
		}
	}
}

// A trial that was cut short and continued for as many rounds as it asked for
// is decided, and it does not ask for many more than it takes.
func TestNeed(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, tt := range []struct {
		cv, effect float64
		rounds     int
	}{{0.05, 0, 10}, {0.05, 0.05, 10}, {0.1, 0, 40}, {0.1, 0.05, 40}, {0.1, 0, 17}} {
		decided, trials := 0, 0
		var needs []float64
		var s Sequence // keeps its tables, of which long trials need many
		ended := func(series SequentialSeries, sessions ...int) SequentialDecision {
			s.Reset(SequentialTrial{Series: []SequentialSeries{series}, Sessions: sessions}, SequentialOptions{})
			return s.Decisions()[0]
		}
		for range 80 {
			series := seq(r, 2000, tt.cv, tt.effect)
			d := ended(series, tt.rounds)
			if d.Verdict != Inconclusive {
				continue
			}
			trials++
			needs = append(needs, float64(d.Need))
			if ended(series, tt.rounds, d.Need).Verdict != Inconclusive {
				decided++
			}
		}
		t.Logf("%+v: %d of %d decided with a median of %v rounds", tt, decided, trials, median(needs))
		if decided < trials*92/100 { // 95 % in the long run
			t.Errorf("%+v: %d of %d decided", tt, decided, trials)
		}
	}
}

// Beyond the last look the reserve has to do, which takes more rounds.
func TestNeedPaysFromReserve(t *testing.T) {
	trial := SequentialTrial{Series: []SequentialSeries{seq(rand.New(rand.NewPCG(1, 1)), 17, 0.1, 0)}, Sessions: []int{17}}
	plan := CheckPlan()
	plan.Reserve = 0
	with := Replay(trial, SequentialOptions{})[0].Need
	without := Replay(trial, SequentialOptions{Plan: plan})[0].Need
	if with <= without || without <= 40 {
		t.Errorf("needs %d rounds, without a reserve %d", with, without)
	}
}

func TestNoiseFloor(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	history := func(n int, noise, se float64) (out []HistoryShift) {
		for i := range n {
			h := HistoryShift{Shift: math.Hypot(noise, se) * r.NormFloat64(), SE: se}
			if i%10 == 0 {
				h.Shift += 0.2 // a commit that changed something
			}
			out = append(out, h)
		}
		return out
	}
	if got, ok := NoiseFloor(history(19, 0.02, 0.001)); got != DefaultNoise || ok {
		t.Errorf("19 points: %v %v", got, ok)
	}
	if got, ok := NoiseFloor(history(2000, 0.02, 0.01)); math.Abs(got-0.0225) > 0.003 || !ok {
		t.Errorf("2 %% between builds: %v %v", got, ok)
	}
	if got, ok := NoiseFloor(history(2000, 0, 0.02)); got > 0.012 || !ok {
		t.Errorf("none between builds: %v %v", got, ok)
	}
	bad := append(history(19, 0.02, 0.001), HistoryShift{math.NaN(), 0.1}, HistoryShift{0, math.Inf(1)}, HistoryShift{0, -1})
	if _, ok := NoiseFloor(bad); ok {
		t.Error("points without a number were counted")
	}
	for _, tt := range []struct {
		threshold, noise float64
		null, least      float64
	}{{0.05, 0, 0.0025, 0.025}, {0.02, 0, 0.0025, 0.01}, {0.05, 0.001, 0.0025, 0.025}, {0.05, 0.02, 0.02, 0.08}} {
		f := FloorFor(tt.threshold, tt.noise)
		if math.Abs(math.Expm1(f.Null)-tt.null) > 1e-12 || math.Abs(math.Expm1(f.Least)-tt.least) > 1e-12 || (f.Slack > 0) != (tt.noise > 0) {
			t.Errorf("%+v: %+v", tt, f)
		}
	}
}

// Over ten rounds each side comes first five times, in each block of five two
// or three times, and otherwise anything can happen.
func TestBaseFirst(t *testing.T) {
	total, seen := 0, map[string]bool{}
	for seed := range uint64(500) {
		for round := 1; round <= 40; round += 10 {
			pattern, first, second := "", 0, 0
			for i := range 10 {
				if BaseFirst(seed, "Softmax_512", round+i) {
					pattern += "b"
					*cond(i < 5, &first, &second)++
				} else {
					pattern += "h"
				}
			}
			if first+second != 5 || first < 2 || first > 3 {
				t.Fatalf("seed %d round %d: %s", seed, round, pattern)
			}
			seen[pattern] = true
		}
		if BaseFirst(seed, "A", 3) == BaseFirst(seed, "B", 3) {
			total++
		}
	}
	if len(seen) != 200 { // 2 * C(5,2) * C(5,3)
		t.Errorf("%d patterns of 200", len(seen))
	}
	if total < 200 || total > 300 {
		t.Errorf("benchmarks agree in %d of 500", total)
	}
}

// Where all of the interval is a change far beyond the threshold, what is missing is
// the first look, not the rounds that a change of the threshold would take.
func TestNeedOfWhatIsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		var s Sequence
		s.Reset(SequentialTrial{Series: []SequentialSeries{seq(r, 9, 0.15, 1)}, Sessions: []int{9}}, SequentialOptions{})
		if d := s.Decisions()[0]; d.Verdict != Inconclusive || d.Need < 10 || d.Need > 40 {
			t.Errorf("%s, needs %d rounds", d.Verdict, d.Need)
		}
	}
}

// A count that takes two values may be the same a few times on each side, as where the
// budget ends early: that is no difference yet, unless the unit is declared exact.
func TestExactWantsRounds(t *testing.T) {
	for _, tt := range []struct {
		unit   string
		exact  bool
		rounds int
		head   float64
		want   Verdict
	}{
		{"allocs/op", false, 2, 68, Inconclusive}, {"allocs/op", false, 9, 68, Inconclusive}, {"allocs/op", false, 10, 68, Regressed},
		{"allocs/op", false, 2, 67, Unchanged}, {"B/op", false, 9, 1e6, Inconclusive}, {"instructions", true, 2, 68, Regressed},
		{"B/tok", false, 9, 67, Inconclusive}, {"B/tok", false, 10, 67, Unchanged},
	} {
		series := constantly(tt.unit, tt.rounds, 67, tt.head)
		series.Exact = tt.exact
		if d := Replay(SequentialTrial{Series: []SequentialSeries{series}, Sessions: []int{tt.rounds}}, SequentialOptions{})[0]; d.Verdict != tt.want {
			t.Errorf("%+v: %s (%s)", tt, d.Verdict, d.Reason)
		}
	}
}
