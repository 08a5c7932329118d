package workloads

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/perftrack/perftrack/engine/kernels"
)

// Bench runs w as the benchmark b. It reports ns/op, B/op and allocs/op for one operation, along
// with w's other declared or measured values. Each iteration of b is one call of w's op, which
// performs w.Calls operations.
func Bench(b *testing.B, w Workload) {
	b.ReportAllocs()
	wasted := wastedBytes(w)
	var meter Meter
	op := w.Setup(&meter)
	// The first call counts as setup, because it faults in fresh memory and grows the stack, which
	// would be visible with -benchtime 1x.
	op()
	meter = Meter{}

	// op is a function value that the compiler cannot analyze, and it writes to memory that
	// outlives the call, so the compiler cannot remove any work.
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for b.Loop() {
		op()
	}
	runtime.ReadMemStats(&after)

	operations := float64(b.N) * float64(w.Calls)
	seconds := b.Elapsed().Seconds()
	bytes := float64(after.TotalAlloc-before.TotalAlloc) / operations
	if w.Calls != 1 {
		// The testing package would report values per call of op.
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/operations, "ns/op")
		b.ReportMetric(bytes, "B/op")
		b.ReportMetric(float64(after.Mallocs-before.Mallocs)/operations, "allocs/op")
	}
	if w.FLOPs > 0 {
		b.ReportMetric(float64(w.FLOPs)*operations/seconds/1e9, "GFLOPS")
	}
	if w.Tokens > 0 {
		b.ReportMetric(float64(w.Tokens)*operations/seconds, "tok/s")
		b.ReportMetric(bytes/float64(w.Tokens), "B/tok")
	}
	if w.Examples > 0 {
		b.ReportMetric(float64(w.Examples)*operations/seconds, "samples/s")
	}
	if meter.calls > 0 {
		b.ReportMetric(float64(meter.firstToken.Nanoseconds())/float64(meter.calls), "ttft-ns")
	}
	if w.Suite == Memory {
		b.ReportMetric(float64(after.NumGC-before.NumGC)/operations, "gc/op")
	}
	if wasted > 0 {
		b.ReportMetric(100*(1-bytes/wasted), "saved-%")
	}
}

// wastedBytes returns the number of bytes that one operation of w.Wasteful allocates.
func wastedBytes(w Workload) float64 {
	wasteful, ok := ByName(w.Suite, w.Wasteful)
	if !ok {
		return 0
	}
	op := wasteful.Setup(&Meter{})
	op()
	const calls = 8
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		op()
	}
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(calls*wasteful.Calls)
}

// units declares the engine's own units and which direction is better for each.
const units = `Unit GFLOPS better=higher
Unit tok/s better=higher
Unit B/tok better=lower
Unit ttft-ns better=lower
Unit samples/s better=higher
Unit gc/op better=lower
Unit saved-% better=higher
`

// configuration returns the lines in Go benchmark format that describe the rows after them: the
// conditions, the meaning of names, and which direction is better for each of the engine's own
// units.
func configuration(suite string) string {
	return conditions(suite) + unitsOf(suite)
}

// conditions returns the configuration lines for both the rows and the profiles of a suite. They
// describe the names of models and kernels identically in every suite, because one run can contain
// several suites.
func conditions(suite string) string {
	var parameters, flops []string
	for _, m := range models {
		parameters = append(parameters, fmt.Sprintf("%s=%d", m.name, m.config.ParameterCount()))
	}
	for _, kernel := range slices.Sorted(maps.Keys(elementFLOPs)) {
		flops = append(flops, fmt.Sprintf("%s=%d", kernel, elementFLOPs[kernel]))
	}
	return fmt.Sprintf("suite: %s\nsimd: %s\nmodel-parameters: %s\nflops-per-element: %s\n",
		suite, kernels.Path(), strings.Join(parameters, " "), strings.Join(flops, " ")) + examples(suite) + peak()
}

// examples returns the line with the number of examples in one call of each training scope.
func examples(suite string) string {
	if suite != Training {
		return ""
	}
	return fmt.Sprintf("examples-per-call: MLP_Training=%d train_epoch=%d\n", mlpSteps*mlpOptions.Batch, epochWindows)
}

// PeakVariable is an environment variable. perftrack sets it to "known" if the peak of this machine
// has already been measured. With any other value, the program measures the peak.
const PeakVariable = "PERFTRACK_PEAK"

// peak returns the line with the peak of one core, or "" if an earlier process of the run has
// already measured it. A process measures the peak at most once.
func peak() string {
	if os.Getenv(PeakVariable) == "known" {
		return ""
	}
	return fmt.Sprintf("peak-gflops: %.1f\n", measuredPeak())
}

var measuredPeak = sync.OnceValue(kernels.Peak)

// unitsOf returns the lines for the units reported by the suite's workloads.
func unitsOf(suite string) string {
	used := map[string]bool{}
	for _, w := range InSuite(suite) {
		used["GFLOPS"] = used["GFLOPS"] || w.FLOPs > 0
		used["tok/s"] = used["tok/s"] || w.Tokens > 0
		used["B/tok"], used["ttft-ns"] = used["tok/s"], used["tok/s"]
		used["samples/s"] = used["samples/s"] || w.Examples > 0
		used["gc/op"] = suite == Memory
		used["saved-%"] = used["saved-%"] || w.Wasteful != ""
	}
	var lines strings.Builder
	for line := range strings.Lines(units) {
		if used[strings.Fields(line)[1]] {
			lines.WriteString(line)
		}
	}
	return lines.String()
}
