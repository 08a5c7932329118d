package inference

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// near checks that a figure equals the one calculated by hand, apart from rounding errors.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.IsNaN(got) != math.IsNaN(want) || math.Abs(got-want) > 1e-9*math.Abs(want) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func only(t *testing.T, run *record.Run) Figures {
	t.Helper()
	all := Of(run)
	if len(all) != 1 {
		t.Fatalf("%d figures", len(all))
	}
	return all[0]
}

func words(parts []Part) string {
	var out []string
	for _, p := range parts {
		out = append(out, fmt.Sprintf("%s %.0f ns %.1f %%", p.Name, p.Seconds*1e9, 100*p.Share))
	}
	return strings.Join(out, ", ")
}

const profiled = `profile: scopes
suite: enhanced
model-parameters: Small=100 Large=600
flops-per-element: GELU=9
peak-gflops: 4
BenchmarkMatMul_64x64 1 600000 ns/op 0 self-ns/op
BenchmarkMatMul_64x64/MatMul_Iteration 3 200000 ns/op 200000 self-ns/op
BenchmarkMatMul_64x64_2T 1 500000 ns/op 500000 self-ns/op
BenchmarkGELU_1000 1 10000 ns/op 10000 self-ns/op
BenchmarkModel_Small_Inference 1 2000 ns/op 0 self-ns/op 800 B/op 16 allocs/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken 4 500 ns/op 100 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward 4 400 ns/op 40 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_0 4 160 ns/op 10 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_0/GELU 4 150 ns/op 150 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_1 4 200 ns/op 20 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_1/GELU 4 180 ns/op 180 self-ns/op
BenchmarkModel_Large_Inference 1 8000 ns/op 0 self-ns/op 4000 B/op 40 allocs/op
BenchmarkModel_Large_Inference/Model_Large_GenerateToken 4 2000 ns/op 2000 self-ns/op
`

// The figures of a profile with call paths are checked against figures calculated by hand.
func TestProfile(t *testing.T) {
	f := only(t, runtest.Parse(t, profiled)[0])
	small, large := f.Models[0], f.Models[1]
	near(t, "tok/s", small.Tokens, 4/2000e-9)
	near(t, "latency", small.Latency, 500e-9)
	near(t, "B a token", small.Bytes, 200)
	near(t, "allocs a token", small.Allocs, 4)
	near(t, "allocs a token of the large one", large.Allocs, 10)
	near(t, "tokens", small.Generated, 4)
	near(t, "first token", small.FirstToken, math.NaN())
	near(t, "a pass", small.Forward.Seconds, 400e-9)
	near(t, "a pass of the large one", large.Forward.Seconds, math.NaN())
	if got, want := words(small.Forward.Layers), "Layer_0 160 ns 40.0 %, Layer_1 200 ns 50.0 %, (itself) 40 ns 10.0 %"; got != want {
		t.Errorf("layers %s, want %s", got, want)
	}
	if got, want := words(small.Forward.Operations), "GELU 330 ns 82.5 %, (itself) 40 ns 10.0 %, Layer_1 20 ns 5.0 %, Layer_0 10 ns 2.5 %"; got != want {
		t.Errorf("operations %s, want %s", got, want)
	}
	s := f.Scaling[0]
	near(t, "parameters", s.Parameters, 6)
	near(t, "time", s.Time, 4)
	near(t, "bytes", s.Bytes, 5)
	near(t, "efficiency", s.Efficiency, 1.5)
	rates := map[string]Kernel{}
	for _, k := range f.Kernels {
		rates[k.Name] = k
	}
	mm := rates["MatMul_64x64"]
	near(t, "GFLOPS of three iterations", mm.GFLOPS, 3*2*64*64*64/600000.0)
	near(t, "of the peak", mm.OfPeak, 3*2*64*64*64/600000.0/4)
	near(t, "elements of MatMul", mm.Elements, math.NaN())
	near(t, "a call", mm.Time, 600e-6)
	near(t, "of the peak of two cores", rates["MatMul_64x64_2T"].OfPeak, 2*64*64*64/500000.0/8)
	f.Reach(8, "somebody else")
	if f.Peak != 4 || f.PeakSource != "the program" {
		t.Errorf("a peak of %v, by %s: what was measured goes first", f.Peak, f.PeakSource)
	}
	near(t, "GFLOPS", rates["GELU_1000"].GFLOPS, 9*1000/10000.0)
	near(t, "elements", rates["GELU_1000"].Elements, 1000/10e-6)
}

// A suite whose scopes do not name a model is treated as one model. The figures of benchmarks are
// the reported ones.
func TestOtherSubjects(t *testing.T) {
	f := only(t, runtest.Parse(t, `profile: scopes
suite: standard
BenchmarkInferenceComplete 2 1000 ns/op 0 self-ns/op 100 B/op 2 allocs/op
BenchmarkInferenceComplete/GenerateToken 10 200 ns/op 50 self-ns/op 20 B/op 0.4 allocs/op
BenchmarkInferenceComplete/GenerateToken/ForwardPass 10 150 ns/op 150 self-ns/op 20 B/op 0.4 allocs/op
`)[0])
	m := f.Models[0]
	if m.Name != "standard" || m.Parameters != 0 || len(m.Forward.Layers) != 0 || len(f.Scaling) != 0 {
		t.Errorf("the model of a suite is %+v", m)
	}
	near(t, "tok/s", m.Tokens, 10/2000e-9)
	near(t, "B a token", m.Bytes, 20)
	near(t, "a pass", m.Forward.Seconds, 150e-9)

	f = only(t, runtest.Parse(t, `suite: enhanced
Unit GFLOPS better=higher
BenchmarkMatMul_64x64-2 10 1000 ns/op 524.288 GFLOPS
BenchmarkMatMul_64x64-2 10 3000 ns/op 174.763 GFLOPS
BenchmarkModel_Small_Inference-2 10 4000 ns/op 2.5e6 tok/s 10 B/tok 90 ttft-ns 100 B/op 20 allocs/op
`)[0])
	m = f.Models[0]
	near(t, "tok/s", m.Tokens, 2.5e6)
	near(t, "tokens", m.Generated, 10)
	near(t, "B a token", m.Bytes, 10)
	near(t, "allocs a token", m.Allocs, 2)
	near(t, "first token", m.FirstToken, 90e-9)
	near(t, "GFLOPS", f.Kernels[0].GFLOPS, (524.288+174.763)/2)
	near(t, "of an unknown peak", f.Kernels[0].OfPeak, math.NaN())
	f.Reach(math.NaN(), "nobody")
	near(t, "of an unknown peak", f.Kernels[0].OfPeak, math.NaN())
	f.Reach(1000, "reference.toml")
	near(t, "of a peak by somebody", f.Kernels[0].OfPeak, (524.288+174.763)/2/1000)

	if got := Of(runtest.Parse(t, "BenchmarkSort-2 10 1000 ns/op\n")[0]); len(got) != 0 {
		t.Errorf("somebody else's benchmarks have figures: %+v", got)
	}
	if got := Of(runtest.Parse(t, "profile: scopes\nsuite: mine\nBenchmarkServe 10 1000 ns/op 1000 self-ns/op\n")[0]); len(got) != 0 {
		t.Errorf("somebody else's scopes have figures: %+v", got)
	}
}

func TestIsPart(t *testing.T) {
	for name, want := range map[string]bool{"MatMul_64x64": true, "A/GenerateToken": true, "Model_Small_Inference": true, "Model_<b>_Inference": false, "Sort": false, "": false} {
		if got := IsPart(record.BenchmarkID{Kind: record.Scope, Name: name}, naming.EngineOf()); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	if IsPart(record.BenchmarkID{Kind: record.Bench, Name: "MatMul_64x64"}, naming.EngineOf()) {
		t.Error("a benchmark of nobody's suite is the engine's")
	}
}
