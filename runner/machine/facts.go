// Package machine says what identifies the machine that perftrack runs on.
//
// [Environment] returns the settings that identify an environment, so that runs of two
// machines are not compared as if they were of one; [Facts] returns what is worth knowing
// but does not identify it. [Procs] and [CheckCPUs] are about the CPUs that benchmarks are
// pinned to. Begin with facts.go. What makes a machine noisy is the subject of package
// doctor.
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

// Environment returns the facts about this machine, and about how it runs
// benchmarks on these CPUs, that identify an environment.
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

// Facts returns what is worth knowing about the machine now but must
// not cut its history in two.
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

// Toolchain is what perftrack itself was built with, for the target that is
// part of it.
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

// known drops the settings without a value: facts that this machine does not reveal.
func known(s record.Settings) record.Settings {
	var out record.Settings
	for _, f := range s {
		if f.Value = strings.TrimSpace(f.Value); f.Value != "" {
			out = append(out, f)
		}
	}
	return out
}
