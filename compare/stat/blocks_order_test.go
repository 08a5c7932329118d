package stat

import "testing"

// Over ten rounds each side comes first five times, in each block of five two
// or three times, and otherwise anything can happen.
func TestBaseFirst(t *testing.T) {
	total, seen := 0, map[string]bool{}
	for seed := range uint64(500) {
		for round := 1; round <= 40; round += 10 {
			pattern, first, second := "", 0, 0
			for i := range 10 {
				if BaseFirst(seed, "Softmax_512", round+i) {
					pattern += "b"
					if i < 5 {
						first++
					} else {
						second++
					}
				} else {
					pattern += "h"
				}
			}
			if first+second != 5 || first < 2 || first > 3 {
				t.Fatalf("seed %d round %d: %s", seed, round, pattern)
			}
			seen[pattern] = true
		}
		if BaseFirst(seed, "A", 3) == BaseFirst(seed, "B", 3) {
			total++
		}
	}
	if len(seen) != 200 { // 2 * C(5,2) * C(5,3)
		t.Errorf("%d patterns of 200", len(seen))
	}
	if total < 200 || total > 300 {
		t.Errorf("benchmarks agree in %d of 500", total)
	}
}
