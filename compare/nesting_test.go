package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/store"
)

func TestNesting(t *testing.T) {
	for _, tt := range []struct {
		kind        store.Kind
		names, want string
	}{
		{store.Scope, "", "map[]"},
		{store.Scope, "A B", "map[]"},
		{store.Scope, "A A/B A/B/C A/X/Y", "map[A/B:[A] A/B/C:[A/B] A/X/Y:[A]]"},
		{store.Scope, "A/B AB/C", "map[]"},
		{store.Scope, "MatMul_64 MatMul_Iteration MatMul_8 MatMulX_1 Other_Iteration", "map[MatMul_Iteration:[MatMul_64 MatMul_8]]"},
		{store.Scope, "A_B_Iteration A_B_1 A_C_1 A_Iteration", "map[A_B_Iteration:[A_B_1] A_Iteration:[A_B_1 A_C_1]]"},
		{store.Scope, "Run/X_Iteration Run X_1", "map[Run/X_Iteration:[Run]]"},
		{store.Scope, "Model_S_Forward Model_S_GenerateToken Model_S_Inference Model_S_Creation Model_M_Forward",
			"map[Model_S_Forward:[Model_S_GenerateToken] Model_S_GenerateToken:[Model_S_Inference]]"},
		{store.Scope, "Model_S_Forward Model_S_Inference", "map[Model_S_Forward:[Model_S_Inference]]"},
		{store.Scope, "A_Forward A_Inference", "map[]"},
		{store.Scope, "A A", "map[]"},
		// The parts of a benchmark's name contain nothing, and an iteration of
		// somebody's own is not what its neighbours are made of.
		{store.Bench, "Encode Encode/format=json", "map[]"},
		{store.Bench, "Graph_Iteration Graph_Build", "map[]"},
		{store.Bench, "BroadcastAdd_Iteration BroadcastAdd_100x100 GELU_Iteration GELU_1000 GELU_10",
			"map[BroadcastAdd_Iteration:[BroadcastAdd_100x100] GELU_Iteration:[GELU_10 GELU_1000]]"},
		{store.Bench, "Model_S_Forward Model_S_GenerateToken Model_S_Inference",
			"map[Model_S_Forward:[Model_S_GenerateToken] Model_S_GenerateToken:[Model_S_Inference]]"},
	} {
		if got := fmt.Sprint(Nesting(tt.kind, strings.Fields(tt.names))); got != tt.want {
			t.Errorf("Nesting(%s, %s) = %s, want %s", tt.kind, tt.names, got, tt.want)
		}
	}
}
