package turnstile

import (
	"fmt"
	"iter"
	"time"

	"golang.org/x/perf/benchfmt"
)

// A Slice is one count of one side's benchmark: N iterations.
type Slice struct {
	Result *benchfmt.Result // as the benchmark printed it: all units

	// Wall is the benchmark's own time in ns/op, 0 if it reports none.
	Wall float64

	// CPU is the CPU time of the side's process from the moment it was let go to the
	// moment it stood still. It contains what is not timed: two collections, the setup
	// twice, a call with N = 1, printing.
	CPU time.Duration

	// Waited is how long threads of the process, together, could have run and waited for a
	// CPU, as the kernel has it in schedstat; 0 where it keeps none. What is not timed counts,
	// too: the start of the slice, and its collections. So it bounds how much longer the slice took
	// because others ran, while a benchmark that itself waits, for a lock or a timer, adds
	// little to it.
	Waited time.Duration

	// Stray is the CPU time that the process used between its last slice and this one: none,
	// or the microseconds that the kernel took to put a thread aside. With Spec.Unstopped it
	// is what went on in the background, and some microseconds until it blocked.
	Stray time.Duration
}

// Order gives the sides, 0 and 1, of n slices in the order A B B A A B B A ..., where A is
// the first: so a drift of the machine meets both sides alike.
func Order(first, n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			side := first
			if i%4 == 1 || i%4 == 2 {
				side = 1 - first
			}
			if !yield(side) {
				return
			}
		}
	}
}

// A SliceError says why a benchmark cannot be sliced. Nothing is wrong with the machine: the
// caller can measure it with fresh processes instead, which also tells whether it fails there,
// too, or only because the other side lives at the same time.
type SliceError struct {
	Side   int // the one that was noticed
	Why    string
	Failed bool // the benchmark or its process failed; else it does what slices cannot bear
}

func (e *SliceError) Error() string { return "cannot be sliced: " + e.Why }

// A CountError is a result of other iterations than a slice has: the benchmark set b.N, or printed the
// result itself. What it says of its time is worth nothing, however it is measured.
type CountError struct{ Side, Printed, Asked int }

func (e *CountError) Error() string {
	return fmt.Sprintf("printed %d iterations and was asked for %d: a benchmark must not set b.N or print results", e.Printed, e.Asked)
}
