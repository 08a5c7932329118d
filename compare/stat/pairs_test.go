package stat

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// only returns the decision of a trial with a single series.
func only(t *testing.T, s Series, sessions ...int) Decision {
	t.Helper()
	d := Replay(Trial{Series: []Series{s}, Sessions: sessions}, Options{})[0]
	checkFinite(t, d)
	return d
}

// The adjusted p of a regression is the p of its own test at the deciding round, multiplied by the
// number of hypotheses and divided by the share of that look and of all earlier looks that could
// not flag anything. The hypotheses of other targets reduce the available part of alpha.
func TestPairsNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	trial := Trial{Sessions: []int{40}, Series: []Series{seq(r, 40, 0.01, 0.1)}}
	for range 4 {
		trial.Series = append(trial.Series, seq(r, 40, 0.01, 0))
	}
	trial.Series[0].Means = trial.Series[1].Pairs
	for _, tt := range []struct {
		others, round int
		share         float64
	}{{0, 12, 0.32}, {7, 13, 0.34}, {44, 14, 0.38}, {45, 15, 0.4}, {195, 16, 0.42}, {231, 17, 0.45}, {10_000, 27, 0.63}} {
		opt := Options{}
		opt.Part = 5 / float64(5+tt.others)
		d := Replay(trial, opt)[0]
		var test SignedRank
		test.Load(logsOf(trial.Series[0].Pairs[:tt.round]))
		p, m := test.Tails(math.Log1p(0.0025)).Up, float64(5+tt.others)/0.8
		if d.Outcome != Higher || d.Round != tt.round || d.P != p || math.Abs(d.AdjustedP/(p*m/tt.share)-1) > 1e-12 {
			t.Errorf("%+v: p %v, got %+v", tt, p, d)
		}
		if opt.FirstLook(5) != tt.round {
			t.Errorf("%+v: the first look is said to be at %d", tt, opt.FirstLook(5))
		}
		if d.Spread < 0.008 || d.Spread > 0.025 { // √2 times 1 %
			t.Errorf("%+v: pair noise %v", tt, d.Spread)
		}
	}
	// A single series is flagged at the first look, because 2^-9, or 0.00195, is less than 0.8 x
	// 0.0025.
	trial.Series = trial.Series[:1]
	if d := Replay(trial, Options{})[0]; d.Round != 9 || d.Outcome != Higher {
		t.Errorf("one alone: %+v", d)
	}
}

// Noise shared by both sides of a round does not matter, however large it is. Here the speed of the
// machine changes by about half from round to round.
func TestPairsCancelWhatIsShared(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	s := seq(r, 40, 0.01, 0.05)
	for i := range s.Pairs {
		f := math.Exp(0.5 * r.NormFloat64())
		s.Pairs[i].Base *= f
		s.Pairs[i].Head *= f
	}
	if d := only(t, s, 40); d.Outcome != Higher || d.Round != 9 || math.Abs(d.Shift.Center-0.05) > 0.02 {
		t.Errorf("%+v", d)
	}
}

// Any stored trial is replayed without a panic or NaN, and a runner that drops decided series,
// round by round, ends with the same decisions as the replay.
func TestPairsReplayIsTheSequence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trial := drawSequential(t)
		opt := Options{}
		opt.Part = rapid.SampledFrom([]float64{0, 0.5, 0.005}).Draw(t, "part")
		for i := range trial.Series {
			trial.Series[i].Capped = rapid.Bool().Draw(t, "capped")
			trial.Series[i].Unknown = rapid.Bool().Draw(t, "unknown")
			if rapid.Bool().Draw(t, "means") {
				trial.Series[i].Means = trial.Series[rapid.IntRange(0, i).Draw(t, "mean")].Pairs
			}
		}
		want := Replay(trial, opt)
		s := NewSequence(Trial{Series: stripped(trial.Series)}, opt)
		from := 0
		for _, end := range trial.Sessions {
			feed(s, trial, from, end)
			s.Decisions() // calling Decisions changes nothing
			s.End(end)
			s.Decisions()
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

// If the sides are swapped, higher becomes lower, the shift changes its direction, and everything
// else stays the same. This is true for times, counts, zeros, negative and missing values.
func TestPairsMirror(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	decided := 0
	for n := range 400 {
		trial, opt := storedTrial(r)
		for i := range trial.Series {
			trial.Series[i].Capped = n%2 == 0
			if n%3 == 0 { // make worse differ from better
				trial.Series[i].Better = cmp.Or(trial.Series[i].Better, -1)
				trial.Series[i].Means = trial.Series[i/2].Pairs
			}
		}
		there := Replay(trial, opt)
		turned := tossed(trial.Series, -1)
		for i := range turned {
			if n%3 == 0 {
				turned[i].Better *= -1
			}
		}
		back := Replay(Trial{Series: turned, Sessions: trial.Sessions}, opt)
		for i, d := range there {
			b := back[i]
			mirrored := map[Outcome]Outcome{Open: Open, Same: Same, Higher: Lower, Lower: Higher}[d.Outcome]
			if b.Outcome != mirrored || b.Round != d.Round || b.Rounds != d.Rounds || b.Need != d.Need || b.Reach != d.Reach || b.Cause != d.Cause || b.Exact != d.Exact || b.ByMean != d.ByMean {
				t.Fatalf("trial %d series %d\n%+v\nswapped\n%+v", n, i, d, b)
			}
			if d.Shift.Center != 0 && (b.P != d.P || b.AdjustedP != d.AdjustedP) {
				t.Fatalf("trial %d series %d: p\n%+v\nswapped\n%+v", n, i, d, b)
			}
			turned := func(x float64) float64 {
				if d.Shift.Absolute || math.IsInf(x, 0) {
					return -x
				}
				return 1/(1+x) - 1
			}
			near := func(x, y float64) bool { return x == y || math.Abs(x-y) < 1e-9*(1+math.Abs(x)) }
			if !d.Exact && (!near(b.Shift.Center, turned(d.Shift.Center)) || !near(b.Shift.Lo, turned(d.Shift.Hi)) || !near(b.Shift.Hi, turned(d.Shift.Lo)) || !near(b.Spread, d.Spread)) {
				t.Fatalf("trial %d series %d: shift\n%+v\nswapped\n%+v", n, i, d, b)
			}
			if d.Outcome != Open {
				decided++
			}
		}
	}
	if decided < 500 {
		t.Errorf("only %d decided", decided)
	}
}

// Values without a ratio can still be compared.
func TestPairsWithoutRatios(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	of := func(n int, pair func() (b, h float64)) Series {
		s := Series{Better: -1, Threshold: 0.05}
		for range n {
			b, h := pair()
			s.Pairs = append(s.Pairs, Pair{Base: b, Head: h})
		}
		return s
	}
	some := func() float64 { return 5 + r.Float64() }
	rarely := func(x, y float64) float64 {
		if r.IntN(12) == 0 {
			return x
		}
		return y
	}
	flat := of(40, func() (b, h float64) { return 0, 0 })
	for name, tt := range map[string]struct {
		series   Series
		outcome  Outcome
		absolute bool
		center   float64
		round    int // the latest round that may decide
	}{
		"a metric that appears":                 {of(40, func() (b, h float64) { return 0, some() }), Higher, true, 5.5, 10},
		"one that is gone":                      {of(40, func() (b, h float64) { return some(), 0 }), Lower, true, -5.5, 10},
		"appears in most rounds":                {of(40, func() (b, h float64) { return 0, rarely(0, some()) }), Higher, true, 5.5, 20},
		"0 on both sides":                       {flat, Same, false, 0, 9},
		"0 on both sides now and then":          {of(48, func() (b, h float64) { return rarely(0, 100), rarely(0, 100.1) }), Same, false, 0.001, 48},
		"a time with a 0 among them":            {of(40, func() (b, h float64) { return rarely(0, 100+r.Float64()), 120 + r.Float64() }), Higher, false, 0.2, 48},
		"negative, lower":                       {of(40, func() (b, h float64) { return -100 + r.Float64(), -120 + r.Float64() }), Lower, true, -20, 10},
		"negative, the same":                    {of(40, func() (b, h float64) { return -100 + r.Float64(), -100 + r.Float64() }), Same, true, 0, 10},
		"either sign":                           {of(40, func() (b, h float64) { return r.Float64() - 0.5, r.Float64() + 0.5 }), Higher, true, 1, 15},
		"either sign, 0 on one side, in a half": {of(40, func() (b, h float64) { return r.Float64() - 0.5, 0 }), Open, true, 0, 0},
	} {
		d := only(t, tt.series, 48)
		near := math.Abs(d.Shift.Center-tt.center) <= 0.1*math.Abs(tt.center)+0.3*math.Abs(tt.center-math.Round(tt.center))+0.25
		if d.Outcome != tt.outcome || d.Shift.Absolute != tt.absolute || !near || d.Round > tt.round {
			t.Errorf("%s: %+v", name, d)
		}
	}
	// Six rounds of 0 are too few for a decision.
	if d := only(t, flat, 6); d.Outcome != Open || d.Reach != 7 || d.Need != 7 {
		t.Errorf("six rounds of 0: %+v", d)
	}
}

// A count varying by a negligible amount is not a hypothesis, and it is unchanged after seven
// rounds. If it starts to differ, it becomes a hypothesis.
func TestPairsLeaveOutWhatCannotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	bytes := func(n, from int, change float64) Series {
		s := Series{Better: -1, Threshold: 0.05, Counts: true, Negligible: Negligible{Size: 16, Part: 0.01}}
		for round := 1; round <= n; round++ {
			b, h := 1000+float64(r.IntN(9)), 1000+float64(r.IntN(9))
			if round > from {
				h += change
			}
			s.Pairs = append(s.Pairs, Pair{Base: b, Head: h})
		}
		return s
	}
	steady := bytes(40, 40, 0)
	if d := only(t, steady, 6); d.Outcome != Open || d.Tested || d.Reach != 7 {
		t.Errorf("six rounds: %+v", d)
	}
	d := only(t, steady, 40)
	if d.Outcome != Same || d.Cause != TooSmall || !d.Exact || d.Round != 9 || d.Bound > 0.01 || d.Shift.Lo < -0.01 || d.Shift.Hi > 0.01 {
		t.Errorf("forty rounds: %+v", d)
	}
	trial := Trial{Sessions: []int{9}, Series: []Series{seq(r, 40, 0.01, 0.1)}}
	for range 50 {
		late := bytes(40, 40, 0)
		for i := range 3 { // not yet decided at the first look
			late.Pairs[i] = missing
		}
		trial.Series = append(trial.Series, late)
	}
	s := NewSequence(trial, Options{})
	if s.Tested() != 1 || s.Decisions()[0].Outcome != Higher {
		t.Errorf("%d tested: %+v", s.Tested(), s.Decisions()[0])
	}
	if d := only(t, bytes(40, 4, 200), 40); d.Outcome != Higher || !d.Tested || d.Exact {
		t.Errorf("one that starts to differ: %+v", d)
	}
}

// Counts are decided without a test if they repeat often enough.
func TestPairsBelieveCounts(t *testing.T) {
	for _, tt := range []struct {
		name    string
		series  Series
		rounds  int
		outcome Outcome
		cause   Cause
	}{
		{"the same, one round", counts(40, 3, 3), 1, Open, NoCause},
		{"the same", counts(40, 3, 3), 2, Same, NoCause},
		{"differs, six rounds", counts(40, 3, 4), 6, Open, NoCause},
		{"differs", counts(40, 3, 4), 7, Higher, NoCause},
		{"0 to 1", counts(40, 0, 1), 7, Higher, NoCause},
		{"1 to 0", counts(40, 1, 0), 7, Lower, NoCause},
		{"a time that repeats", constantly(40, 3, 4), 8, Open, NoCause},
	} {
		if d := only(t, tt.series, tt.rounds); d.Outcome != tt.outcome || d.Cause != tt.cause || d.Exact != (tt.outcome != Open) {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
	if d := only(t, counts(40, 0, 1), 10); !d.Shift.Absolute || d.Shift.Center != 1 {
		t.Errorf("0 to 1: %+v", d)
	}
}

// If the noise between builds is unknown, the slack equals the null, so that "unchanged" allows for
// the null. The threshold may be small or 0.
func TestFloorFor(t *testing.T) {
	for _, tt := range []struct{ threshold, noise, null, least, slack float64 }{
		{0.05, 0, 0.0025, 0.025, 0.0025},
		{0.01, 0, 0.0025, 0.005, 0.0025},
		{0, 0, 0.0025, 0.005, 0.0025},
		{0.05, 0.02, 0.02, 0.08, math.Expm1(2.33 * math.Log1p(0.02))},
	} {
		f := FloorFor(tt.threshold, tt.noise)
		for i, v := range [][2]float64{{f.Null, tt.null}, {f.Least, tt.least}, {f.Slack, tt.slack}} {
			if math.Abs(math.Expm1(v[0])-v[1]) > 1e-12 {
				t.Errorf("%+v: part %d is %v", tt, i, math.Expm1(v[0]))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range 50 {
		if d := only(t, seq(r, 40, 0.01, 0), 40); d.Outcome == Same && d.Bound >= d.Threshold {
			t.Errorf("%+v", d)
		} else if most := max(-math.Log1p(d.Shift.Lo), math.Log1p(d.Shift.Hi)); math.Abs(math.Log1p(d.Bound)-most-math.Log1p(0.0025)) > 1e-12 {
			t.Errorf("no slack in %+v", d)
		}
	}
}
