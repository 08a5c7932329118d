package workloads

import (
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels"
)

// Bench runs w as the benchmark b and reports ns/op, GFLOPS, B/op and
// allocs/op of one operation. b's iterations are calls of w's op, each of
// w.Calls operations.
func Bench(b *testing.B, w Workload) {
	b.ReportAllocs()
	op := w.Setup()
	// The first call belongs to the setup: it faults in fresh memory and grows
	// the stack, which would show at -benchtime 1x.
	op()

	// op is a function value that the compiler cannot see through, and it stores
	// into memory that outlives the call: there is nothing it could remove.
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		op()
	}
	runtime.ReadMemStats(&after)

	operations := float64(b.N) * float64(w.Calls)
	if w.Calls != 1 {
		// The testing package would count in calls of op.
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/operations, "ns/op")
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/operations, "B/op")
		b.ReportMetric(float64(after.Mallocs-before.Mallocs)/operations, "allocs/op")
	}
	b.ReportMetric(float64(w.FLOPs)*operations/b.Elapsed().Seconds()/1e9, "GFLOPS")
}

// writeConfiguration writes the lines that say under what the following rows
// were measured and which way each unit of ours points, in Go benchmark format.
func writeConfiguration(w io.Writer, suite string) error {
	_, err := fmt.Fprintf(w, "suite: %s\nsimd: %s\nUnit GFLOPS better=higher\n", suite, kernels.Path())
	return err
}
