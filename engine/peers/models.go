package main

import (
	"fmt"
	"runtime"
	"strings"
	"unsafe"

	"github.com/perftrack/perftrack/engine/kernels/workers"
	"github.com/perftrack/perftrack/engine/train"
	"github.com/perftrack/perftrack/engine/transformer"
)

// tracked lists the models of the workloads. The feed-forward layer has three matrices in llama2.c
// and two in the engine. hidden is the width in llama2.c at which both layers have about the same
// number of weights.
var tracked = []struct {
	name   string
	config transformer.Config
	hidden int
}{{"Small", transformer.Small, 344}, {"Medium", transformer.Medium, 688}}

// As in the workloads, 25 tokens are generated from a prompt of 10.
const prompt, generated = 10, 25

func (b *bench) models() {
	for _, m := range tracked {
		decode, whole := "Decode "+m.name, fmt.Sprintf("%d tokens from %d, %s", generated, prompt, m.name)
		if !b.only.MatchString(decode) && !b.only.MatchString(whole) {
			continue
		}
		g := newGeneration(m.config)
		var peers, wholes []*contestant
		if b.llama2c == "" {
			b.lack("llama2.c: -llama2c DIR, a checkout of karpathy/llama2.c")
		} else if p, w, err := b.llama(m.config, m.hidden); err != nil {
			b.lack("llama2.c: " + err.Error())
		} else {
			peers, wholes = append(peers, p), append(wholes, w)
		}
		if f, ok := b.function("c_read"); ok {
			peers = append(peers, readingWeights(f, g.model))
		}
		if b.wants(decode) {
			restore := alone()
			all := append([]*contestant{{name: "ours", run: g.decode, work: generated - 1}}, peers...)
			(&contest{contestants: all}).run(b.length)
			restore()
			for _, peer := range all[1:] {
				goal := goal{time: 1}
				if peer.name == "reading the weights" {
					goal.time, goal.speed = 0, 0.8
				}
				b.compare(decode+", a token", all[0], peer, goal, micros)
			}
		}
		if both := decode + ", 2 threads"; m.name == "Medium" && runtime.GOMAXPROCS(0) > 1 && b.wants(both) {
			pool := workers.New(2)
			shared := newGeneration(m.config)
			shared.session.Use(pool)
			all := []*contestant{{name: "ours", run: shared.decode, work: generated - 1}, {name: "ours on one", run: g.decode, work: generated - 1}}
			(&contest{contestants: all, threads: 2}).run(b.length)
			b.compare(both+", a token", all[0], all[1], goal{speed: 1.5}, micros)
			pool.Close()
		}
		if len(wholes) > 0 && b.wants(whole) {
			restore := alone()
			all := append([]*contestant{{name: "ours", run: g.generate}}, wholes...)
			(&contest{contestants: all}).run(b.length)
			restore()
			b.compare(whole, all[0], all[1], goal{speed: 1.4}, micros)
		}
	}
}

// readingWeights returns a contestant that adds up all of a model's weights that have to be read
// for each token.
func readingWeights(read unsafe.Pointer, m *transformer.Model) *contestant {
	unused := make([]float32, 1)
	var weights [][]float32
	for _, p := range m.Parameters() {
		if !strings.HasSuffix(p.Name, "_embedding") {
			weights = append(weights, p.Data())
		}
	}
	return &contestant{name: "reading the weights", run: func(times int) {
		for range times {
			for _, w := range weights {
				unary(read, 1, unused, w)
			}
		}
	}}
}

// lack records a missing library, unless it is already recorded.
func (b *bench) lack(what string) {
	for _, m := range b.missing {
		if m == what {
			return
		}
	}
	b.missing = append(b.missing, what)
}

// llama returns contestants that do the same work in llama2.c: decode generates the tokens after
// the first one, and whole also includes the prompt.
func (b *bench) llama(c transformer.Config, hidden int) (decode, whole *contestant, err error) {
	l, err := b.workshop.build("llama2.c", []string{"-Ofast", "-march=native", "-I", b.llama2c})
	if err != nil {
		return nil, nil, err
	}
	made, err := l.function("peer_new")
	if err != nil {
		return nil, nil, err
	}
	one, err := l.function("peer_decode")
	if err != nil {
		return nil, nil, err
	}
	all, err := l.function("peer_generate")
	if err != nil {
		return nil, nil, err
	}
	model := create(made, c.Dim, hidden, c.Layers, c.Heads, c.Vocab, c.Context)
	decode = &contestant{name: "llama2.c -Ofast", work: generated - 1, run: func(times int) { pass(one, times, model, prompt, generated-1) }}
	whole = &contestant{name: "llama2.c -Ofast", run: func(times int) { pass(all, times, model, prompt, generated) }}
	return decode, whole, nil
}

// A generation generates tokens with the engine.
type generation struct {
	model   *transformer.Model
	session *transformer.Session
	sampler *transformer.Sampler
	prompt  []int
}

func newGeneration(c transformer.Config) *generation {
	m := transformer.New(c, 1)
	g := &generation{model: m, session: m.NewSession(), sampler: transformer.NewSampler(0.8, 40, 1), prompt: make([]int, prompt)}
	for i := range g.prompt {
		g.prompt[i] = (7*i + 1) % c.Vocab
	}
	return g
}

func must[T any](v T, err error) T {
	if err != nil {
		fail(err)
	}
	return v
}

// decode computes the tokens after the prompt, with one forward pass each.
func (g *generation) decode(times int) {
	must(g.session.Prefill(nil, g.prompt))
	for range times {
		g.session.Rewind(prompt)
		for i := range generated - 1 {
			must(g.session.Decode(nil, g.prompt[i%prompt]))
		}
	}
}

// generate generates all tokens, including the pass over the prompt and the choice of each token.
func (g *generation) generate(times int) {
	for range times {
		logits := must(g.session.Prefill(nil, g.prompt))
		for i := range generated {
			token := must(g.sampler.Sample(nil, logits))
			if i+1 < generated {
				logits = must(g.session.Decode(nil, token))
			}
		}
	}
}

// training compares one training step of Medium on a batch of four with llm.c.
func (b *bench) training() {
	const batch = 4
	c, what := transformer.Medium, "Training step, Medium, batch 4"
	if !b.only.MatchString(what) {
		return
	}
	if b.llmc == "" {
		b.lack("llm.c: -llmc DIR, a checkout of karpathy/llm.c")
		return
	}
	l, err := b.workshop.build("llm.c", []string{"-Ofast", "-march=native", "-fno-finite-math-only", "-I", b.llmc})
	if err != nil {
		b.lack("llm.c: " + err.Error())
		return
	}
	made, step := must(l.function("peer_new")), must(l.function("peer_step"))
	model := create(made, c.Dim, c.Layers, c.Heads, c.Vocab, c.Context, batch)
	o := train.DefaultAdamW
	o.LearningRate = 1e-7
	trainer := must(train.NewTrainer(transformer.New(c, 1), train.Options{Batch: batch, Workers: 1, Optimizer: o}))
	sequences := make([]train.Sequence, batch)
	for i := range sequences {
		s := train.Sequence{Tokens: make([]int, c.Context), Targets: make([]int, c.Context)}
		for j := range c.Context {
			s.Tokens[j], s.Targets[j] = 7*(i*c.Context+j)%c.Vocab, 7*(i*c.Context+j+1)%c.Vocab
		}
		sequences[i] = s
	}
	b.wants(what)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	all := []*contestant{
		{name: "ours", run: func(times int) {
			for range times {
				must(trainer.Step(nil, sequences))
			}
		}},
		{name: "llm.c train_gpt2.c -Ofast", run: func(times int) { pass(step, times, model, batch, c.Context) }},
	}
	(&contest{contestants: all}).run(b.length)
	b.compare(what, all[0], all[1], goal{speed: 3}, micros)
}
