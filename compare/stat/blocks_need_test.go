package stat

import (
	"math/rand/v2"
	"testing"
)

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
		ended := func(series Series, sessions ...int) Decision {
			s.Reset(Trial{Series: []Series{series}, Sessions: sessions}, Options{})
			return s.Decisions()[0]
		}
		for range 80 {
			series := seq(r, 2000, tt.cv, tt.effect)
			d := ended(series, tt.rounds)
			if d.Outcome != Open {
				continue
			}
			trials++
			needs = append(needs, float64(d.Need))
			if ended(series, tt.rounds, d.Need).Outcome != Open {
				decided++
			}
		}
		t.Logf("%+v: %d of %d decided with a median of %v rounds", tt, decided, trials, Median(needs))
		if decided < trials*92/100 { // 95 % in the long run
			t.Errorf("%+v: %d of %d decided", tt, decided, trials)
		}
	}
}

// Beyond the last look the reserve has to do, which takes more rounds.
func TestNeedPaysFromReserve(t *testing.T) {
	trial := Trial{Series: []Series{seq(rand.New(rand.NewPCG(1, 1)), 17, 0.1, 0)}, Sessions: []int{17}}
	plan := CheckPlan()
	plan.Reserve = 0
	with := Replay(trial, Options{})[0].Need
	without := Replay(trial, Options{Plan: plan})[0].Need
	if with <= without || without <= 40 {
		t.Errorf("needs %d rounds, without a reserve %d", with, without)
	}
}

// Where all of the interval is a change far beyond the threshold, what is missing is
// the first look, not the rounds that a change of the threshold would take.
func TestNeedOfWhatIsPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 20 {
		var s Sequence
		s.Reset(Trial{Series: []Series{seq(r, 9, 0.15, 1)}, Sessions: []int{9}}, Options{})
		if d := s.Decisions()[0]; d.Outcome != Open || d.Need < 10 || d.Need > 40 {
			t.Errorf("outcome %d, needs %d rounds", d.Outcome, d.Need)
		}
	}
}
