package runner

import (
	"testing"
)

// The seeds are data: a changed list would give every history a new layout.
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

func TestReasonLine(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"--- FAIL: BenchmarkX\n    x_test.go:7: wrong answer\nFAIL\n", "x_test.go:7: wrong answer"},
		{"panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n", "panic: boom"},
		{"error: no such file\nexit status 1\n", "error: no such file"},
		{"cannot open model\nBenchmarkX-8 \t 100\t 5 ns/op\n", "cannot open model"},
		{"BenchmarkX is missing\n", "BenchmarkX is missing"},
		{"", ""},
	} {
		if got := ReasonLine(tt.text); got != tt.want {
			t.Errorf("ReasonLine(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}
