package workspace

import (
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/machine"
)

// AllCPUs is the value of --cpus that pins benchmarks to no CPUs, regardless of the configuration.
const AllCPUs = "all"

// Pin sets the CPUs of benchmarks to list or, if list is "", to the configured CPUs. It returns a
// usage error if this machine lacks any of them.
func (p *Place) Pin(list string) (err error) {
	var said string
	switch list {
	case AllCPUs:
		return nil
	case "":
		p.CPUs = p.Config.Defaults.CPUs
		said = fmt.Sprintf("cpus = %q in %s (override it with --cpus %s)", p.CPUs, p.ConfigPath, AllCPUs)
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
