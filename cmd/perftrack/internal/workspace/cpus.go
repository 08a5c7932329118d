package workspace

import (
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/machine"
)

// AllCPUs stands in the place of a list of CPUs and pins benchmarks to none, whatever the configuration says.
const AllCPUs = "all"

// Pin decides on which CPUs benchmarks run: those of the list if there is one, else those of
// the configuration. It is a usage error if this machine does not have them.
func (p *Place) Pin(list string) (err error) {
	var said string
	switch list {
	case AllCPUs:
		return nil
	case "":
		p.CPUs = p.Config.Defaults.CPUs
		said = fmt.Sprintf("cpus = %q in %s (--cpus %s lifts it)", p.CPUs, p.ConfigPath, AllCPUs)
	default:
		said = "--cpus " + list
		if p.CPUs, err = config.ParseCPUs(list); err != nil {
			return fault.Usagef("--cpus: %w", err)
		}
	}
	if err := machine.CheckCPUs(p.CPUs); err != nil {
		return fault.Usagef("%s: %w", said, err)
	}
	return nil
}
