package stat

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A trial that ends one round before the first look that can flag one of its hypotheses did not
// check it, however large the change. A trial that ends at that look did check it, whether or not
// ranks are capped.
func TestPairsReach(t *testing.T) {
	for m, want := range map[int]int{1: 9, 2: 10, 3: 11, 4: 11, 5: 12, 8: 12, 10: 12, 11: 13, 23: 14, 29: 14, 49: 14, 50: 15, 105: 16, 200: 16, 221: 17, 471: 17, 472: 21} {
		first := Options{}.FirstLook(m)
		if first != want {
			t.Errorf("%d benchmarks: first look after %d rounds, want %d", m, first, want)
		}
		opt := Options{}
		opt.Part = 1 / float64(m)
		series := seq(rand.New(rand.NewPCG(1, uint64(m))), first, 0.1, 44)
		series.Capped, series.Means = m%2 == 0, series.Pairs
		short := Replay(Trial{Series: []Series{series}, Sessions: []int{first - 1}}, opt)[0]
		whole := Replay(Trial{Series: []Series{series}, Sessions: []int{first}}, opt)[0]
		if short.Outcome != Open || short.Reach != first || short.Need != first {
			t.Errorf("%d hypotheses, %d rounds: %+v", m, first-1, short)
		}
		if whole.Outcome != Higher || whole.Reach != 0 {
			t.Errorf("%d hypotheses, %d rounds: %+v", m, first, whole)
		}
	}
	if first := (Options{Alpha: 2e-12}).FirstLook(1); first != 48 {
		t.Errorf("at 2e-12 the first look is after %d rounds", first)
	}
}

// A reachCase gives the Reach expected for the first of some series after the given sessions.
type reachCase struct {
	name     string
	series   []Series
	sessions []int
	want     int
}

func testReach(t *testing.T, opt Options, cases []reachCase) {
	t.Helper()
	for _, tt := range cases {
		got := Replay(Trial{Series: tt.series, Sessions: tt.sessions}, opt)[0]
		if got.Reach != tt.want {
			t.Errorf("%s: reach %d, want %d: %+v", tt.name, got.Reach, tt.want, got)
		}
	}
}

func many(n int, s Series) []Series { return slices.Repeat([]Series{s}, n) }

// without returns the series with the rounds between from and to, inclusive, marked as missing.
func without(s Series, from, to int) Series {
	for i := from - 1; i < to; i++ {
		s.Pairs[i] = missing
	}
	return s
}

// In these cases, Reach depends on more than the rounds of the first session.
func TestPairsReachOf(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	noisy := func(rounds int) Series { return seq(r, rounds, 0.3, 0) }
	declared := constantly(40, 5, 6)
	declared.Declared = true
	testReach(t, Options{}, []reachCase{
		{"nothing measured", []Series{{}}, []int{6}, 0},
		{"six rounds", many(1, noisy(40)), []int{6}, 9},
		{"at the look", many(1, noisy(40)), []int{9}, 0},
		{"29 at a look that cannot", many(29, noisy(40)), []int{9}, 14},
		{"29, continued", many(29, noisy(40)), []int{6, 12}, 14},
		{"29 at the look", many(29, noisy(40)), []int{6, 14}, 0},
		{"200 and as many equal counts", append(many(200, noisy(40)), many(200, counts(40, 1, 1))...), []int{12}, 16},
		{"1 and many equal times, not yet believed", append(many(1, noisy(40)), many(100, constantly(40, 1, 1))...), []int{6}, 9},
		{"counts that differ", many(1, counts(40, 0, 1)), []int{6}, 7},
		{"counts that are the same", many(1, counts(40, 0, 0)), []int{2}, 0},
		{"one round of counts", many(1, counts(40, 0, 0)), []int{1}, 2},
		{"one round of what is exact", many(1, declared), []int{1}, 2},
		{"0 on both sides, not yet believed", many(1, constantly(40, 0, 0)), []int{6}, 7},
		{"0 on one side", many(1, constantly(40, 0, 1)), []int{8}, 9},
		// The check went on to round 23 without this series. The series would have nine rounds at
		// the look after round 27, but the look's share is too small.
		{"left out of the continuation", many(1, without(noisy(40), 6, 23)), []int{5, 23}, 16},
		{"and on to the next look", many(1, without(noisy(40), 6, 23)), []int{5, 23, 34}, 0},
		{"after the last look", many(1, without(noisy(68), 4, 48)), []int{48}, 23}, // a continuation has 20 rounds
		{"and continued", many(1, without(noisy(68), 4, 48)), []int{48, 68}, 0},
	})
	// If a trial of fixed length was too short to flag anything, Reach is the length it should have
	// had.
	opt := Options{}
	opt.Plan = FixedPlan(5)
	if d := Replay(Trial{Series: many(1, noisy(5)), Sessions: []int{5}}, opt)[0]; d.Reach != 7 {
		t.Errorf("five rounds in all: %+v", d)
	}
}

// A check cut short or ended undecided is nearly always decided after Need rounds.
func TestPairsNeed(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, tt := range []struct {
		cv, effect float64
		rounds     int
		off        float64 // the fraction of rounds off; if any, ranks are capped
	}{
		{0.05, 0, 10, 0}, {0.05, 0.05, 10, 0}, {0.035, 0.05, 15, 0}, {0.07, 0, 40, 0}, {0.07, 0.05, 17, 0},
		{0.03, 0.05, 10, 0.1}, {0.05, 0, 10, 0.1}, {0.035, 0.05, 15, 0.06}, {0.06, 0.05, 17, 0.1},
	} {
		decided, trials := 0, 0
		var needs []float64
		var s Sequence // reused for its tables; long trials need many
		opt := Options{}
		opt.Part = 1. / 29
		for range 40 {
			series := seq(r, 1100, tt.cv, tt.effect)
			if tt.off > 0 {
				series.Capped = true
				unsettle(r, series.Pairs, tt.off)
			}
			s.Reset(Trial{Series: []Series{series}, Sessions: []int{tt.rounds}}, opt)
			d := s.Decisions()[0]
			if d.Outcome != Open || d.Cause == Noisy {
				continue
			}
			trials++
			needs = append(needs, float64(d.Need))
			sessions := []int{tt.rounds}
			for at := tt.rounds; at < d.Need; { // with as many continuations as it takes
				at = min(max(48, at+20), d.Need)
				sessions = append(sessions, at)
			}
			s.Reset(Trial{Series: []Series{series}, Sessions: sessions}, opt)
			if again := s.Decisions()[0]; again.Outcome != Open {
				decided++
			}
		}
		t.Logf("%+v: %d of %d decided with a median of %v rounds", tt, decided, trials, Median(needs))
		if decided < trials*92/100 { // 95 % in the long run
			t.Errorf("%+v: %d of %d decided", tt, decided, trials)
		}
	}
}

// unsettle makes the given fraction of the rounds 1.5 to 2.5 times as long on one of the sides.
func unsettle(r *rand.Rand, pairs []Pair, part float64) {
	for i := range pairs {
		late := 1.5 + r.Float64()
		switch u := r.Float64(); {
		case u < part/2:
			pairs[i].Base *= late
		case u < part:
			pairs[i].Head *= late
		}
	}
}

// Need is the round of a future look. If no number of rounds would decide the series, Cause gives
// the reason.
func TestPairsNeedMakesSense(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, rounds := range []int{1, 2, 3, 5, 8, 9, 12, 17, 33, 48, 68} {
		for _, cv := range []float64{0.001, 0.01, 0.05, 0.2, 1} {
			for _, effect := range []float64{0, 0.02, 0.05, 1} {
				opt := Options{}
				opt.Part = 1. / 29
				d := Replay(Trial{Series: []Series{seq(r, rounds, cv, effect)}, Sessions: []int{min(rounds, 48), rounds}}, opt)[0]
				look := slices.Contains([]int{13, 14, 15, 16, 17, 21, 27, 34, 48}, d.Need) || d.Need > 48 && (d.Need-max(rounds, 48))%20 == 0
				if d.Outcome != Open && d.Need != 0 || d.Outcome == Open && d.Cause != Noisy && (d.Need <= rounds || !look) {
					t.Errorf("%d rounds, CV %v, %+v: %+v", rounds, cv, effect, d)
				}
				if d.Cause == Noisy && (d.Need != 0 || cv < 0.1) {
					t.Errorf("%d rounds, CV %v: %+v", rounds, cv, d)
				}
			}
		}
	}
	// If the whole interval is far beyond the threshold, the series only needs enough rounds for
	// the first look, not as many as a change of exactly the threshold would need.
	for range 20 {
		if d := only(t, seq(r, 8, 0.15, 1), 8); d.Outcome != Open || d.Need < 9 || d.Need > 88 {
			t.Errorf("eight rounds of twice the time: outcome %d, needs %d rounds", d.Outcome, d.Need)
		}
	}
	noisyBuilds := seq(r, 40, 0.01, 0.03)
	noisyBuilds.Noise = 0.02
	if d := only(t, noisyBuilds, 40); d.Outcome != Open || d.Cause != BuildNoise || d.Need != 0 {
		t.Errorf("builds differ by 2 %%: %+v", d)
	}
}

// All else being equal, capped ranks need more rounds than uncapped ones.
func TestPairsNeedOfCappedRanks(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	var whole, capped float64
	for range 40 {
		series := seq(r, 9, 0.06, 0)
		whole += float64(only(t, series, 9).Need)
		series.Capped = true
		capped += float64(only(t, series, 9).Need)
	}
	if capped < 1.1*whole {
		t.Errorf("needs %v rounds with capped ranks, %v with whole ones", capped/40, whole/40)
	}
}
