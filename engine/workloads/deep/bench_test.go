// Package deep_test contains the Benchmark functions for the deep suite of engine/workloads. Each
// suite has its own package, because the package name is part of the identity of a series.
package deep_test

import (
	"os"
	"testing"

	"github.com/perftrack/perftrack/engine/workloads"
)

func TestMain(m *testing.M) { os.Exit(workloads.RunTests(m, workloads.Deep)) }

func benchmark(b *testing.B) { workloads.BenchNamed(b, workloads.Deep) }

func BenchmarkMatMul_128x128(b *testing.B)            { benchmark(b) }
func BenchmarkMatMul_256x256(b *testing.B)            { benchmark(b) }
func BenchmarkMatMul_512x512(b *testing.B)            { benchmark(b) }
func BenchmarkMatMul_Iteration(b *testing.B)          { benchmark(b) }
func BenchmarkTransformer_ModelCreation(b *testing.B) { benchmark(b) }
func BenchmarkInference(b *testing.B)                 { benchmark(b) }
func BenchmarkGenerateToken(b *testing.B)             { benchmark(b) }
func BenchmarkTransformer_Forward(b *testing.B)       { benchmark(b) }
