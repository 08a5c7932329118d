package naming

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

func TestNesting(t *testing.T) {
	for _, tt := range []struct {
		kind        record.Kind
		names, want string
	}{
		{record.Scope, "", "map[]"},
		{record.Scope, "A B", "map[]"},
		{record.Scope, "A A/B A/B/C A/X/Y", "map[A/B:[A] A/B/C:[A/B] A/X/Y:[A]]"},
		{record.Scope, "A/B AB/C", "map[]"},
		{record.Scope, "MatMul_64 MatMul_Iteration MatMul_8 MatMulX_1 Other_Iteration", "map[MatMul_Iteration:[MatMul_64 MatMul_8]]"},
		{record.Scope, "A_B_Iteration A_B_1 A_C_1 A_Iteration", "map[A_B_Iteration:[A_B_1] A_Iteration:[A_B_1 A_C_1]]"},
		{record.Scope, "Run/X_Iteration Run X_1", "map[Run/X_Iteration:[Run]]"},
		{record.Scope, "Model_S_Forward Model_S_GenerateToken Model_S_Inference Model_S_Creation Model_M_Forward",
			"map[Model_S_Forward:[Model_S_GenerateToken] Model_S_GenerateToken:[Model_S_Inference]]"},
		{record.Scope, "Model_S_Forward Model_S_Inference", "map[Model_S_Forward:[Model_S_Inference]]"},
		{record.Scope, "A_Forward A_Inference", "map[]"},
		{record.Scope, "A A", "map[]"},
		// A slash in a benchmark's name does not mean nesting, and an _Iteration in a user's
		// program is not part of other rows.
		{record.Bench, "Encode Encode/format=json", "map[]"},
		{record.Bench, "Graph_Iteration Graph_Build", "map[]"},
		{record.Bench, "BroadcastAdd_Iteration BroadcastAdd_100x100 GELU_Iteration GELU_1000 GELU_10",
			"map[BroadcastAdd_Iteration:[BroadcastAdd_100x100] GELU_Iteration:[GELU_10 GELU_1000]]"},
		{record.Bench, "Model_S_Forward Model_S_GenerateToken Model_S_Inference",
			"map[Model_S_Forward:[Model_S_GenerateToken] Model_S_GenerateToken:[Model_S_Inference]]"},
	} {
		if got := fmt.Sprint(Nesting(tt.kind, strings.Fields(tt.names))); got != tt.want {
			t.Errorf("Nesting(%s, %s) = %s, want %s", tt.kind, tt.names, got, tt.want)
		}
	}
}
