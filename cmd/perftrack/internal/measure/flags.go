package measure

import (
	"cmp"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// Flags holds the settings for measurements from the command line. A zero value means the target's
// configuration or else the command's default.
type Flags struct {
	Bench     string // regular expression as in go test -bench; for bisect and explain, the name of one benchmark
	Suite     string
	Benchtime string
	Rounds    int
	Timeout   time.Duration // time limit of a process
	CPUs      string        // list of CPUs to pin to, or AllCPUs; "" means the configured CPUs
	Procs     string        // list of GOMAXPROCS values; "" means the configured values
	Isolate   bool          // run benchmarks in bubblewrap
	Hidden    []string      // files to hide from isolated benchmarks
	Pairs     string        // how to measure two sides, one of Pairs; "" means the first
}

// Pairs lists the ways to measure two sides: in turns of a few milliseconds where possible, or
// always in fresh processes.
var Pairs = []string{record.MethodSlices, record.MethodFresh}

// DatabaseFiles returns the files of a database, to hide from isolated benchmarks.
func DatabaseFiles(path string) []string {
	return []string{path, path + "-wal", path + "-shm", path + "-journal.d"}
}

// Plan returns the plan for measuring a target's benchmarks. The flags take precedence over the
// target's configuration, and the configuration over the given defaults.
func (f Flags) Plan(t config.Target, rounds int, benchtime string) runner.Plan {
	return runner.Plan{
		Spec: program.Spec{
			Bench:     cmp.Or(f.Bench, t.Bench),
			Suite:     f.Suite,
			Benchtime: cmp.Or(f.Benchtime, t.Benchtime, benchtime),
			Isolate:   f.Isolate,
			Hidden:    f.Hidden,
		},
		Rounds:  cmp.Or(f.Rounds, t.Rounds, rounds),
		Timeout: f.timeout(t),
		Slices:  f.Pairs != record.MethodFresh,
	}
}

// ScopesPlan returns the plan for measuring the scopes in a suite's profile. It measures all
// scopes, because they only make sense together.
func (f Flags) ScopesPlan(t config.Target, rounds int) runner.Plan {
	return runner.Plan{
		Spec:   program.Spec{Profile: cmp.Or(f.Suite, program.DefaultSuite), Isolate: f.Isolate, Hidden: f.Hidden},
		Rounds: cmp.Or(f.Rounds, rounds), Timeout: f.timeout(t),
	}
}

func (f Flags) timeout(t config.Target) time.Duration {
	return cmp.Or(f.Timeout, t.Timeout, runner.DefaultTimeout)
}

// Selection returns the part of a target's benchmarks selected by the flags.
func (f Flags) Selection(t config.Target) *record.Selection {
	return &record.Selection{Packages: slices.Sorted(slices.Values(t.Only)), Suite: f.Suite, Bench: f.Bench}
}
