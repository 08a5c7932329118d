package measure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Flags are what the command line says of how targets are measured. Zero values mean the
// target's configuration, and behind it the defaults of the command.
type Flags struct {
	Bench     string // regular expression as for go test -bench; of bisect and explain the name of one benchmark
	Suite     string
	Benchtime string
	Rounds    int
	Timeout   time.Duration // of one process
	CPUs      string        // list of CPUs to pin to, or AllCPUs; "" is the configuration's
	Procs     string        // list of GOMAXPROCS; "" is the configuration's
	Isolate   bool          // benchmarks run in bubblewrap
	Hidden    []string      // what they do not see there
	Pairs     string        // how two sides are measured: one of Pairs; "" is the first
}

// Pairs are the ways to measure two sides: where it can be, in turns of a few milliseconds; or
// always in a fresh process each.
var Pairs = []string{record.WaySlices, record.WayFresh}

// DatabaseFiles are the files of a database, which isolated benchmarks do not see.
func DatabaseFiles(path string) []string {
	return []string{path, path + "-wal", path + "-shm", path + "-journal.d"}
}

// Plan returns the plan for a target's benchmarks. Flags come before the target's
// configuration, and that before the given defaults.
func (f Flags) Plan(t config.Target, rounds int, benchtime string) runner.Plan {
	return runner.Plan{
		Bench:     cmp.Or(f.Bench, t.Bench),
		Suite:     f.Suite,
		Benchtime: cmp.Or(f.Benchtime, t.Benchtime, benchtime),
		Rounds:    cmp.Or(f.Rounds, t.Rounds, rounds),
		Timeout:   f.timeout(t),
		Slices:    f.Pairs != record.WayFresh,
		Isolate:   f.Isolate,
		Hidden:    f.Hidden,
	}
}

// ScopesPlan returns the plan for the scopes of a suite's profile. It measures all of
// them: they only make sense together.
func (f Flags) ScopesPlan(t config.Target, rounds int) runner.Plan {
	return runner.Plan{Profile: cmp.Or(f.Suite, runner.DefaultSuite), Rounds: cmp.Or(f.Rounds, rounds), Timeout: f.timeout(t), Isolate: f.Isolate, Hidden: f.Hidden}
}

func (f Flags) timeout(t config.Target) time.Duration {
	return cmp.Or(f.Timeout, t.Timeout, runner.DefaultTimeout)
}

// Selection returns which part of a target is to be measured, in the words of the command
// line; "" is all of it.
func (f Flags) Selection(t config.Target) string {
	parts := slices.Sorted(slices.Values(t.Only))
	if f.Suite != "" {
		parts = append(parts, fmt.Sprintf("--suite %q", f.Suite))
	}
	if f.Bench != "" {
		parts = append(parts, fmt.Sprintf("--bench %q", f.Bench))
	}
	return strings.Join(parts, " ")
}
