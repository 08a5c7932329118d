package workloads

import (
	"bytes"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/engine/profile"
)

// A suite run twice from the same seeds generates the same tokens and the same losses, to the last
// bit.
func TestProgramsAreDeterministic(t *testing.T) {
	for suite, want := range map[string]struct{ tokens, losses int }{
		Enhanced: {2 * enhancedTokens, 0}, Standard: {3 * standardTokens, 0}, Deep: {3 * deepTokens, 0},
		Training: {0, mlpSteps + 1},
	} {
		if !slices.Contains(programs(), suite) {
			continue
		}
		a, _ := runUnder(suite, parameters{}, profile.Off)
		b, _ := runUnder(suite, parameters{}, profile.Timing)
		if len(a.tokens) != want.tokens || len(a.losses) != want.losses {
			t.Errorf("%s: %d tokens and %d losses, want %d and %d", suite, len(a.tokens), len(a.losses), want.tokens, want.losses)
		}
		if !slices.Equal(a.tokens, b.tokens) {
			t.Errorf("%s: tokens %v and then %v", suite, a.tokens, b.tokens)
		}
		for i := range a.losses {
			if math.Float64bits(a.losses[i]) != math.Float64bits(b.losses[i]) {
				t.Errorf("%s: loss %d is %v and then %v", suite, i, a.losses[i], b.losses[i])
			}
		}
		if want.tokens > 0 && len(slices.Compact(slices.Sorted(slices.Values(a.tokens)))) < 10 {
			t.Errorf("%s: fewer than 10 different tokens in %v", suite, a.tokens)
		}
		if a.result() != b.result() {
			t.Errorf("%s: result %s and then %s", suite, a.result(), b.result())
		}
	}
}

// The result changes if a single token or the last bit of a loss does.
func TestResult(t *testing.T) {
	r := profileRun{tokens: []int{1, 2}, losses: []float64{0.5}}
	for _, other := range []profileRun{
		{tokens: []int{1, 3}, losses: []float64{0.5}},
		{tokens: []int{1}, losses: []float64{0.5}},
		{tokens: []int{1, 2}, losses: []float64{math.Nextafter(0.5, 1)}},
	} {
		if other.result() == r.result() {
			t.Errorf("%+v has the result of %+v", other, r)
		}
	}
}

// The scopes cover at least 99 % of the time of a program. One run with this result is enough,
// because the machine may interrupt the program between two scopes.
func TestScopesCoverTheProgram(t *testing.T) {
	if os.Getenv("PERFTRACK_LIVE") == "" {
		t.Skip("it measures, and a busy machine takes time away: .ci/run runs it, as does PERFTRACK_LIVE=short go test -run ScopesCover ./engine/workloads")
	}
	for _, suite := range programs() {
		best := 0.0
		for range 50 {
			start := time.Now()
			_, tree := runUnder(suite, parameters{}, profile.Timing)
			wall := time.Since(start)
			top := time.Duration(0)
			for _, n := range tree.Scopes {
				top += n.Total
			}
			if best = max(best, float64(top)/float64(wall)); best >= 0.99 {
				break
			}
		}
		if best < 0.99 {
			t.Errorf("%s: the scopes cover %.2f %% of the program", suite, 100*best)
		}
	}
}

// Profile writes a tree in which each row's parent precedes it.
func TestProfile(t *testing.T) {
	for suite, want := range map[string][]string{
		Enhanced: {"MatMul_512x512/MatMul_Iteration", "Softmax_256/Softmax_Iteration",
			"Model_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/Layer_0/Attention/QKVProjection",
			"Model_Medium_Inference/Model_Medium_GenerateToken/SampleToken/MultinomialSample", "Model_Medium_Creation"},
		Standard: {"ModelCreation/BuilderSetup", "InferenceComplete/PrepareInput", "InferenceComplete/GenerateToken/ForwardPass/Layer_1/FeedForward/GELU",
			"InferenceComplete/GenerateToken/SampleToken/ApplyTemperature", "InferenceComplete/GenerateToken/SampleToken/Softmax"},
		Deep: {"MatMul_128x128/MatMul_Iteration", "Transformer_ModelCreation", "Inference/GenerateToken/Transformer_Forward/Layer_3/Attention/OutputProjection",
			"Inference/GenerateToken/Transformer_Forward/Layer_3/FeedForward/DownProjection", "Inference/GenerateToken/Transformer_Forward/Head/VocabProjection"},
		Memory: {"Tensors_Pooled", "LayerNorm_Fused_32x512", "MatMulBackward_128x256x128"},
		Training: {"MLP_Training/train_step/Backward", "train_epoch/Batch_Processing", "train_epoch/Batch_Processing/train_step/Optimizer",
			"train_epoch/Batch_Processing/train_step/Parallel_Training/Forward_Pass/Layer_0/Attention", "train_epoch/Batch_Processing/train_step/Parallel_Training/Loss_Computation",
			"train_epoch/Batch_Processing/train_step/Parallel_Training/Backward"},
	} {
		if !slices.Contains(programs(), suite) {
			continue
		}
		var out bytes.Buffer
		if err := Profile(suite, &out); err != nil {
			t.Errorf("%s: %v", suite, err)
		}
		rows, _ := parse(t, out.Bytes())
		names := map[string]bool{}
		for _, r := range rows {
			name := r.Name.String()
			names[name] = true
			if parent, _, nested := cutLast(name); nested && !names[parent] {
				t.Errorf("%s: %s stands before its parent, or without", suite, name)
			}
			if r.GetConfig("suite") != suite || r.GetConfig("profile") != "scopes" || len(r.GetConfig("result")) != map[bool]int{true: 0, false: 16}[suite == Memory] || r.GetConfig("pkg") != packageOf(suite) {
				t.Fatalf("%s: configuration\n%s", suite, configOf(r))
			}
			for _, unit := range []string{"sec/op", "self-sec/op", "min-sec/op", "max-sec/op", "B/op", "allocs/op"} {
				if _, ok := r.Value(unit); !ok {
					t.Errorf("%s: %s has no %s", suite, name, unit)
				}
			}
		}
		for _, name := range want {
			if !names[name] {
				t.Errorf("%s: no %s in\n%s", suite, name, &out)
			}
		}
	}
}

func cutLast(path string) (parent, name string, nested bool) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", path, false
	}
	return path[:i], path[i+1:], true
}
