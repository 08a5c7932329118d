package slicing

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestContradicts(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 4))
	turns := func(n int, spread, base, head float64) (all [][2]float64) {
		for range n {
			all = append(all, [2]float64{base * math.Exp(spread*rng.NormFloat64()), head * math.Exp(spread*rng.NormFloat64())})
		}
		return all
	}
	quiet, busy := turns(100, 0.05, 600, 600), turns(100, 0.3, 600, 600)
	tails := turns(100, 0.05, 600, 600)
	for i := 10; i < 100; i += 50 {
		tails[i][1] *= 100
	}
	type pairs = [][2]float64
	for _, tt := range []struct {
		name        string
		long, turns pairs
		want        bool
	}{
		{"the same", pairs{{610, 620}}, quiet, false},
		{"a change that both see", pairs{{610, 1300}}, turns(100, 0.05, 600, 1250), false},
		{"a little longer", pairs{{600, 830}, {600, 820}}, quiet, false},
		{"head takes three times as long now and then", pairs{{600, 1850}}, quiet, true},
		{"and again", pairs{{600, 1850}, {640, 1900}}, quiet, true},
		{"and not again", pairs{{600, 1850}, {640, 630}}, quiet, false},
		{"once head, once base", pairs{{600, 1850}, {1900, 630}}, quiet, false},
		{"base did, and head does not", pairs{{1850, 600}, {1900, 620}}, quiet, true},
		{"both do", pairs{{1850, 1870}, {1900, 1880}}, quiet, true},
		{"slices do more", pairs{{300, 310}, {290, 320}}, quiet, false},
		{"slices see it, too", pairs{{600, 1850}, {640, 1900}}, tails, false},
		{"a busy machine", pairs{{600, 1100}, {900, 1300}}, busy, false},
		{"three times as long on a busy machine", pairs{{600, 1950}, {620, 2100}}, busy, true},
		{"no time", pairs{{0, 600}}, quiet, false},
		{"no long sample", nil, quiet, false},
		{"too few slices", pairs{{600, 1850}, {640, 1900}}, quiet[:leastPairs-1], false},
	} {
		if got := contradicts(tt.long, tt.turns); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
		var longBack, turnsBack pairs
		for _, p := range tt.long {
			longBack = append(longBack, [2]float64{p[1], p[0]})
		}
		for _, p := range tt.turns {
			turnsBack = append(turnsBack, [2]float64{p[1], p[0]})
		}
		if got := contradicts(longBack, turnsBack); got != tt.want {
			t.Errorf("%s, with the sides exchanged: %v, want %v", tt.name, got, tt.want)
		}
	}
}
