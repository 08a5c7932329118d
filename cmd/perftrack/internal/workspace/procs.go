package workspace

import (
	"runtime"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/config"
)

// SetProcs makes perftrack measure all Go targets at each GOMAXPROCS value in list instead of the
// configured values. It does nothing if list is "".
func (p *Place) SetProcs(list string) error {
	if list == "" {
		return nil
	}
	procs, err := config.ParseProcs(list)
	if err != nil {
		return fault.Usagef("--procs: %w", err)
	}
	p.Procs = procs
	setProcs(p.Config.Targets, procs)
	return nil
}

func setProcs(targets []config.Target, procs config.Procs) {
	for i := range targets {
		if targets[i].Kind == config.GoTest && len(procs) > 0 {
			targets[i].Procs = procs
		}
	}
}

// checkProcs returns an error if GOMAXPROCS values are given for targets without support for them,
// and prints a notice if a value exceeds the number of CPUs.
func (a *Session) checkProcs(where Place, targets []config.Target) error {
	most := 0
	for _, t := range targets {
		if len(where.Procs) > 0 && t.Kind != config.GoTest {
			return fault.Usagef("--procs does not apply to target %s of kind %s: name only targets of kind gotest", t.Name, t.Kind)
		}
		for _, n := range t.Procs {
			most = max(most, n)
		}
	}
	cpus := runtime.NumCPU()
	if len(where.CPUs) > 0 {
		cpus = len(where.CPUs)
	}
	if most > cpus {
		a.Noticef("GOMAXPROCS %d exceeds the %s available here: the measurement includes threads waiting for a CPU", most, reports.Plural(cpus, "CPU"))
	}
	return nil
}
