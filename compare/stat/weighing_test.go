package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/livetest"
)

func TestWeigh(t *testing.T) {
	many := func(n int, size float64) []float64 { return slices.Repeat([]float64{size}, n) }
	for _, c := range []struct {
		name  string
		sizes []float64
		want  weighing
	}{
		{"none", nil, weighing{}},
		{"nine", append(many(8, 0.01), 9), weighing{}},
		{"a plain change", many(10, 0.1), weighing{}},
		{"nothing differs", many(48, 0), weighing{}},
		{"one of ten is off", append(many(9, 0.01), 0.3), weighing{capped: true}},
		{"one of thirty is off", append(many(29, 0.01), 0.3), weighing{}},
		{"two sizes", append(many(5, 0.02), many(5, 0.22)...), weighing{clip: 0.36}},
		{"two sizes, and one that is off", append(append(many(5, 0.02), many(5, 0.22)...), 3), weighing{capped: true}},
		{"one is infinite", append(many(9, 0.01), math.Inf(1)), weighing{capped: true}},
		{"most are infinite", append(many(3, 0.01), many(7, math.Inf(1))...), weighing{}},
	} {
		got := weigh(c.sizes)
		got.clip = math.Round(1000*got.clip) / 1000
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Swapping the sides of any rounds does not change whether ranks are capped.
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
		// Only the sizes of the differences may matter, so there is one series and one look, which
		// uses all rounds.
		opt := Options{Plan: FixedPlan(len(series.Pairs))}
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

// If about one process in eight is slower by 25 to 60 %, a change of +10 % is found in most trials;
// without capping, it would be found in hardly more than half of them. If rounds merely scatter,
// ranks are rarely capped.
func TestCappingFindsBesideSlowProcesses(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 6))
	opt := Options{}
	opt.Part = 1. / 29
	trials := livetest.Few(150, 1000)
	var found, scatter int
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
		if Replay(Trial{Series: []Series{seq(r, 12, 0.02, 0.1)}, Sessions: []int{12}}, opt)[0].Capped {
			scatter++
		}
	}
	t.Logf("of %d trials +10 %% is found in %d; %d of plain noise are capped", trials, found, scatter)
	if found < trials*85/100 || scatter > trials*15/100 {
		t.Errorf("of %d trials +10 %% is found in %d; %d of plain noise are capped", trials, found, scatter)
	}
}
