// Package machine identifies the machine perftrack runs on.
//
// [Environment] returns the settings identifying an environment, so runs on two machines are never
// mistaken for runs on one. [Facts] returns other useful facts. [Procs] and [CheckCPUs] are for
// benchmarks pinned to CPUs. Begin with facts.go. For the causes of noise, see package doctor.
package machine

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Environment returns the settings identifying the environment of benchmarks on this machine,
// pinned to cpus unless empty.
func Environment(cpus config.CPUs) record.Settings {
	s := record.Settings{
		{Key: record.KeyGOOS, Value: runtime.GOOS},
		{Key: record.KeyGOARCH, Value: runtime.GOARCH},
		{Key: record.KeyCPU, Value: cpuModel()},
		{Key: record.KeyCPUCount, Value: strconv.Itoa(runtime.NumCPU())},
		{Key: record.KeyGOMAXPROCS, Value: strconv.Itoa(Procs(cpus))},
		{Key: record.KeyGovernor, Value: cpuGovernor()},
		{Key: record.KeyMachine, Value: os.Getenv("PERFTRACK_MACHINE")},
		{Key: record.KeyCPUAffinity, Value: cpus.String()},
		{Key: record.KeyGOGC, Value: os.Getenv("GOGC")},
		{Key: record.KeyGOMEMLIMIT, Value: os.Getenv("GOMEMLIMIT")},
		{Key: record.KeyGODEBUG, Value: os.Getenv("GODEBUG")},
	}
	return known(s)
}

// Facts returns other useful facts about the machine. A change in them must not split the history
// of measurements.
func Facts() record.Settings {
	host, _ := os.Hostname()
	s := record.Settings{
		{Key: record.KeyHost, Value: host},
		{Key: record.KeyKernel, Value: kernelRelease()},
		{Key: record.KeyLoad, Value: LoadAverage()},
		{Key: record.KeyCPUMHz, Value: cpuMHz()},
	}
	return known(s)
}

// Toolchain describes how perftrack itself was built, for the built-in target.
func Toolchain() record.Settings {
	s := record.Settings{{Key: record.KeyGoVersion, Value: strings.Fields(runtime.Version())[0]}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, b := range info.Settings {
			if b.Key == "GOAMD64" {
				s = append(s, record.Setting{Key: record.KeyGOAMD64, Value: b.Value})
			}
		}
	}
	return s
}

// known returns the settings that have a value on this machine.
func known(s record.Settings) record.Settings {
	var out record.Settings
	for _, f := range s {
		if f.Value = strings.TrimSpace(f.Value); f.Value != "" {
			out = append(out, f)
		}
	}
	return out
}
