package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// seq draws a series of n rounds whose head is slower by effect.
func seq(r *rand.Rand, n int, cv, effect float64) Series {
	return Series{Better: -1, Threshold: 0.05, Pairs: pairsOf(draw(r, n, 100, cv), draw(r, n, 100*(1+effect), cv))}
}

// pairsOf are as many pairs as the shorter side has values.
func pairsOf(base, head []float64) []Pair {
	out := make([]Pair, min(len(base), len(head)))
	for i := range out {
		out[i] = Pair{Base: base[i], Head: head[i]}
	}
	return out
}

// sidesOf takes pairs apart.
func sidesOf(pairs []Pair) (base, head []float64) {
	for _, p := range pairs {
		base, head = append(base, p.Base), append(head, p.Head)
	}
	return base, head
}

// counts is a series that counts one value a side.
func counts(n int, b, h float64) Series {
	s := constantly(n, b, h)
	s.Counts = true
	return s
}

// constantly is a series that repeats one value a side.
func constantly(n int, b, h float64) Series {
	return Series{Better: -1, Threshold: 0.05, Pairs: slices.Repeat([]Pair{{Base: b, Head: h}}, n)}
}

func only(t *testing.T, s Series, sessions ...int) Decision {
	t.Helper()
	d := Replay(Trial{Series: []Series{s}, Sessions: sessions}, Options{})[0]
	checkFinite(t, d)
	return d
}

// checkFinite fails on any NaN.
func checkFinite(t interface{ Fatalf(string, ...any) }, d Decision) {
	for _, v := range []float64{
		d.Shift.Center, d.Shift.Lo, d.Shift.Hi, d.Bound, d.P, d.AdjustedP, d.Threshold,
		d.Mean.Shift.Center, d.Mean.Shift.Lo, d.Mean.Shift.Hi, d.Mean.Bound, d.Mean.AdjustedP,
	} {
		if v != v {
			t.Fatalf("NaN in %+v", d)
		}
	}
	if math.IsInf(d.Shift.Center, 0) || d.Shift.Lo > d.Shift.Center || d.Shift.Center > d.Shift.Hi {
		t.Fatalf("odd shift in %+v", d)
	}
}

// What the p of a regression is made of: its own test at the round that
// decided, times the hypotheses, over the share of that look.
func TestReplayNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	trial := Trial{Sessions: []int{40}}
	for i := range 5 {
		effect := 0.0
		if i == 0 {
			effect = 0.1
		}
		trial.Series = append(trial.Series, seq(r, 40, 0.01, effect))
	}
	d := Replay(trial, Options{})[0]
	var logs []Pair
	for _, p := range trial.Series[0].Pairs[:10] {
		logs = append(logs, Pair{Base: math.Log(p.Base), Head: math.Log(p.Head)})
	}
	test := &Stratified{Block: blockRounds}
	test.Load(logs)
	want := test.Tails(math.Log1p(0.0025)).Up
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
	alone := Trial{Series: []Series{one}, Sessions: []int{10}}
	many := Trial{Sessions: []int{10}}
	many.Series = append(many.Series, one)
	for range 199 {
		many.Series = append(many.Series, seq(r, 10, 0.01, 0))
	}
	if d := Replay(alone, Options{})[0]; d.Outcome != Higher {
		t.Errorf("alone: %+v", d)
	}
	if d := Replay(many, Options{})[0]; d.Outcome != Open || d.AdjustedP < 0.01 {
		t.Errorf("one of 200 in 10 rounds: %+v", d) // 1/252² > 0.00225/200
	}
	// Exact counts are outside the family.
	few := alone
	for range 199 {
		few.Series = append(few.Series, counts(10, 3, 3))
	}
	if d := Replay(few, Options{})[0]; d.Outcome != Higher {
		t.Errorf("beside counts: %+v", d)
	}
}

// A change that a late sample of the base hides from one look is not called
// unchanged because its interval ends below the threshold.
func TestReplayWaitsForHidden(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	hidden := seq(r, 40, 0.002, 0.04)
	hidden.Pairs[3].Base = 200
	trial := Trial{Series: []Series{hidden}, Sessions: []int{10}}
	for range 28 {
		trial.Series = append(trial.Series, seq(r, 40, 0.01, 0))
	}
	if d := Replay(trial, Options{})[0]; d.Outcome != Open {
		t.Errorf("after 10 rounds: %+v", d)
	}
	trial.Sessions[0] = 15
	if d := Replay(trial, Options{})[0]; d.Outcome != Higher {
		t.Errorf("after 15 rounds: %+v", d)
	}
}

// A look that finds one regression tests the others against fewer, also at
// later looks; an improvement is of the other family.
func TestReplayHolmAcrossLooks(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	trial := Trial{Sessions: []int{40}, Series: []Series{
		seq(r, 40, 0.01, 0.2), seq(r, 40, 0.01, 0.2), seq(r, 40, 0.01, -0.2), seq(r, 40, 0.1, 0.1),
	}}
	s := NewSequence(Trial{Series: trial.Series}, Options{})
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
	s := &Sequence{opt: Options{}.withDefaults(), round: 10, series: make([]state, 4)}
	for i, p := range []float64{0.035, 0.01, 0.02, 0.9} {
		s.series[i] = state{Series: Series{Better: -1}, now: measurement{pairs: 10, up: p}}
	}
	s.correct(group{}, 4, 0.5, worse)
	for i, want := range []float64{0.14, 0.08, 0.12, 1} {
		if got := s.series[i].now.adjusted[up]; math.Abs(got-want) > 1e-12 {
			t.Errorf("p %d adjusted to %v, want %v", i, got, want)
		}
	}
}

// feed adds the rounds (from, to] of a trial, as a runner would: only of what
// is open.
func feed(s *Sequence, trial Trial, from, to int) {
	for round := from + 1; round <= to; round++ {
		for i, series := range trial.Series {
			if s.Open(i) && round <= len(series.Pairs) {
				s.Add(i, round, series.Pairs[round-1])
			}
			if s.Open(i) && round <= len(series.Means) {
				s.AddMean(i, round, series.Means[round-1])
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
	if d.Outcome != Open || d.Rounds != 17 || d.Need <= 17 || d.Round != 0 {
		t.Errorf("cut short: %+v", d)
	}
	if d := only(t, series, 9); d.Outcome != Open || d.Rounds != 9 || d.AdjustedP != 1 {
		t.Errorf("before the first look: %+v", d)
	}
	decided := seq(r, 60, 0.03, 0.06)
	first := only(t, decided, 17)
	again := only(t, decided, 17, 45)
	if first.Outcome != Open || again.Outcome != Higher || again.Round <= 17 {
		t.Errorf("first %+v, continued %+v", first, again)
	}
	// The looks of continuations are paid from the reserve, halved each time.
	slow := seq(r, 70, 0.1, 0.08)
	var levels []float64
	for _, sessions := range [][]int{{40}, {40, 50}, {40, 50, 60}, {40, 50, 50, 60}} {
		s := NewSequence(Trial{Series: []Series{slow}, Sessions: sessions}, Options{Alpha: 1e-12})
		now := s.series[0].now
		levels = append(levels, now.up/now.adjusted[up])
	}
	for i, want := range []float64{0.225, 0.025, 0.0125, 0.0125} { // nothing measured, nothing spent
		if math.Abs(levels[i]-want) > 1e-9 {
			t.Errorf("after %d sessions a share of %v, want %v", i+1, levels[i], want)
		}
	}
}

// drawSequential draws a trial with everything that a store can hold.
func drawSequential(t *rapid.T) Trial {
	var trial Trial
	value := rapid.OneOf(
		rapid.Float64Range(90, 110),
		rapid.Map(rapid.IntRange(100, 104), func(i int) float64 { return float64(i) }),
		rapid.SampledFrom([]float64{math.NaN(), 0, -1, math.Inf(1), math.Inf(-1), 1e-320, math.MaxFloat64}),
	)
	usual := rapid.OneOf(rapid.Float64Range(99, 101), rapid.Float64Range(105, 107))
	for range rapid.IntRange(0, 4).Draw(t, "series") {
		v := rapid.SampledFrom([]*rapid.Generator[float64]{value, usual}).Draw(t, "kind")
		trial.Series = append(trial.Series, Series{
			Better:     rapid.IntRange(-1, 1).Draw(t, "better"),
			Counts:     rapid.Bool().Draw(t, "counts"),
			Declared:   rapid.Bool().Draw(t, "declared"),
			Negligible: rapid.SampledFrom([]Negligible{{}, {Size: 16, Part: 0.01}}).Draw(t, "negligible"),
			Threshold:  rapid.SampledFrom([]float64{0, 0.02, 0.05, 3}).Draw(t, "threshold"),
			Noise:      rapid.SampledFrom([]float64{0, 0.001, 0.02}).Draw(t, "noise"),
			Pairs:      pairsOf(rapid.SliceOfN(v, 0, 45).Draw(t, "base"), rapid.SliceOfN(v, 0, 45).Draw(t, "head")),
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
		want := Replay(trial, Options{})
		s := NewSequence(Trial{Series: stripped(trial.Series)}, Options{})
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

func stripped(series []Series) []Series {
	out := slices.Clone(series)
	for i := range out {
		out[i].Pairs, out[i].Means = nil, nil
	}
	return out
}

// With the sides swapped, what got worse got better.
func TestReplayMirrors(t *testing.T) {
	mirror := map[Outcome]Outcome{Higher: Lower, Lower: Higher}
	r := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		series := seq(r, 40, 0.03, []float64{-0.06, 0, 0.06}[r.IntN(3)])
		there := only(t, series, 40)
		for i, p := range series.Pairs {
			series.Pairs[i] = Pair{Base: p.Head, Head: p.Base}
		}
		back := only(t, series, 40)
		want := there.Outcome
		if v, ok := mirror[want]; ok {
			want = v
		}
		if back.Outcome != want || back.Round != there.Round || math.Abs((1+back.Shift.Center)*(1+there.Shift.Center)-1) > 1e-12 {
			t.Fatalf("%+v\nswapped %+v", there, back)
		}
	}
}

// draw returns n log-normal times with the coefficient of variation cv.
func draw(r *rand.Rand, n int, mean, cv float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = mean * math.Exp(cv*r.NormFloat64())
	}
	return out
}
