package machine

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/proc"
)

// CheckCPUs returns an error if benchmarks cannot be pinned to the given CPUs, because the system
// does not support it, the machine lacks one of them, or the control group excludes one. An empty
// list is always allowed.
func CheckCPUs(cpus config.CPUs) error {
	if len(cpus) == 0 {
		return nil
	}
	usable, err := proc.UsableCPUs()
	if err != nil {
		return err
	}
	absent := slices.DeleteFunc(slices.Clone(cpus), func(cpu int) bool { return slices.Contains(usable, cpu) })
	if len(absent) > 0 {
		return fmt.Errorf("CPU %s is not available to perftrack: choose from %s", absent, config.CPUs(usable))
	}
	return nil
}

// Procs returns the GOMAXPROCS value of a benchmark pinned to cpus, or not pinned if cpus is empty.
// The value comes from the user's environment, or else it is the one Go would choose.
func Procs(cpus config.CPUs) int {
	own := runtime.GOMAXPROCS(0)
	if n, err := strconv.Atoi(os.Getenv("GOMAXPROCS")); len(cpus) == 0 || err == nil && n > 0 {
		return own
	}
	if own < runtime.NumCPU() { // because of a quota on CPU time, which also applies to the benchmarks
		return min(own, len(cpus))
	}
	return len(cpus)
}
