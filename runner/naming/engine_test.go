package naming

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

func TestFLOPs(t *testing.T) {
	for _, tt := range []struct {
		name string
		want float64 // 0 if the number is unknown
	}{
		{"MatMul_512x512", 268_435_456}, {"Run/MatMul_2x2", 16}, {"MatMul_2x2_2T", 16}, {"GELU_1000_2T", 9000}, {"MatMul_2x2_T", 0}, {"MatMul_2x3", 0}, {"MatMul_2", 0}, {"MatMul_Iteration", 0}, {"MatMul_0x0", 0},
		{"GELU_1000", 9000}, {"Softmax_256", 1280}, {"TensorAdd_10000", 10_000}, {"BroadcastAdd_100x100", 10_000},
		{"Other_100", 0}, {"GELU_-1", 0}, {"GELU_", 0}, {"GELU", 0}, {"GELU_10x", 0}, {"GELU_99999999999", 0}, {"", 0},
	} {
		got, ok := EngineOf().FLOPs(tt.name)
		if !ok {
			got = 0
		}
		if got != tt.want {
			t.Errorf("FLOPs(%s) = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestThreads(t *testing.T) {
	for name, want := range map[string]int{
		"MatMul_512x512": 1, "MatMul_512x512_2T": 2, "Run/GELU_1000_16T": 16, "Sort_0T": 1, "Sort_2T/Part": 1, "2T": 1, "Sort_2t": 1, "": 1,
	} {
		if got := Threads(name); got != want {
			t.Errorf("Threads(%s) = %d, want %d", name, got, want)
		}
	}
}

// A run's own description of its names is used, and a malformed list is ignored.
func TestEngineOf(t *testing.T) {
	run := func(parameters, flops string) *record.Run {
		return &record.Run{Facts: record.Settings{}.Set(record.KeyParameters, parameters).Set(record.KeyFLOPs, flops)}
	}
	e := EngineOf(run("Tiny=7", ""), run("", "ReLU=2"), run("Tiny=9 Huge=many", "ReLU"), run("<b>=1", "a|b=1"))
	if got := fmt.Sprint(e.Models); got != "[{Tiny 7}]" {
		t.Errorf("models %s", got)
	}
	if flops, ok := e.FLOPs("ReLU_100"); flops != 200 || !ok || !e.IsKernel("ReLU_100") || e.IsKernel("GELU_100") {
		t.Errorf("ReLU_100 has %g FLOPs, %v", flops, ok)
	}
	if old := EngineOf(run("", "")); len(old.Models) != 2 || !old.IsKernel("GELU_100") {
		t.Errorf("a run that says nothing: %+v", old)
	}
}
