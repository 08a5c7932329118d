package machine

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/proc"
)

func TestProcs(t *testing.T) {
	own := runtime.GOMAXPROCS(0)
	t.Cleanup(func() { runtime.GOMAXPROCS(own) })
	all := runtime.NumCPU()
	for _, tt := range []struct {
		variable string // the user's GOMAXPROCS
		own      int    // Go's choice, including the quota
		cpus     config.CPUs
		want     int
	}{
		{"", all, nil, all},
		{"", all, config.CPUs{5}, 1},
		{"", all, config.CPUs{2, 3, 4, 5, 6, 7, 8, 9, 10}, 9},
		{"99", 99, config.CPUs{5}, 99},
		{"1", 1, config.CPUs{5, 6}, 1},
		{"99", 99, nil, 99},
		{"0", all, config.CPUs{5}, 1},
		{"many", all, config.CPUs{5}, 1},
	} {
		runtime.GOMAXPROCS(tt.own)
		t.Setenv("GOMAXPROCS", tt.variable)
		if got := Procs(tt.cpus); got != tt.want {
			t.Errorf("GOMAXPROCS=%s, %d here, CPUs %s: %d, want %d", tt.variable, tt.own, tt.cpus, got, tt.want)
		}
	}
	if all > 1 {
		runtime.GOMAXPROCS(all - 1) // as a quota does
		t.Setenv("GOMAXPROCS", "")
		if got := Procs(make(config.CPUs, all)); got != all-1 {
			t.Errorf("a quota of %d CPUs: %d", all-1, got)
		}
	}
}

func TestCheckCPUs(t *testing.T) {
	usable, err := proc.UsableCPUs()
	if err != nil || len(usable) < 2 {
		t.Skipf("benchmarks cannot be pinned here: %v, %v", usable, err)
	}
	cpus := config.CPUs(usable[:2])
	for _, tt := range []struct {
		cpus config.CPUs
		want string
	}{
		{nil, "<nil>"},
		{cpus, "<nil>"},
		{config.CPUs{cpus[0], 8000, 8001}, "CPU 8000-8001 is not available to perftrack: choose from " + config.CPUs(usable).String()},
	} {
		if got := fmt.Sprint(CheckCPUs(tt.cpus)); got != tt.want {
			t.Errorf("CPUs %s: %s, want %s", tt.cpus, got, tt.want)
		}
	}
}
