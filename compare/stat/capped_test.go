package stat

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/internal/livetest"
)

// Whatever sides change places in whatever rounds, ranks are capped as before, or not.
func TestCappingIgnoresSides(t *testing.T) {
	capped := 0
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		series := seq(r, rapid.IntRange(1, 48).Draw(t, "rounds"), 0.02, 0.1)
		unsettle(r, series.Pairs, 0.1)
		for i := range series.Pairs {
			switch r.IntN(40) {
			case 0:
				series.Pairs[i].Base = 0
			case 1:
				series.Pairs[i].Head = math.NaN()
			}
		}
		// Of nothing but sizes each: alone in a trial of one look, so that all are as of all rounds.
		opt := Options{Procedure: Pairs, Plan: FixedPlan(len(series.Pairs))}
		sessions := []int{len(series.Pairs)}
		want := Replay(Trial{Series: []Series{series}, Sessions: sessions}, opt)[0]
		got := Replay(Trial{Series: tossed([]Series{series}, rapid.Int().Draw(t, "coins")), Sessions: sessions}, opt)[0]
		if got.Capped != want.Capped {
			t.Fatalf("%+v\nwith other sides\n%+v", want, got)
		}
		if want.Capped {
			capped++
		}
	})
	if capped < 10 {
		t.Errorf("capped in %d cases: the test tests nothing", capped)
	}
}

// Where one process in eight is slower by a quarter to six tenths, +10 % is found; without capping it
// would hardly be in more than half of the trials. And where rounds only scatter, ranks are whole.
func TestCappingFindsBesideSlowProcesses(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 6))
	opt := byPairs
	opt.Part = 1. / 29
	trials := livetest.Few(150, 1000)
	var found, whole, scatter int
	process := func() float64 {
		x := 100 * math.Exp(0.01*r.NormFloat64())
		if r.Float64() < 0.12 {
			x *= 1.25 + 0.35*r.Float64()
		}
		return x
	}
	for range trials {
		series := Series{Better: -1, Threshold: 0.05}
		for range 48 {
			series.Pairs = append(series.Pairs, Pair{Base: process(), Head: 1.1 * process()})
		}
		trial := Trial{Series: []Series{series}, Sessions: []int{48}}
		if Replay(trial, opt)[0].Outcome == Higher {
			found++
		}
		typical := opt
		typical.Procedure, typical.Plan = Typical, CheckPlan()
		if Replay(trial, typical)[0].Outcome == Higher {
			whole++
		}
		if Replay(Trial{Series: []Series{seq(r, 12, 0.02, 0.1)}, Sessions: []int{12}}, opt)[0].Capped {
			scatter++
		}
	}
	t.Logf("of %d trials +10 %% is found in %d, with whole ranks in %d; %d of plain noise are capped", trials, found, whole, scatter)
	if found < trials*85/100 || whole > trials*75/100 || scatter > trials*15/100 {
		t.Errorf("of %d trials +10 %% is found in %d, with whole ranks in %d; %d of plain noise are capped", trials, found, whole, scatter)
	}
}
