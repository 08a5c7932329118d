// Package memory_test contains the Benchmark functions for the memory suite of engine/workloads.
// Each suite has its own package, because the package name is part of the identity of a series.
package memory_test

import (
	"os"
	"testing"

	"github.com/perftrack/perftrack/engine/workloads"
)

func TestMain(m *testing.M) { os.Exit(workloads.RunTests(m, workloads.Memory)) }

func benchmark(b *testing.B) { workloads.BenchNamed(b, workloads.Memory) }

func BenchmarkMatMulBackward_128x256x128(b *testing.B) { benchmark(b) }
func BenchmarkMatMulBackward_Allocating(b *testing.B)  { benchmark(b) }
func BenchmarkMatMulBackward_InPlace(b *testing.B)     { benchmark(b) }
func BenchmarkTensors_Fresh(b *testing.B)              { benchmark(b) }
func BenchmarkTensors_Pooled(b *testing.B)             { benchmark(b) }
func BenchmarkTensorAdd_Allocating(b *testing.B)       { benchmark(b) }
func BenchmarkTensorAdd_InPlace(b *testing.B)          { benchmark(b) }
func BenchmarkTensorMul_Allocating(b *testing.B)       { benchmark(b) }
func BenchmarkTensorMul_InPlace(b *testing.B)          { benchmark(b) }
func BenchmarkLayerNorm_Steps_32x512(b *testing.B)     { benchmark(b) }
func BenchmarkLayerNorm_Fused_32x512(b *testing.B)     { benchmark(b) }
