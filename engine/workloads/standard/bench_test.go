// Package standard_test contains the Benchmark functions for the standard suite of
// engine/workloads. Each suite has its own package, because the package name is part of the
// identity of a series.
package standard_test

import (
	"os"
	"testing"

	"github.com/perftrack/perftrack/engine/workloads"
)

func TestMain(m *testing.M) { os.Exit(workloads.RunTests(m, workloads.Standard)) }

func benchmark(b *testing.B) { workloads.BenchNamed(b, workloads.Standard) }

func BenchmarkModelCreation(b *testing.B)     { benchmark(b) }
func BenchmarkBuilderSetup(b *testing.B)      { benchmark(b) }
func BenchmarkInferenceComplete(b *testing.B) { benchmark(b) }
func BenchmarkPrepareInput(b *testing.B)      { benchmark(b) }
func BenchmarkGenerateToken(b *testing.B)     { benchmark(b) }
func BenchmarkForwardPass(b *testing.B)       { benchmark(b) }
func BenchmarkSampleToken(b *testing.B)       { benchmark(b) }
func BenchmarkApplyTemperature(b *testing.B)  { benchmark(b) }
func BenchmarkSoftmax(b *testing.B)           { benchmark(b) }
func BenchmarkMultinomialSample(b *testing.B) { benchmark(b) }
