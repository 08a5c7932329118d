package naming

import "testing"

func TestFLOPs(t *testing.T) {
	for _, tt := range []struct {
		name string
		want float64 // 0: the name does not tell
	}{
		{"MatMul_512x512", 268_435_456}, {"Run/MatMul_2x2", 16}, {"MatMul_2x3", 0}, {"MatMul_2", 0}, {"MatMul_Iteration", 0}, {"MatMul_0x0", 0},
		{"GELU_1000", 9000}, {"Softmax_256", 1280}, {"TensorAdd_10000", 10_000}, {"BroadcastAdd_100x100", 10_000},
		{"Other_100", 0}, {"GELU_-1", 0}, {"GELU_", 0}, {"GELU", 0}, {"GELU_10x", 0}, {"GELU_99999999999", 0}, {"", 0},
	} {
		got, ok := FLOPs(tt.name)
		if !ok {
			got = 0
		}
		if got != tt.want {
			t.Errorf("FLOPs(%s) = %v, want %v", tt.name, got, tt.want)
		}
	}
}
