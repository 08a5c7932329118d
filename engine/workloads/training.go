package workloads

import (
	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/train"
	"github.com/perftrack/perftrack/engine/transformer"
)

// The small network has 256 hidden units and is trained for 50 steps on batches of 32 rows.
var mlpOptions = train.MLPOptions{In: 64, Hidden: 256, Out: 10, Batch: 32, Seed: weightSeed, Optimizer: train.DefaultAdamW}

const mlpSteps = 50

// The autoregressive training of Small is one epoch over epochWindows windows, each as long as the
// model's context, in batches of epochBatch.
const (
	epochWindows = 8
	epochBatch   = 4
)

// tinyRate has a learning rate so small that the last iteration of a benchmark computes with nearly
// the same numbers as the first. Training to convergence would lead to gradients that are denormal
// numbers, which take many times as long.
var tinyRate = func() train.AdamWOptions {
	o := train.DefaultAdamW
	o.LearningRate = 1e-7
	return o
}()

func training() []Workload {
	small := transformer.Small
	return []Workload{
		{Name: "MLP_Training", Calls: mlpSteps, Examples: 32, FLOPs: mlpOptions.StepFLOPs(32), Setup: func(*Meter) func() {
			m := newMLP(nil, tinyRate)
			return func() { m.train(nil) }
		}},
		{Name: "Train_Epoch", Calls: 1, Examples: epochWindows, FLOPs: train.StepFLOPs(small, epochWindows, small.Context), Setup: func(*Meter) func() {
			t := newTrainer(nil, 0, tinyRate)
			return func() { must(t.Epoch(nil, t.text)) }
		}},
		{Name: "Train_Step", Calls: 1, Examples: epochBatch, FLOPs: train.StepFLOPs(small, epochBatch, small.Context), Setup: func(*Meter) func() {
			t := newTrainer(nil, 0, tinyRate)
			batch := t.batch()
			return func() { must(t.Step(nil, batch)) }
		}},
		stage("Forward_Pass", func(s *stages) { s.forward() }),
		stage("Loss_Computation", func(s *stages) { s.loss() }),
		stage("Backward", func(s *stages) { s.backward() }),
		{Name: "Optimizer", Calls: 1, Setup: func(*Meter) func() {
			s := newStages()
			s.forward()
			s.loss()
			s.backward()
			adamw := must(train.NewAdamW(tinyRate, train.Pairs(s.model, s.gradients.Sum)))
			return adamw.Step
		}},
	}
}

// stage returns the workload for one part of the training on one window of Small.
func stage(name string, do func(s *stages)) Workload {
	return Workload{Name: name, Calls: 1, Examples: 1, Setup: func(*Meter) func() {
		s := newStages()
		s.forward()
		s.loss()
		return func() { do(s) }
	}}
}

// stages holds the data for the parts of a training step on one window.
type stages struct {
	model     *transformer.Model
	acts      *transformer.Activations
	gradients *train.Gradients
	window    train.Sequence
}

func newStages() *stages {
	c := transformer.Small
	return &stages{
		model:     transformer.New(c, weightSeed),
		acts:      c.NewActivations(c.Context),
		gradients: train.NewGradients(c, c.Context),
		window:    window(trainingText(c.Context+1), 0, c.Context),
	}
}

func (s *stages) forward() {
	if err := s.model.Record(nil, s.acts, s.window.Tokens); err != nil {
		panic(err)
	}
}

func (s *stages) loss() {
	s.gradients.Loss(nil, s.acts, s.window.Targets, len(s.window.Targets))
}

func (s *stages) backward() {
	s.gradients.Zero(nil)
	s.gradients.Backward(nil, s.model, s.acts)
}

// runTraining trains the small network for 50 steps and then Small on a text.
func runTraining(r *profileRun) {
	m := newMLP(r.stack, mlpOptions.Optimizer)
	r.losses = append(r.losses, m.train(r.stack)...)
	workers := 0
	if r.serial {
		workers = 1
	}
	t := newTrainer(r.stack, workers, train.DefaultAdamW)
	r.losses = append(r.losses, must(t.Epoch(r.stack, t.text)).Loss)
}

// mlp is the small network together with its samples.
type mlp struct {
	*train.MLP
	features []float32
	labels   []int
	losses   []float64
}

func newMLP(p *profile.Stack, o train.AdamWOptions) *mlp {
	defer p.Scope("PrepareInputs").End()
	options := mlpOptions
	options.Optimizer = o
	features, labels := train.Clusters(1, options.Batch, options.In, options.Out)
	return &mlp{must(train.NewMLP(options)), features, labels, make([]float64, mlpSteps)}
}

// train returns the loss of each step. The slice is valid until the next call.
func (m *mlp) train(p *profile.Stack) []float64 {
	defer p.Scope("MLP_Training").End()
	for i := range m.losses {
		m.losses[i] = must(m.Step(p, m.features, m.labels))
	}
	return m.losses
}

// trainer trains Small and holds its training text.
type trainer struct {
	*train.Trainer
	text []int
}

func newTrainer(p *profile.Stack, workers int, o train.AdamWOptions) *trainer {
	defer p.Scope("PrepareInputs").End()
	c := transformer.Small
	t := must(train.NewTrainer(transformer.New(c, weightSeed), train.Options{
		Batch: epochBatch, Workers: workers, Seed: 1, Optimizer: o,
	}))
	return &trainer{t, trainingText(epochWindows*c.Context + 1)}
}

// batch returns the first epochBatch windows of the text.
func (t *trainer) batch() []train.Sequence {
	var batch []train.Sequence
	for i := range epochBatch {
		batch = append(batch, window(t.text, i*transformer.Small.Context, transformer.Small.Context))
	}
	return batch
}

// window returns n tokens of the text starting at position at, and for each of them the next token.
func window(text []int, at, n int) train.Sequence {
	return train.Sequence{Tokens: text[at:][:n], Targets: text[at+1:][:n]}
}

// trainingText returns n tokens of a sentence repeated over and over.
func trainingText(n int) []int {
	const sentence = "every commit is measured against its parent, and every verdict says how sure it is. "
	text := make([]int, n)
	for i := range text {
		text[i] = int(sentence[i%len(sentence)])
	}
	return text
}
