package workspace

import (
	"runtime"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/config"
)

// SetProcs has all targets of Go packages measured at each GOMAXPROCS of the list, whatever the
// configuration says; "" leaves it at that.
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

// checkProcs refuses a list of GOMAXPROCS for a target that takes none, and says what a number above
// that of the CPUs measures.
func (a *Session) checkProcs(where Place, targets []config.Target) error {
	most := 0
	for _, t := range targets {
		if len(where.Procs) > 0 && t.Kind != config.GoTest {
			return fault.Usagef("--procs is of go test, and target %s is of kind %s, whose program decides that itself: name the targets of Go packages", t.Name, t.Kind)
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
		a.Noticef("GOMAXPROCS %d is more than the %s that benchmarks have here: its threads run in turns, and that is measured, too", most, reports.Plural(cpus, "CPU"))
	}
	return nil
}
