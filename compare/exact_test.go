package compare

import (
	"testing"

	"github.com/perftrack/perftrack/compare/units"
)

// A benchmark is one hypothesis for each tested unit: its time, and every unit that neither repeats
// exactly nor follows from the time.
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
		if got := units.TestedBesideTime(tt.units); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.units, got, tt.want)
		}
	}
}
