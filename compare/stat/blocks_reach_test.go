package stat

import (
	"math/rand/v2"
	"testing"
)

// What ends one round before the first look that could flag one of so many hypotheses
// was not checked, however large the change; exactly at that look it was.
func TestReach(t *testing.T) {
	for _, tt := range []struct {
		hypotheses int
		alpha      float64
		first      int
	}{
		{1, 0.01, 10},          // (1/252)^2 / .225
		{29, 0.01, 10},         // * 29 is .002
		{142, 0.01, 10},        // .00994
		{143, 0.01, 15},        // .01001
		{200, 0.01, 15},        // .014, and at 15 rounds (1/252)^3 * 200 / .1125
		{48, 0.01 / 3, 15},     // one of three targets
		{200, 0.0000001, 30},   // (1/252)^4 * 200 / .1125 is 4.4e-7
		{1_000_000, 0.01, 20},  // .0022
		{10_000_000, 0.01, 30}, // .022 at 20 rounds
	} {
		opt := Options{Alpha: tt.alpha}
		if got := opt.FirstLook(tt.hypotheses); got != tt.first {
			t.Errorf("%+v: first look after %d rounds", tt, got)
		}
	}
	for _, m := range []int{1, 29, 200} {
		first := Options{}.FirstLook(m)
		r := rand.New(rand.NewPCG(1, uint64(m)))
		trial := Trial{Sessions: []int{first - 1}}
		for range m {
			trial.Series = append(trial.Series, seq(r, first, 0.1, 44))
		}
		short := Replay(trial, Options{})
		trial.Sessions[0] = first
		whole := Replay(trial, Options{})
		for i := range m {
			if short[i].Outcome != Open || short[i].Reach != first {
				t.Errorf("%d hypotheses, %d rounds: %+v", m, first-1, short[i])
			}
			if whole[i].Outcome != Higher || whole[i].Reach != 0 {
				t.Errorf("%d hypotheses, %d rounds: %+v", m, first, whole[i])
			}
		}
	}
}

// How far a series is from being checked, where that depends on more than the rounds of a
// first session.
func TestReachOf(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 3))
	noisy := func(rounds int) Series { return seq(r, rounds, 0.3, 0) }
	declared := constantly(40, 5, 6)
	declared.Declared = true
	testReach(t, Options{}, []reachCase{
		{"nothing measured", []Series{{}}, []int{6}, 0},
		{"six rounds", many(1, noisy(40)), []int{6}, 10},
		{"at the look", many(1, noisy(40)), []int{10}, 0},
		{"continued up to the look", many(1, noisy(40)), []int{6, 10}, 0},
		// The end of a continuation is a look that spends half the reserve.
		{"continued, not up to the look", many(1, noisy(40)), []int{6, 9}, 0},
		{"among many, continued", many(29, noisy(40)), []int{6, 9}, 10},
		{"200, past the first look", many(200, noisy(40)), []int{12}, 15},
		{"200 and as many counts", append(many(200, noisy(40)), many(200, counts(40, 1, 2))...), []int{12}, 15},
		{"100 and as many counts, not yet believed", append(many(100, noisy(40)), many(100, counts(40, 1, 2))...), []int{9}, 10},
		{"counts that differ", many(1, counts(40, 0, 1)), []int{9}, 10},
		{"counts that are the same", many(1, counts(40, 0, 0)), []int{2}, 0},
		{"one round of counts", many(1, counts(40, 0, 0)), []int{1}, 10},
		{"one round of what is exact", many(1, declared), []int{1}, 2},
		{"0 on both sides, not yet believed", many(1, constantly(40, 0, 0)), []int{9}, 10},
		{"0 on one side", many(1, constantly(40, 0, 1)), []int{9}, 0},
		// A check of others went on up to round 26: five rounds and four more until 30.
		{"left out of the continuation", many(1, without(noisy(40), 6, 26)), []int{5, 26}, 9},
		{"and on to the next look", many(1, without(noisy(40), 6, 26)), []int{5, 26, 30}, 0},
		{"after the last look", many(1, without(noisy(60), 4, 40)), []int{40}, 8}, // 1/20/252 <= .05 * .01, but not 1/20/70
	})
}
