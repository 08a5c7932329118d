package runner

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// machineEnvironment returns the facts about this machine, and about how it runs
// benchmarks on these CPUs, that identify an environment.
func machineEnvironment(cpus config.CPUs) record.Settings {
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
	return told(s)
}

// machineFacts returns what is worth knowing about the machine now but must
// not cut its history in two.
func machineFacts() record.Settings {
	host, _ := os.Hostname()
	s := record.Settings{
		{Key: record.KeyHost, Value: host},
		{Key: record.KeyKernel, Value: kernelRelease()},
		{Key: record.KeyLoad, Value: loadAverage()},
		{Key: record.KeyCPUMHz, Value: cpuMHz()},
	}
	return told(s)
}

// ownToolchain is what perftrack itself was built with, for the target that is
// part of it.
func ownToolchain() record.Settings {
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

// told drops the facts that this machine does not tell.
func told(s record.Settings) record.Settings {
	var out record.Settings
	for _, f := range s {
		if f.Value = strings.TrimSpace(f.Value); f.Value != "" {
			out = append(out, f)
		}
	}
	return out
}
