package compare

import "testing"

// A benchmark is as many hypotheses as it has units that are tested: its time, and what does neither repeat nor follow
// from it.
func TestTestedBesideTime(t *testing.T) {
	for _, tt := range []struct {
		units []string
		want  int
	}{
		{nil, 0},
		{[]string{"ns/op"}, 0},
		{[]string{"ns/op", "B/op", "allocs/op", "MB/s", "GFLOPS", "tok/s"}, 0},
		{[]string{"ns/op", "ttft-ns", "B/tok"}, 2},
		{[]string{"sec/op", "p99-ns"}, 1},
	} {
		if got := TestedBesideTime(tt.units); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.units, got, tt.want)
		}
	}
}
