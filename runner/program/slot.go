package program

import (
	"strconv"

	"github.com/perftrack/perftrack/runner/record"
)

// A Slot is one benchmark function, one of its sub-benchmarks, or a whole program. It is scheduled
// as a unit: its sides run one after the other, each in its own process, or take turns. A slot is
// open as long as it still gets samples.
type Slot struct {
	Package string
	Bench   string // name without the Benchmark prefix, such as Parse or Parse/large; "" is the whole program
	Procs   int    // the GOMAXPROCS suffix of its name if the target has a list of values; otherwise 0
}

// Program reports whether the slot is a whole program.
func (s Slot) Program() bool { return s.Bench == "" }

// String returns the slot's name for use in messages.
func (s Slot) String() string {
	switch {
	case s.Bench == "":
		return s.Package
	case s.Package == "":
		return s.Name()
	}
	return s.Package + "." + s.Name()
}

// Name returns the benchmark's name as it appears in results.
func (s Slot) Name() string { return record.WithProcs(s.Bench, s.Procs) }

// Named returns the slot used as the key for the stored method of s. The GOMAXPROCS suffix is part
// of its name.
func (s Slot) Named() Slot { return Slot{Package: s.Package, Bench: s.Name()} }

// Of returns the slot for another benchmark in the same package, at the same GOMAXPROCS.
func (s Slot) Of(bench string) Slot { return Slot{s.Package, bench, s.Procs} }

// ProcsFlags returns the flags that make package testing run the slot at its GOMAXPROCS, even if the
// program sets another value when it starts.
func (s Slot) ProcsFlags() []string {
	if s.Procs == 0 {
		return nil
	}
	return []string{"-test.cpu=" + strconv.Itoa(s.Procs)}
}
