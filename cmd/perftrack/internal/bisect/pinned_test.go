package bisect

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
)

// The suffix of a pinned benchmark's name is the number of its CPUs.
func TestIsBenchPinned(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	cpus := make(config.CPUs, runtime.NumCPU()+1)
	own, pinned := "A-"+strconv.Itoa(runtime.NumCPU()), "A-"+strconv.Itoa(len(cpus))
	for _, tt := range []struct {
		result string
		cpus   config.CPUs
		want   bool
	}{
		{"A", nil, true}, {"A", cpus, true}, {own, nil, true}, {own, cpus, false}, {pinned, cpus, true}, {pinned, nil, false},
	} {
		if got := isBench(tt.result, "A", tt.cpus); got != tt.want {
			t.Errorf("isBench(%s, A, %s) = %v", tt.result, tt.cpus, got)
		}
	}
}
