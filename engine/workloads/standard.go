package workloads

import (
	"math/rand/v2"
	"runtime"
	"slices"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/transformer"
)

// A profile of the standard suite generates text with Small three times.
const (
	standardPrompt = 10
	standardTokens = 50
	inferences     = 3
)

func standard() []Workload {
	small := transformer.Small
	return []Workload{
		creation("ModelCreation", small),
		{Name: "BuilderSetup", Calls: 1, Setup: func(*Meter) func() {
			return func() { runtime.KeepAlive(transformer.Zeros(small)) }
		}},
		inference("InferenceComplete", small, standardPrompt, standardTokens),
		{Name: "PrepareInput", Calls: 1, Setup: func(*Meter) func() {
			g := newGeneration(nil, small, standardPrompt, standardTokens, generationScopes{})
			return func() { g.prepareInput(nil) }
		}},
		generateToken("GenerateToken", small, standardPrompt, standardTokens),
		forward("ForwardPass", small, nil, standardPrompt, standardTokens),
		{Name: "SampleToken", Calls: 1, Setup: func(*Meter) func() {
			logits, sampler := uniform(1, small.Vocab, 1), transformer.NewSampler(temperature, topK, 1)
			return func() { must(sampler.Sample(nil, logits)) }
		}},
		{Name: "ApplyTemperature", Calls: 1, Setup: func(*Meter) func() {
			logits, candidates, weights := uniform(1, small.Vocab, 1), make([]int, topK), make([]float32, 0, topK)
			for i := range candidates {
				candidates[i] = i
			}
			top := slices.Max(logits)
			return func() { transformer.ApplyTemperature(weights, logits, candidates, top, temperature) }
		}},
		{Name: "Softmax", Calls: 1, FLOPs: elementFLOPs["Softmax"] * topK, Bytes: 2 * floatBytes * topK, Setup: func(*Meter) func() {
			dst, src := make([]float32, topK), uniform(1, topK, 1)
			return func() { kernels.Softmax(dst, src, 1, topK) }
		}},
		{Name: "MultinomialSample", Calls: 1, Setup: func(*Meter) func() {
			weights := make([]float32, topK)
			kernels.Softmax(weights, uniform(1, topK, 1), 1, topK)
			rng := rand.NewPCG(1, 0)
			return func() { transformer.Multinomial(rng, weights) }
		}},
	}
}

// runStandard generates text three times with one model, with a scope for each stage.
func runStandard(r *profileRun) {
	config, prompt, tokens := r.generates(transformer.Small, standardPrompt, standardTokens)
	g := newGeneration(r.stack, config, prompt, tokens, generationScopes{
		creation: "ModelCreation", builder: "BuilderSetup", inference: "InferenceComplete",
		prepare: "PrepareInput", token: "GenerateToken", forward: "ForwardPass",
	})
	for i := range inferences {
		r.tokens = append(r.tokens, g.infer(r.stack, &Meter{}, uint64(i+1))...)
	}
}
