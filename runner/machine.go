package runner

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
)

// machineEnvironment returns the facts about this machine, and about how it runs
// benchmarks on these CPUs, that identify an environment.
func machineEnvironment(cpus config.CPUs) Settings {
	s := Settings{
		{"goos", runtime.GOOS},
		{"goarch", runtime.GOARCH},
		{"cpu", cpuModel()},
		{"cpu-count", strconv.Itoa(runtime.NumCPU())},
		{"gomaxprocs", strconv.Itoa(Procs(cpus))},
		{"cpu-governor", cpuGovernor()},
		{"machine", os.Getenv("PERFTRACK_MACHINE")},
		{"cpu-affinity", cpus.String()},
		{"gogc", os.Getenv("GOGC")},
		{"gomemlimit", os.Getenv("GOMEMLIMIT")},
		{"godebug", os.Getenv("GODEBUG")},
	}
	return s.present()
}

// machineFacts returns what is worth knowing about the machine now but must
// not cut its history in two.
func machineFacts() Settings {
	host, _ := os.Hostname()
	s := Settings{
		{"host", host},
		{"kernel", kernelRelease()},
		{"load", loadAverage()},
		{"cpu-mhz", cpuMHz()},
	}
	return s.present()
}

// ownToolchain is what perftrack itself was built with, for the target that is
// part of it.
func ownToolchain() Settings {
	s := Settings{{"goversion", strings.Fields(runtime.Version())[0]}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, b := range info.Settings {
			if b.Key == "GOAMD64" {
				s = append(s, Setting{"goamd64", b.Value})
			}
		}
	}
	return s
}

// present drops the facts that this machine does not tell.
func (s Settings) present() Settings {
	var out Settings
	for _, f := range s {
		if f.Value = strings.TrimSpace(f.Value); f.Value != "" {
			out = append(out, f)
		}
	}
	return out
}
