package explain

import "testing"

// Who waits is told how long at least, unless the length of a process is a number of iterations.
func TestProfilingTakes(t *testing.T) {
	for _, tt := range []struct {
		sides, processes int
		benchtime, want  string
	}{
		{2, 8, "1s", "8 processes a side of 1s, so at least 16s besides the builds; fewer with --processes"},
		{2, 3, "500ms", "3 processes a side of 500ms, so at least 3s besides the builds; fewer with --processes"},
		{2, 8, "100x", "8 processes a side; fewer with --processes"},
	} {
		if got := profilingTakes(tt.sides, tt.processes, tt.benchtime); got != tt.want {
			t.Errorf("%d processes of %s: %q, want %q", tt.processes, tt.benchtime, got, tt.want)
		}
	}
}
