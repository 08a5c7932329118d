package turnstile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/proc"
)

// A Spec describes one benchmark that two test binaries run in turns.
type Spec struct {
	Sides [2]Program

	// Name is the benchmark's name without the Benchmark prefix, such as "Parse/large". The
	// benchmark must not have sub-benchmarks.
	Name string

	N      int      // iterations per slice
	Slices int      // number of slices for each side
	Flags  []string // additional flags for both binaries, such as "-test.cpu=2"
	CPUs   []int    // CPUs for both sides; nil means all; see proc.Command

	// OnCPU keeps all slices of both sides on one of their CPUs, counted from 1; numbers wrap
	// around. If it is 0, both slices of a pair begin on the same CPU, the next pair begins on the
	// next one, and the processes may use all CPUs.
	OnCPU int

	// First is the side that starts first and ends first, 0 or 1. The memory of a process depends
	// on the processes that ran before it, so the order affects the sides differently, and a fair
	// coin must decide it.
	First int

	// Unstopped leaves parked sides running. Stopping and continuing a process wakes each of its
	// threads, which takes a millisecond or two on a busy machine, and most benchmarks do no work
	// while parked. Slice.Stray shows whether a benchmark does.
	Unstopped bool

	// Timeout is the time limit for the start of a side, for each slice, and for the end; 0 means
	// no limit. If it is exceeded, the result is a SliceError.
	Timeout time.Duration
}

// A Program is a test binary with its working directory and environment.
type Program struct {
	Binary string
	Dir    string // working directory; "" means the caller's
	Box    *proc.Box
	Env    []string // "key=value"; nil means childenv.Measured(nil)
}

// own matches flags that the turnstile sets itself and flags that change what package testing
// prints.
var own = regexp.MustCompile(`^--?(?:test\.)?(bench|benchmem|benchtime|count|run|skip|list|v|fuzz|shuffle|paniconexit0|testlogfile|timeout)(?:=|$)`)

// several matches a list of several CPU counts, each with its own result.
var several = regexp.MustCompile(`^--?(?:test\.)?cpu=.*,`)

// check returns an error if the spec cannot be run.
func (s Spec) check() error {
	if s.N < 1 || s.Slices < 1 || s.Name == "" {
		return fmt.Errorf("slice benchmark %q: invalid plan of %d slices with %d iterations", s.Name, s.Slices, s.N)
	}
	for i, f := range s.Flags {
		switch {
		case own.MatchString(f):
			return fmt.Errorf("slice benchmark %s: perftrack itself sets the flag %s", s.Name, f)
		case several.MatchString(f), strings.HasSuffix(f, "cpu") && i+1 < len(s.Flags) && strings.Contains(s.Flags[i+1], ","):
			return &SliceError{Why: "several GOMAXPROCS values in one process: " + strings.Join(s.Flags[i:], " ")}
		}
	}
	return nil
}

// Argv returns the command line that runs a side's program. It requests one count more than there
// are slices, because the first count is dropped.
func (s Spec) Argv(p Program) []string {
	argv := []string{
		p.Binary, "-test.run=^$", "-test.bench=" + gobench.Expression(s.Name), "-test.benchmem", "-test.timeout=0",
		"-test.count=" + strconv.Itoa(s.Slices+1), "-test.benchtime=" + strconv.Itoa(s.N) + "x",
	}
	return append(argv, s.Flags...)
}
