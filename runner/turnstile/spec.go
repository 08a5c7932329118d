package turnstile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/proc"
)

// A Spec is one benchmark to be run by two test binaries in turns.
type Spec struct {
	Sides [2]Side

	// Name is the benchmark's without the prefix, as in "Parse/large": exactly one that
	// has no benchmarks of its own.
	Name string

	N      int      // iterations of a slice
	Slices int      // how many slices of each side can be run
	Flags  []string // more flags for both binaries, such as "-test.cpu=2"
	CPUs   []int    // those that both sides may use, nil for all; see proc.Command

	// OnCPU keeps all slices of both sides on one of these CPUs, counted from 1 and round again. With 0 both slices of
	// a pair begin on the same CPU, the next pair on the next one, and may use all.
	OnCPU int

	// First is the side that starts first, 0 or 1, and ends first. The memory that a process gets depends on
	// what others hold already, so the second one is not like the first: a fair coin has to decide.
	First int

	// Unstopped leaves parked sides as they are. To stop a process and to let it go again wakes
	// each of its threads, which takes a millisecond or two on a busy machine; most
	// benchmarks have nothing that would run meanwhile. Slice.Stray tells.
	Unstopped bool

	// Timeout is how long a side may take for its start, for a slice, and for its end; 0 is
	// for ever. Beyond it is a SliceError.
	Timeout time.Duration
}

// A Side is a test binary and how it is run.
type Side struct {
	Binary string
	Dir    string // working directory; empty is the caller's
	Box    *proc.Box
	Env    []string // "key=value"; nil is what childenv.Measured leaves of the caller's
}

// own are the flags that the turnstile sets, or that would change what package testing
// prints and when.
var own = regexp.MustCompile(`^--?(?:test\.)?(bench|benchmem|benchtime|count|run|skip|list|v|fuzz|shuffle|paniconexit0|testlogfile|timeout)(?:=|$)`)

// several is a list of CPUs: each has a result of its own.
var several = regexp.MustCompile(`^--?(?:test\.)?cpu=.*,`)

// check refuses what is never to be run.
func (s Spec) check() error {
	if s.N < 1 || s.Slices < 1 || s.Name == "" {
		return fmt.Errorf("slice benchmark %q: %d slices of %d iterations", s.Name, s.Slices, s.N)
	}
	for i, f := range s.Flags {
		switch {
		case own.MatchString(f):
			return fmt.Errorf("slice benchmark %s: the flag %s is the turnstile's own", s.Name, f)
		case several.MatchString(f), strings.HasSuffix(f, "cpu") && i+1 < len(s.Flags) && strings.Contains(s.Flags[i+1], ","):
			return &SliceError{Why: "it is to run with several numbers of CPUs in one process: " + strings.Join(s.Flags[i:], " ")}
		}
	}
	return nil
}

// Argv runs the benchmark on a side, once more than it is measured.
func (s Spec) Argv(side Side) []string {
	argv := []string{
		side.Binary, "-test.run=^$", "-test.bench=" + Expression(s.Name), "-test.benchmem", "-test.timeout=0",
		"-test.count=" + strconv.Itoa(s.Slices+1), "-test.benchtime=" + strconv.Itoa(s.N) + "x",
	}
	return append(argv, s.Flags...)
}

// Expression is the -test.bench expression of one benchmark, level by level, by its name
// without the prefix.
func Expression(name string) string {
	levels := strings.Split("Benchmark"+name, "/")
	for i, level := range levels {
		levels[i] = "^" + regexp.QuoteMeta(level) + "$"
	}
	return strings.Join(levels, "/")
}
