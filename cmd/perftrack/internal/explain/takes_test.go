package explain

import "testing"

// The message gives the minimum time to wait, unless benchtime is a number of iterations.
func TestProfilingTakes(t *testing.T) {
	for _, tt := range []struct {
		sides, processes int
		benchtime, want  string
	}{
		{2, 8, "1s", "8 processes per side of 1s each, so at least 16s in addition to the builds; to use fewer, set --processes"},
		{2, 3, "500ms", "3 processes per side of 500ms each, so at least 3s in addition to the builds; to use fewer, set --processes"},
		{2, 8, "100x", "8 processes per side; to use fewer, set --processes"},
	} {
		if got := profilingTakes(tt.sides, tt.processes, tt.benchtime); got != tt.want {
			t.Errorf("%d processes of %s: %q, want %q", tt.processes, tt.benchtime, got, tt.want)
		}
	}
}
