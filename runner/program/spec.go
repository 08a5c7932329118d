package program

import (
	"fmt"
	"strconv"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/record"
)

// A Spec describes which benchmarks of a target to build, and how to run them.
type Spec struct {
	Target    config.Target
	Bench     string      // regular expression as for go test -bench; "" selects all
	Suite     string      // only the benchmarks in this suite; "" selects all
	Profile   string      // the scopes in this suite's profile; "" selects the benchmarks
	Benchtime string      // as for go test -benchtime, such as 100ms or 50x
	CPUs      config.CPUs // CPUs for benchmark processes, but not for builds; see machine.CheckCPUs
	Engine    []string    // command line of the built-in benchmark program
	OneSided  bool        // allow one of the two sides to have no benchmarks
	Isolate   bool        // run benchmarks in a box; see proc.Box
	Hidden    []string    // files and folders hidden by the box
}

// A Side is one state of the source to measure. A plan has either a single side or the two sides of
// a trial, base first.
type Side struct {
	Name string // base or head, or "" for a single side; used in messages
	Dir  string // directory of the module or the program in this state
	// Keep is a directory for keeping the test binaries of this state and environment for later
	// measurements. If it is "", they are not kept.
	Keep string
	// Throwaway permits perftrack to replace files in Dir.
	Throwaway bool
}

// ProcsList returns the GOMAXPROCS values at which to measure each benchmark, or nil to use the
// environment's value. A profile has a single program for all of its scopes, so it has no list.
func (p *Spec) ProcsList() config.Procs {
	if p.Profile != "" || p.Target.Kind != config.GoTest {
		return nil
	}
	return p.Target.Procs
}

// Threads returns the GOMAXPROCS value of the slot's processes.
func (p *Spec) Threads(s Slot) int {
	if s.Procs > 0 {
		return s.Procs
	}
	return machine.Procs(p.CPUs)
}

// Machine returns the machine settings identifying the environment.
func (p *Spec) Machine() record.Settings {
	env := machine.Environment(p.CPUs)
	if len(p.ProcsList()) > 0 {
		env = env.Set(record.KeyGOMAXPROCS, record.ProcsInNames)
	}
	return env
}

// FilterText describes the filters for use in messages.
func (p *Spec) FilterText() string {
	var s string
	if p.Bench != "" {
		s += fmt.Sprintf(" matching %q", p.Bench)
	}
	if p.Suite != "" {
		s += fmt.Sprintf(" in suite %q", p.Suite)
	}
	return s
}

// ProfileVariable is the environment variable that makes a benchmark program print the scopes of
// its profile, after the line "profile: scopes", instead of its benchmarks. Its value is the suite
// to profile, or DefaultSuite.
const (
	ProfileVariable = "PERFTRACK_PROFILE"
	DefaultSuite    = "default"
)

// ChildEnvironment returns the environment for benchmark processes. It is the user's environment
// without secrets, with GOMAXPROCS set to the same value on both sides of a trial even if their
// go.mod files imply different defaults.
func (p *Spec) ChildEnvironment() []string {
	env := append(childenv.Measured(p.Target.Env), "GOMAXPROCS="+strconv.Itoa(machine.Procs(p.CPUs)))
	if p.Profile != "" {
		env = append(env, ProfileVariable+"="+p.Profile)
	}
	return env
}
