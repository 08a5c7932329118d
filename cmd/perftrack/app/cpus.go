package app

import (
	"fmt"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
)

// AllCPUs in place of a list of CPUs lifts what the configuration says.
const AllCPUs = "all"

// pin settles on which CPUs benchmarks run: those of the list if there is one, else
// those of the configuration. It is a usage error if that is not possible here.
func (p *place) pin(list string) (err error) {
	var said string
	switch list {
	case AllCPUs:
		return nil
	case "":
		p.cpus = p.config.Defaults.CPUs
		said = fmt.Sprintf("cpus = %q in %s (--cpus %s lifts it)", p.cpus, p.configPath, AllCPUs)
	default:
		said = "--cpus " + list
		if p.cpus, err = config.ParseCPUs(list); err != nil {
			return usagef("--cpus: %w", err)
		}
	}
	if err := runner.CheckCPUs(p.cpus); err != nil {
		return usagef("%s: %w", said, err)
	}
	return nil
}
