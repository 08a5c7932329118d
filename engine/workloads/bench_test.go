package workloads

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) { os.Exit(RunTests(m, Enhanced)) }

func benchmark(b *testing.B) { BenchNamed(b, Enhanced) }

// There is one function per workload. They are written out so that readers, profilers and go test
// -list find them. TestBenchmarkFunctions checks that none is missing.

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

func BenchmarkModel_Small_Creation(b *testing.B)      { benchmark(b) }
func BenchmarkModel_Small_Inference(b *testing.B)     { benchmark(b) }
func BenchmarkModel_Small_GenerateToken(b *testing.B) { benchmark(b) }
func BenchmarkModel_Small_Forward(b *testing.B)       { benchmark(b) }

func BenchmarkModel_Medium_Creation(b *testing.B)      { benchmark(b) }
func BenchmarkModel_Medium_Inference(b *testing.B)     { benchmark(b) }
func BenchmarkModel_Medium_GenerateToken(b *testing.B) { benchmark(b) }
func BenchmarkModel_Medium_Forward(b *testing.B)       { benchmark(b) }

func BenchmarkMatMul_512x512_2T(b *testing.B)       { benchmark(b) }
func BenchmarkModel_Medium_Forward_2T(b *testing.B) { benchmark(b) }
