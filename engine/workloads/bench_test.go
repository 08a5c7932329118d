package workloads

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMain adds to the output of go test -bench the configuration lines that
// the testing package does not know. Without -bench it prints nothing.
func TestMain(m *testing.M) {
	flag.Parse()
	if flag.Lookup("test.bench").Value.String() != "" {
		if err := writeConfiguration(os.Stdout, Enhanced); err != nil {
			fmt.Fprintf(os.Stderr, "write configuration: %v\n", err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// benchmark runs the workload that the calling Benchmark function is named for.
func benchmark(b *testing.B) {
	name := strings.TrimPrefix(b.Name(), "Benchmark")
	w, ok := ByName(name)
	if !ok {
		b.Fatalf("no workload %s", name)
	}
	Bench(b, w)
}

// One function a workload, written out so that a reader, a profiler and
// go test -list find them; TestBenchmarkFunctions keeps them complete.

func BenchmarkMatMul_64x64(b *testing.B)     { benchmark(b) }
func BenchmarkMatMul_128x128(b *testing.B)   { benchmark(b) }
func BenchmarkMatMul_256x256(b *testing.B)   { benchmark(b) }
func BenchmarkMatMul_512x512(b *testing.B)   { benchmark(b) }
func BenchmarkMatMul_Iteration(b *testing.B) { benchmark(b) }

func BenchmarkGELU_1000(b *testing.B)      { benchmark(b) }
func BenchmarkGELU_10000(b *testing.B)     { benchmark(b) }
func BenchmarkGELU_100000(b *testing.B)    { benchmark(b) }
func BenchmarkGELU_1000000(b *testing.B)   { benchmark(b) }
func BenchmarkGELU_Iteration(b *testing.B) { benchmark(b) }

func BenchmarkSoftmax_256(b *testing.B)       { benchmark(b) }
func BenchmarkSoftmax_512(b *testing.B)       { benchmark(b) }
func BenchmarkSoftmax_1024(b *testing.B)      { benchmark(b) }
func BenchmarkSoftmax_2048(b *testing.B)      { benchmark(b) }
func BenchmarkSoftmax_Iteration(b *testing.B) { benchmark(b) }

func BenchmarkTensorAdd_10000(b *testing.B)     { benchmark(b) }
func BenchmarkTensorAdd_Iteration(b *testing.B) { benchmark(b) }

func BenchmarkTensorMul_10000(b *testing.B)     { benchmark(b) }
func BenchmarkTensorMul_Iteration(b *testing.B) { benchmark(b) }

func BenchmarkBroadcastAdd_100x100(b *testing.B)   { benchmark(b) }
func BenchmarkBroadcastAdd_Iteration(b *testing.B) { benchmark(b) }
