package workloads

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"time"

	"github.com/perftrack/perftrack/engine/kernels/workers"
	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

// The enhanced suite generates 25 tokens from a prompt of 10 tokens.
const (
	enhancedPrompt = 10
	enhancedTokens = 25
)

// All suites choose tokens with these settings.
const (
	temperature = 0.8
	topK        = 40
)

// weightSeed is the seed of all models' weights.
const weightSeed = 1

// generationScopes contains the names of the stages in a profile. builder is inside creation,
// prepare and token are inside inference, and forward is inside token. If a name is "", the stage
// has no scope.
type generationScopes struct{ creation, builder, inference, prepare, token, forward string }

// A generation is a model that continues a prompt. It can do so any number of times without
// allocating.
type generation struct {
	generationScopes
	config  transformer.Config
	model   *transformer.Model
	session *transformer.Session
	sampler *transformer.Sampler
	text    []byte // the prompt as text, before it is converted to tokens
	prompt  []int
	tokens  []int
	n       int
}

func newGeneration(p *profile.Stack, c transformer.Config, prompt, n int, names generationScopes) *generation {
	defer scope(p, names.creation).End()
	model := build(p, c, names.builder)
	model.Initialize(weightSeed)
	return &generation{
		generationScopes: names,
		config:           c,
		model:            model,
		session:          model.NewSession(),
		sampler:          transformer.NewSampler(temperature, topK, 1),
		text:             promptText(prompt),
		prompt:           make([]int, prompt),
		tokens:           make([]int, 0, n),
		n:                n,
	}
}

// build returns a model with zero weights.
func build(p *profile.Stack, c transformer.Config, name string) *transformer.Model {
	defer scope(p, name).End()
	return transformer.Zeros(c)
}

// scope opens the named scope, unless the name is "".
func scope(p *profile.Stack, name string) profile.Scope {
	if name == "" {
		return profile.Scope{}
	}
	return p.Scope(name)
}

// promptText returns the first n letters of a fixed pseudo-random sequence.
func promptText(n int) []byte {
	rng := rand.New(rand.NewPCG(1, 0))
	text := make([]byte, n)
	for i := range text {
		text[i] = 'a' + byte(rng.IntN(26))
	}
	return text
}

// infer returns the tokens that the sampler with this seed chooses after the prompt. The slice is
// valid until the next call.
func (g *generation) infer(p *profile.Stack, m *Meter, seed uint64) []int {
	defer scope(p, g.inference).End()
	start := time.Now()
	g.prepareInput(p)
	g.sampler.Seed(seed)
	g.tokens = g.tokens[:0]
	for len(g.tokens) < g.n {
		g.generateToken(p)
		if len(g.tokens) == 1 {
			m.FirstToken(time.Since(start))
		}
	}
	return g.tokens
}

// prepareInput converts the bytes of the prompt to tokens.
func (g *generation) prepareInput(p *profile.Stack) {
	defer scope(p, g.prepare).End()
	for i, b := range g.text {
		g.prompt[i] = int(b) % g.config.Vocab
	}
}

func (g *generation) generateToken(p *profile.Stack) {
	defer scope(p, g.token).End()
	g.sample(p, g.advance(p))
}

// advance returns the logits after the prompt and the tokens generated so far. It passes the last
// of these tokens or, at first, the prompt to the session.
func (g *generation) advance(p *profile.Stack) []float32 {
	defer scope(p, g.forward).End()
	if len(g.tokens) == 0 {
		return must(g.session.Prefill(p, g.prompt))
	}
	return must(g.session.Decode(p, g.tokens[len(g.tokens)-1]))
}

func (g *generation) sample(p *profile.Stack, logits []float32) {
	defer scope(p, "SampleToken").End()
	g.tokens = append(g.tokens, must(g.sampler.Sample(p, logits)))
}

// must returns v, and panics if err is not nil. It is for calls that cannot fail on a workload's
// input.
func must[T any](v T, err error) T {
	if err != nil {
		panic(fmt.Sprintf("workload: %v", err))
	}
	return v
}

// creation, inference, generateToken and forward return the workloads of one model. generateToken
// reports the mean of the n-1 tokens after the first one, without the pass over the prompt. forward
// does the same without choosing the tokens.

func creation(name string, c transformer.Config) Workload {
	return Workload{Name: name, Calls: 1, Setup: func(*Meter) func() {
		return func() { runtime.KeepAlive(transformer.New(c, weightSeed)) }
	}}
}

func inference(name string, c transformer.Config, prompt, n int) Workload {
	flops := c.PrefillFLOPs(prompt) + int64(n-1)*decodeFLOPs(c, prompt, n)
	return Workload{Name: name, Calls: 1, FLOPs: flops, Tokens: int64(n), Setup: func(m *Meter) func() {
		g := newGeneration(nil, c, prompt, n, generationScopes{})
		return func() { g.infer(nil, m, 1) }
	}}
}

func generateToken(name string, c transformer.Config, prompt, n int) Workload {
	return Workload{Name: name, Calls: n - 1, FLOPs: decodeFLOPs(c, prompt, n), Tokens: 1, Setup: func(m *Meter) func() {
		g := newGeneration(nil, c, prompt, n, generationScopes{})
		g.infer(nil, m, 1)
		return func() {
			g.session.Rewind(prompt)
			g.sampler.Seed(1)
			g.tokens = g.tokens[:1]
			for len(g.tokens) < n {
				g.generateToken(nil)
			}
		}
	}}
}

// forward runs on the threads of a pool, unless pool is nil.
func forward(name string, c transformer.Config, pool func() *workers.Pool, prompt, n int) Workload {
	return Workload{Name: name, Calls: n - 1, FLOPs: decodeFLOPs(c, prompt, n), Tokens: 1, Setup: func(m *Meter) func() {
		g := newGeneration(nil, c, prompt, n, generationScopes{})
		if pool != nil {
			g.session.Use(pool())
		}
		g.infer(nil, m, 1)
		return func() {
			g.session.Rewind(prompt)
			for _, token := range g.tokens[:n-1] {
				must(g.session.Decode(nil, token))
			}
		}
	}}
}

// decodeFLOPs returns the mean number of operations per token for the n-1 tokens after the first
// one.
func decodeFLOPs(c transformer.Config, prompt, n int) int64 {
	sum := int64(0)
	for i := range n - 1 {
		sum += c.DecodeFLOPs(prompt + 1 + i)
	}
	return sum / int64(n-1)
}

// modelWorkloads returns the four workloads of a model in the enhanced suite.
func modelWorkloads(model string, c transformer.Config) []Workload {
	prefix := "Model_" + model + "_"
	return []Workload{
		creation(prefix+"Creation", c),
		inference(prefix+"Inference", c, enhancedPrompt, enhancedTokens),
		generateToken(prefix+"GenerateToken", c, enhancedPrompt, enhancedTokens),
		forward(prefix+"Forward", c, nil, enhancedPrompt, enhancedTokens),
	}
}
