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

// CheckCPUs returns an error if benchmarks cannot be pinned to the CPUs here: the
// system cannot do it, the machine does not have one of them, or the control group
// does not give it to us. An empty list is always fine.
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
		return fmt.Errorf("there is no CPU %s that perftrack may use: choose among %s", absent, config.CPUs(usable))
	}
	return nil
}

// Procs is GOMAXPROCS of a benchmark on these CPUs, or on all: what the user's
// environment says, else what Go would choose.
func Procs(cpus config.CPUs) int {
	own := runtime.GOMAXPROCS(0)
	if n, err := strconv.Atoi(os.Getenv("GOMAXPROCS")); len(cpus) == 0 || err == nil && n > 0 {
		return own
	}
	if own < runtime.NumCPU() { // for a quota of CPU time, which binds the benchmarks, too
		return min(own, len(cpus))
	}
	return len(cpus)
}
