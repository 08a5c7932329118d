package slicing

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perftrack/perftrack/internal/livetest"
)

// rareCosts are those of some slices.
var rareCosts = []struct {
	name       string
	base, head float64 // share of the slices
	factor     float64
}{
	{"a tenth of head's slices +30 %", 0, 0.1, 1.3},
	{"a tenth of head's slices +100 %", 0, 0.1, 2},
	{"a tenth of base's and a fifth of head's +30 %", 0.1, 0.2, 1.3},
	{"a tenth of base's and a fifth of head's +100 %", 0.1, 0.2, 2},
}

// What a benchmark does in a tenth of its slices is neither lost nor hidden, however still the machine
// is, though each such slice then looks like a disturbance: with the estimator that a probe of a
// hundred pairs picks the mean of the rounds is nearly all of it, and hardly a trial says
// that there is nothing.
func TestRareCostIsSeen(t *testing.T) {
	const rounds = 15
	trials := livetest.Few(20, 60)
	for i, cost := range rareCosts {
		for _, noise := range []float64{0.005, 0.02, 0.05} {
			for _, n := range []int{50, 100} {
				rng := rand.New(rand.NewPCG(uint64(i), uint64(n)))
				draw := func(pairs int) [][2]float64 {
					return simulated(rng, pairs, noise, func(b, h float64) (float64, float64) {
						if rng.Float64() < cost.base {
							b *= cost.factor
						}
						if rng.Float64() < cost.head {
							h *= cost.factor
						}
						return b, h
					})
				}
				truth := math.Log((1 + cost.head*(cost.factor-1)) / (1 + cost.base*(cost.factor-1)))
				total, blind, picked := 0.0, 0, map[Estimator]int{}
				for range trials {
					e := Pick(draw(100), make([][2]float64, 100), usualThreshold)
					picked[e]++
					sum := 0.0
					for range rounds {
						sum += e.value(draw(n))
					}
					total += sum
					if sum/rounds < truth/3 {
						blind++
					}
				}
				mean := total / float64(trials) / rounds
				t.Logf("noise %.1f %%, %3d pairs, %s: %.2f of %.2f %%, %d of %d trials blind, %v", 100*noise, n, cost.name, 100*mean, 100*truth, blind, trials, picked)
				if mean < 0.8*truth || blind > trials*3/20 {
					t.Errorf("noise %v, %d pairs, %s: sees %.2f of %.2f %%, %d of %d trials are blind", noise, n, cost.name, 100*mean, 100*truth, blind, trials)
				}
			}
		}
	}
}

// What the machine does is not taken for the benchmark's own, and what is sharper is picked only where
// it is much sharper, and hides nothing.
func TestPick(t *testing.T) {
	const trials = 60
	share := func(waits bool, draw, own func(rng *rand.Rand, head bool) float64) map[Estimator]int {
		rng := rand.New(rand.NewPCG(3, 4))
		picked := map[Estimator]int{}
		for range trials {
			owed := make([][2]float64, 100)
			i := 0
			times := simulated(rng, len(owed), 0.005, func(b, h float64) (float64, float64) {
				more := [2]float64{draw(rng, false), draw(rng, true)}
				if waits {
					owed[i] = [2]float64{1000 * more[0] * 1.2, 1000 * more[1] * 1.2}
				}
				if own != nil {
					more[0], more[1] = more[0]+own(rng, false), more[1]+own(rng, true)
				}
				i++
				return b + more[0], h + more[1]
			})
			picked[Pick(times, owed, usualThreshold)]++
		}
		return picked
	}
	sometimes := func(parts int, most float64) func(*rand.Rand, bool) float64 {
		return func(rng *rand.Rand, _ bool) float64 {
			if rng.IntN(5) < parts {
				return most * rng.Float64()
			}
			return 0
		}
	}
	half := func(rng *rand.Rand, head bool) float64 {
		if head {
			return 0.12 * float64(rng.IntN(2))
		}
		return 0
	}
	// The CPU of base's process is disturbed for a while, in the first half of the slices only.
	drawn := 0
	host := func(_ *rand.Rand, head bool) float64 {
		if head {
			drawn++
			return 0
		}
		if at := drawn % 100; at < 50 && at%5 == 0 {
			return 2
		}
		return 0
	}
	rare := func(rng *rand.Rand, head bool) float64 {
		if head && rng.IntN(10) == 0 {
			return 1
		}
		return 0
	}
	// Caches are cold after a while of other programs.
	cold := func(rng *rand.Rand, _ bool) float64 {
		if rng.IntN(4) == 0 {
			return 0.2
		}
		return 0
	}
	equally := func(rng *rand.Rand, _ bool) float64 {
		if rng.IntN(10) == 0 {
			return 2
		}
		return 0
	}
	for _, tt := range []struct {
		name  string
		waits bool
		draw  func(*rand.Rand, bool) float64
		own   func(*rand.Rand, bool) float64 // does not wait
		want  Estimator
		not   Estimator
	}{
		{"a still machine", false, sometimes(0, 0), nil, Sum, All},
		{"a fifth of the slices is late by itself", false, sometimes(1, 4), nil, "", Quiet},
		{"a fifth waits for a CPU", true, sometimes(1, 4), nil, "", All},
		{"a tenth waits for a CPU, each as long", true, equally, nil, "", All},
		{"a tenth is late by itself, each as long", false, equally, nil, All, Quiet},
		{"three fifths wait for a CPU", true, sometimes(3, 9), nil, Quiet, All},
		{"three fifths are late by themselves", false, sometimes(3, 9), nil, "", Quiet},
		{"the host disturbs one process for a while", false, host, nil, "", All},
		{"half of head's slices take an eighth longer", false, half, nil, "", Quiet},
		{"half of head's slices take an eighth longer, and it waits", true, half, nil, "", Quiet},
		{"three fifths wait for a CPU, and a quarter is a little late without", true, sometimes(3, 9), cold, Quiet, All},
		{"three fifths wait for a CPU, and a tenth of head's takes twice as long", true, sometimes(3, 9), rare, "", Quiet},
	} {
		got := share(tt.waits, tt.draw, tt.own)
		t.Logf("%s: %v", tt.name, got)
		if tt.want != "" && got[tt.want] < trials*8/10 || got[tt.not] > trials/20 {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

// What slices allocate is held against a long sample's: what is allocated once a count, and what
// rounding makes, is no difference, an empty pool in all slices is.
func TestAlike(t *testing.T) {
	for _, tt := range []struct {
		slice, long costs
		want        bool
	}{
		{costs{bytes: 655}, costs{}, false},
		{costs{bytes: 9}, costs{}, true},
		{costs{bytes: 1010, allocs: 2}, costs{bytes: 1000, allocs: 2}, true},
		{costs{bytes: 1100, allocs: 2}, costs{bytes: 1000, allocs: 2}, false},
		{costs{bytes: 900, allocs: 2}, costs{bytes: 1000, allocs: 2}, false},
		{costs{allocs: 1}, costs{}, false},
		{costs{allocs: 1001}, costs{allocs: 1000}, true},
	} {
		for side := range 2 {
			c := chooser{}
			c.long[side] = tt.long
			var p probe
			p.sides[side] = []probed{{costs: tt.slice}, {costs: tt.slice}, {costs: costs{bytes: 1e6, allocs: 1e6}}}
			if got := c.alike(p); got != tt.want {
				t.Errorf("side %d: %+v of slices, %+v of a long sample: %v", side, tt.slice, tt.long, got)
			}
		}
	}
}

// A pool that only some counts find empty is no difference, since a round leaves out what they pay; nor is
// it one where operations allocate now more and now less.
func TestAlikeInTurns(t *testing.T) {
	for _, tt := range []struct {
		name  string
		bytes []float64
		long  float64
		want  bool
	}{
		{"most counts fill a pool", []float64{655, 655, 0, 655, 655, 655}, 0, true},
		{"all counts fill a pool", []float64{655, 655, 655, 655, 655, 655}, 0, false},
		{"now more and now less", []float64{800, 1005, 1200, 700, 1010, 1300}, 1000, true},
		{"a map that grows later", []float64{10, 10, 12, 10, 10, 10}, 80, false},
	} {
		c := chooser{}
		c.long = [2]costs{{bytes: tt.long}, {bytes: tt.long}}
		var p probe
		for side := range p.sides {
			for _, b := range tt.bytes {
				p.sides[side] = append(p.sides[side], probed{costs: costs{bytes: b}})
			}
		}
		if got := c.alike(p); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
