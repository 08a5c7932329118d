package workloads

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Stored history depends on these names: changing one splits a series.
var want = []struct {
	name         string
	flops, bytes int64
	calls        int
}{
	{"MatMul_64x64", 2 * 64 * 64 * 64, 49_152, 1},
	{"MatMul_128x128", 2 * 128 * 128 * 128, 196_608, 1},
	{"MatMul_256x256", 2 * 256 * 256 * 256, 786_432, 1},
	{"MatMul_512x512", 2 * 512 * 512 * 512, 3_145_728, 1},
	{"MatMul_Iteration", 76_677_120, 1_044_480, 4},
	{"GELU_1000", 9_000, 8_000, 1},
	{"GELU_10000", 90_000, 80_000, 1},
	{"GELU_100000", 900_000, 800_000, 1},
	{"GELU_1000000", 9_000_000, 8_000_000, 1},
	{"GELU_Iteration", 2_499_750, 2_222_000, 4},
	{"Softmax_256", 1_280, 2_048, 1},
	{"Softmax_512", 2_560, 4_096, 1},
	{"Softmax_1024", 5_120, 8_192, 1},
	{"Softmax_2048", 10_240, 16_384, 1},
	{"Softmax_Iteration", 4_800, 7_680, 4},
	{"TensorAdd_10000", 10_000, 120_000, 1},
	{"TensorAdd_Iteration", 10_000, 120_000, 1},
	{"TensorMul_10000", 10_000, 120_000, 1},
	{"TensorMul_Iteration", 10_000, 120_000, 1},
	{"BroadcastAdd_100x100", 10_000, 80_400, 1},
	{"BroadcastAdd_Iteration", 10_000, 80_400, 1},
	{"Model_Small_Creation", 0, 0, 1},
	{"Model_Small_Inference", 0, 0, 1},
	{"Model_Small_GenerateToken", 0, 0, 24},
	{"Model_Small_Forward", 0, 0, 24},
	{"Model_Medium_Creation", 0, 0, 1},
	{"Model_Medium_Inference", 0, 0, 1},
	{"Model_Medium_GenerateToken", 0, 0, 24},
	{"Model_Medium_Forward", 0, 0, 24},
	{"MatMul_512x512_2T", 2 * 512 * 512 * 512, 3_145_728, 1},
	{"Model_Medium_Forward_2T", 0, 0, 24},
}

func TestSuites(t *testing.T) {
	for suite, want := range map[string]string{
		Standard: "ModelCreation BuilderSetup InferenceComplete PrepareInput GenerateToken ForwardPass SampleToken ApplyTemperature Softmax MultinomialSample",
		Deep:     "MatMul_128x128 MatMul_256x256 MatMul_512x512 MatMul_Iteration Transformer_ModelCreation Inference GenerateToken Transformer_Forward",
		Memory: "MatMulBackward_128x256x128 MatMulBackward_Allocating MatMulBackward_InPlace Tensors_Fresh Tensors_Pooled TensorAdd_Allocating TensorAdd_InPlace " +
			"TensorMul_Allocating TensorMul_InPlace LayerNorm_Steps_32x512 LayerNorm_Fused_32x512",
		Training: "MLP_Training Train_Epoch Train_Step Forward_Pass Loss_Computation Backward Optimizer",
	} {
		var names []string
		for _, w := range InSuite(suite) {
			names = append(names, w.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("suite %s is\n%s, want\n%s", suite, got, want)
		}
	}
	if got := strings.Join(Suites(), " "); got != "enhanced standard deep memory training" {
		t.Errorf("Suites() = %s", got)
	}
}

func TestRegistry(t *testing.T) {
	all := InSuite(Enhanced)
	if len(all) != len(want) {
		t.Errorf("%d workloads, want %d", len(all), len(want))
	}
	for i, w := range all[:min(len(all), len(want))] {
		if x := want[i]; strings.HasPrefix(w.Name, "Model_") {
			if w.Name != x.name || w.Calls != x.calls || w.Suite != "enhanced" {
				t.Errorf("workload %d = %s, suite %s, %d calls, want %+v", i, w.Name, w.Suite, w.Calls, x)
			}
		} else if w.Name != x.name || w.FLOPs != x.flops || w.Bytes != x.bytes || w.Calls != x.calls || w.Suite != "enhanced" {
			t.Errorf("workload %d = %s, suite %s, %d FLOPs, %d bytes, %d calls, want %+v", i, w.Name, w.Suite, w.FLOPs, w.Bytes, w.Calls, x)
		}
	}
	if n := len(InSuite("none such")); n != 0 {
		t.Errorf("InSuite of an unknown suite has %d workloads, want 0", n)
	}
}

func TestByName(t *testing.T) {
	if w, ok := ByName(Enhanced, "GELU_10000"); !ok || w.Name != "GELU_10000" {
		t.Errorf("ByName(GELU_10000) = %s, %v", w.Name, ok)
	}
	if w, ok := ByName(Enhanced, "GELU"); ok {
		t.Errorf("ByName(GELU) found %s: names are exact", w.Name)
	}
}

// A profile of the suite covers all of its kernels.
func TestProfiledKernels(t *testing.T) {
	profiled := map[string]bool{"Model": true}
	for _, f := range profiledKernels {
		profiled[f.kernel] = f.calls > 0
	}
	for _, w := range InSuite(Enhanced) {
		if kernel, _, _ := strings.Cut(w.Name, "_"); !profiled[kernel] {
			t.Errorf("%s is in the suite, and %s not among the profiled kernels", w.Name, kernel)
		}
	}
}

func TestAllIsACopy(t *testing.T) {
	All()[0].Name = "changed"
	if got := All()[0].Name; got == "changed" {
		t.Error("a change to the result of All reached the registry")
	}
}

// Each workload has a Benchmark function in the bench_test.go of its suite, in the order of the
// registry, and each function has a workload.
func TestBenchmarkFunctions(t *testing.T) {
	for _, suite := range Suites() {
		dir := suite
		if suite == Enhanced {
			dir = "."
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, "bench_test.go"), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		var functions, names []string
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Benchmark") {
				functions = append(functions, f.Name.Name)
			}
		}
		for _, w := range InSuite(suite) {
			names = append(names, "Benchmark"+w.Name)
		}
		if !slices.Equal(functions, names) {
			t.Errorf("functions in bench_test.go of %s:\n%v\nworkloads:\n%v", suite, functions, names)
		}
	}
}

// An op can be called repeatedly and does not allocate, except in the wasteful and the creation
// workloads.
func TestOpsDoNotAllocate(t *testing.T) {
	wasteful := map[string]bool{"BuilderSetup": true}
	for _, w := range All() {
		wasteful[w.Wasteful] = true
	}
	for _, w := range All() {
		if w.FLOPs > 20_000_000 && strings.HasPrefix(w.Name, "MatMul") || raceDetector && w.Tokens+w.Examples > 0 {
			continue // they run the same code as smaller ones
		}
		allocates := wasteful[w.Name] || strings.HasSuffix(w.Name, "Creation")
		if got := testing.AllocsPerRun(5, w.Setup(&Meter{})); got != 0 != allocates {
			t.Errorf("%s: %v allocations a call, want none: %v", w.Name, got, !allocates)
		}
	}
}

func TestUniform(t *testing.T) {
	got := uniform(1, 100_000, 4)
	if again := uniform(1, 100_000, 4); !slices.Equal(got, again) {
		t.Error("the same seed gave other inputs")
	}
	if other := uniform(2, 100_000, 4); slices.Equal(got, other) {
		t.Error("another seed gave the same inputs")
	}
	// Inputs are part of a series, so they must not change between revisions.
	if first := []float32{-2.7615771, 2.5009212, -2.9500012}; !slices.Equal(got[:3], first) {
		t.Errorf("uniform(1, n, 4) begins %v, want %v", got[:3], first)
	}
	sum := 0.0
	for i, v := range got {
		if v < -4 || v >= 4 || v != 0 && math.Abs(float64(v)) < 4*0x1p-23 {
			t.Fatalf("element %d = %g: out of [-4, 4) or smaller than its step", i, v)
		}
		sum += float64(v)
	}
	if mean := sum / float64(len(got)); math.Abs(mean) > 0.05 {
		t.Errorf("mean %g, want about 0", mean)
	}
}
