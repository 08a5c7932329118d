package program

import (
	"testing"
)

// The seeds must stay the same, because a different list would change the layouts in every history.
func TestLayoutSeeds(t *testing.T) {
	want := []uint64{2065550767, 565798389, 607567}
	seen := map[uint64]bool{}
	for round := range 1000 {
		seed := LayoutSeed(round)
		if seed == 0 || seed > 0x7fffffff || seen[seed] {
			t.Errorf("seed %d of round %d is 0, too large or a repetition", seed, round)
		}
		seen[seed] = true
	}
	for round, seed := range want {
		if got := LayoutSeed(round); got != seed {
			t.Errorf("LayoutSeed(%d) = %d, want %d", round, got, seed)
		}
	}
}
