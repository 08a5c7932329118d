package documents

import (
	"encoding/json"
	"testing"

	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// The document contains all figures of a run and no others.
func TestModels(t *testing.T) {
	run := runtest.Parse(t, `profile: scopes
suite: enhanced
model-parameters: Small=100 Large=600
peak-gflops: 4
BenchmarkMatMul_64x64 1 524288 ns/op 524288 self-ns/op
BenchmarkTensorAdd_1000 1 1000 ns/op 1000 self-ns/op
BenchmarkModel_Small_Inference 1 2000 ns/op 0 self-ns/op 800 B/op 16 allocs/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken 4 500 ns/op 100 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward 4 400 ns/op 0 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_0 4 400 ns/op 100 self-ns/op
BenchmarkModel_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_0/GELU 4 300 ns/op 300 self-ns/op
BenchmarkModel_Large_Inference 1 8000 ns/op 0 self-ns/op
BenchmarkModel_Large_Inference/Model_Large_GenerateToken 4 2000 ns/op 2000 self-ns/op
`)[0]
	text, err := json.MarshalIndent(NewModels(3, inference.Of(run)), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "models.json", append(text, '\n'))
	text, err = json.Marshal(NewModels(3, nil).Suites)
	if err != nil || string(text) != "[]" || NewModels(3, nil).Run != -1 {
		t.Errorf("of nothing: %s, %v", text, err)
	}
}
