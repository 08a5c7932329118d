package turnstile

import (
	"fmt"
	"iter"
	"time"

	"golang.org/x/perf/benchfmt"
)

// A Slice is one count of the benchmark on one side: N iterations.
type Slice struct {
	Result *benchfmt.Result // as the benchmark printed it, in all units

	// Wall is the time measured by the benchmark itself, in ns/op, or 0.
	Wall float64

	// CPU is the CPU time used by the side's process while it ran the slice. It includes untimed
	// work: two collections, running the setup twice, a call with N = 1, and printing.
	CPU time.Duration

	// Waited is how long runnable threads of the process waited for a CPU, added up over all
	// threads, as the kernel counts it in schedstat. It is 0 if the kernel does not count it. It
	// includes untimed work: the start of the slice and its collections. It is therefore an upper
	// bound on the delay that other programs caused. A benchmark's own waits for a lock or a timer
	// add little to it.
	Waited time.Duration

	// Stray is the CPU time used by the process between its previous slice and this one. It is
	// zero, or the few microseconds the kernel took to suspend a thread. With Spec.Unstopped, it is
	// the work of the process in the background, plus a few microseconds until it blocked.
	Stray time.Duration
}

// Order yields the sides, 0 and 1, for n slices in the order A B B A A B B A ..., beginning with
// first. A drift in the machine's speed then affects both sides alike.
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

// A SliceError is the reason why a benchmark cannot be sliced. The machine is not at fault, so the
// caller can measure the benchmark in fresh processes instead. If the benchmark failed, that also
// shows whether it fails there, too, or only while the other side is alive.
type SliceError struct {
	Side   int // the side that showed it
	Why    string
	Detail string // adds the numbers for this benchmark to Why, or is ""
	Failed bool   // the benchmark or its process failed; otherwise it does something incompatible with slices
}

func (e *SliceError) Error() string {
	if e.Detail != "" {
		return fmt.Sprintf("cannot be sliced: %s (%s)", e.Why, e.Detail)
	}
	return "cannot be sliced: " + e.Why
}

// A CountError means that a result has a different number of iterations than the slice, because the
// benchmark set b.N or printed the result itself. The benchmark cannot be measured in fresh
// processes either.
type CountError struct{ Side, Printed, Asked int }

func (e *CountError) Error() string {
	return fmt.Sprintf("printed %d iterations instead of %d: a benchmark must not set b.N or print results", e.Printed, e.Asked)
}
