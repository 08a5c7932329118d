package stat

import (
	"fmt"
	"math"
	"testing"
)

// Each coin is fair. The coins of one benchmark in successive rounds, of two benchmarks in the same
// round, and of two trials agree as often as not, and all patterns of five successive coins are
// equally frequent.
func TestCoin(t *testing.T) {
	const n = 40000
	within := func(what string, heads, of int, chance float64) {
		t.Helper()
		if sd := math.Sqrt(chance * (1 - chance) * float64(of)); math.Abs(float64(heads)-chance*float64(of)) > 4*sd {
			t.Errorf("%s: %d of %d, want about %.0f", what, heads, of, chance*float64(of))
		}
	}
	var heads, rounds, benchmarks, seeds int
	patterns := map[string]int{}
	for seed := range uint64(n / 40) {
		for round := 1; round <= 40; round++ {
			c := Coin(seed, "Softmax_512", round)
			count := func(n *int, hit bool) {
				if hit {
					*n++
				}
			}
			count(&heads, c)
			count(&rounds, c == Coin(seed, "Softmax_512", round+1))
			count(&benchmarks, c == Coin(seed, "Softmax_513", round))
			count(&seeds, c == Coin(seed+1, "Softmax_512", round))
			if round%5 == 1 {
				pattern := ""
				for i := range 5 {
					pattern += fmt.Sprintf("%t", Coin(seed, "Softmax_512", round+i))[:1]
				}
				patterns[pattern]++
			}
		}
	}
	within("base first", heads, n, 0.5)
	within("as in the round before", rounds, n, 0.5)
	within("as of another benchmark", benchmarks, n, 0.5)
	within("as in another trial", seeds, n, 0.5)
	if len(patterns) != 32 {
		t.Errorf("%d patterns of 32", len(patterns))
	}
	for p, k := range patterns {
		within(p, k, n/5, 1.0/32)
	}
}

// The coins of a trial never change, so a continuation can rely on them.
func TestCoinStays(t *testing.T) {
	got := ""
	for round := 1; round <= 20; round++ {
		got += fmt.Sprintf("%t", Coin(7, "Parse/large", round))[:1]
	}
	if want := "tttttftftftfffffttft"; got != want {
		t.Errorf("coins %s, want %s", got, want)
	}
}
