package workloads

import "github.com/perftrack/perftrack/engine/transformer"

// A profile of the deep suite generates text with Medium three times.
const (
	deepPrompt = 32
	deepTokens = 50
)

func deep() []Workload {
	medium := transformer.Medium
	return append(
		family("MatMul", matMul(128), matMul(256), matMul(512)),
		creation("Transformer_ModelCreation", medium),
		inference("Inference", medium, deepPrompt, deepTokens),
		generateToken("GenerateToken", medium, deepPrompt, deepTokens),
		forward("Transformer_Forward", medium, nil, deepPrompt, deepTokens),
	)
}

// runDeep multiplies matrices and generates text three times with one model. Its scopes go down to
// the projections of each layer.
func runDeep(r *profileRun) {
	for _, n := range []int{128, 256, 512} {
		r.kernel(matMul(n), "MatMul_Iteration", 3)
	}
	config, prompt, tokens := r.generates(transformer.Medium, deepPrompt, deepTokens)
	g := newGeneration(r.stack, config, prompt, tokens, generationScopes{
		creation: "Transformer_ModelCreation", inference: "Inference",
		token: "GenerateToken", forward: "Transformer_Forward",
	})
	for i := range inferences {
		r.tokens = append(r.tokens, g.infer(r.stack, &Meter{}, uint64(i+1))...)
	}
}
