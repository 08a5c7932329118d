// Package training_test contains the Benchmark functions for the training suite of
// engine/workloads. Each suite has its own package, because the package name is part of the
// identity of a series.
package training_test

import (
	"os"
	"testing"

	"github.com/perftrack/perftrack/engine/workloads"
)

func TestMain(m *testing.M) { os.Exit(workloads.RunTests(m, workloads.Training)) }

func benchmark(b *testing.B) { workloads.BenchNamed(b, workloads.Training) }

func BenchmarkMLP_Training(b *testing.B)     { benchmark(b) }
func BenchmarkTrain_Epoch(b *testing.B)      { benchmark(b) }
func BenchmarkTrain_Step(b *testing.B)       { benchmark(b) }
func BenchmarkForward_Pass(b *testing.B)     { benchmark(b) }
func BenchmarkLoss_Computation(b *testing.B) { benchmark(b) }
func BenchmarkBackward(b *testing.B)         { benchmark(b) }
func BenchmarkOptimizer(b *testing.B)        { benchmark(b) }
