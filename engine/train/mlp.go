package train

import (
	"fmt"
	"math/rand/v2"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/profile"
)

// MLPOptions describe an MLP and its training.
type MLPOptions struct {
	In, Hidden, Out int // features, units of the hidden layer, classes
	Batch           int // the largest number of rows in a step
	Seed            uint64
	Optimizer       AdamWOptions
}

// MLP is a classifier with one hidden layer, logits = GELU(x*W1 + b1)*W2 + b2, trained with AdamW
// on the mean softmax cross-entropy. A step runs on the caller's goroutine. An MLP is not safe for
// concurrent use.
type MLP struct {
	options       MLPOptions
	input, output layer
	optimizer     *AdamW
	samples       int

	hidden, active []float32 // Batch x Hidden: before and after GELU
	logits         []float32 // Batch x Out

	// dlogits is the gradient of logits. dhidden is first the gradient of active and then of
	// hidden.
	dlogits, dhidden []float32
}

// NewMLP returns an MLP whose weights depend only on the seed. The matrices are normally
// distributed with standard deviation 1/sqrt(rows), which keeps the variance the same from layer to
// layer, and the biases are 0. NewMLP returns an error if an option is out of range.
func NewMLP(o MLPOptions) (*MLP, error) {
	for _, size := range []struct {
		name  string
		value int
	}{{"in", o.In}, {"hidden", o.Hidden}, {"out", o.Out}, {"batch", o.Batch}} {
		if size.value < 1 {
			return nil, fmt.Errorf("mlp options: %s is %d, want 1 or more", size.name, size.value)
		}
	}
	rng := rand.New(rand.NewPCG(o.Seed, 0))
	m := &MLP{
		options: o,
		input:   newLayer(rng, o.In, o.Hidden),
		output:  newLayer(rng, o.Hidden, o.Out),
		hidden:  make([]float32, o.Batch*o.Hidden),
		active:  make([]float32, o.Batch*o.Hidden),
		logits:  make([]float32, o.Batch*o.Out),
		dlogits: make([]float32, o.Batch*o.Out),
		dhidden: make([]float32, o.Batch*o.Hidden),
	}
	optimizer, err := NewAdamW(o.Optimizer, append(m.input.pairs("input"), m.output.pairs("output")...))
	if err != nil {
		return nil, fmt.Errorf("mlp: %w", err)
	}
	m.optimizer = optimizer
	return m, nil
}

// Steps and Samples return the number of steps taken and the total number of rows in them.
func (m *MLP) Steps() int   { return m.optimizer.Steps() }
func (m *MLP) Samples() int { return m.samples }

// StepFLOPs returns the number of operations in the matrix products of a step over rows samples.
// There are two products forward and three backward, since the gradient of the features is not
// needed.
func (o MLPOptions) StepFLOPs(rows int) int64 {
	in, hidden, out := int64(o.In), int64(o.Hidden), int64(o.Out)
	return int64(rows) * (4*in*hidden + 6*hidden*out)
}

// Step updates the weights with the gradients of the loss on features (len(labels) x In) of the
// classes in labels. It returns the loss before the update: the mean cross-entropy in nats. It
// returns an error and leaves the weights unchanged if the loss is not finite or an argument is
// invalid: no rows or more than Batch, a wrong number of features, or a label outside the classes.
//
// Its scopes are train_step and, inside it, Forward_Pass, Loss_Computation, Backward and Optimizer.
func (m *MLP) Step(p *profile.Stack, features []float32, labels []int) (loss float64, err error) {
	defer p.Scope("train_step").End()
	if err := m.check(features, labels); err != nil {
		return 0, fmt.Errorf("train step %d: %w", m.Steps()+1, err)
	}
	m.forward(p, features, len(labels))
	loss = m.loss(p, labels)
	if err := checkLoss(loss, m.options.Optimizer.LearningRate); err != nil {
		return loss, fmt.Errorf("train step %d: %w", m.Steps()+1, err)
	}
	m.backward(p, features, len(labels))
	m.optimize(p)
	m.samples += len(labels)
	return loss, nil
}

func (m *MLP) check(features []float32, labels []int) error {
	rows := len(labels)
	if rows == 0 {
		return errEmptyBatch
	}
	if rows > m.options.Batch {
		return fmt.Errorf("%d rows, the network was made for a batch of %d", rows, m.options.Batch)
	}
	if len(features) != rows*m.options.In {
		return fmt.Errorf("%d features for %d rows of %d", len(features), rows, m.options.In)
	}
	for i, label := range labels {
		if label < 0 || label >= m.options.Out {
			return fmt.Errorf("label %d of row %d is not one of %d classes", label, i, m.options.Out)
		}
	}
	return nil
}

func (m *MLP) forward(p *profile.Stack, features []float32, rows int) {
	defer p.Scope("Forward_Pass").End()
	hidden, active := m.hidden[:rows*m.options.Hidden], m.active[:rows*m.options.Hidden]
	m.input.forward(p, "InputLayer", hidden, features, rows)
	m.activate(p, active, hidden)
	m.output.forward(p, "OutputLayer", m.logits[:rows*m.options.Out], active, rows)
}

func (m *MLP) activate(p *profile.Stack, dst, src []float32) {
	defer p.Scope("GELU").End()
	kernels.GELU(dst, src)
}

func (m *MLP) loss(p *profile.Stack, labels []int) float64 {
	defer p.Scope("Loss_Computation").End()
	rows := len(labels)
	size := rows * m.options.Out
	return kernels.SoftmaxCrossEntropy(m.dlogits[:size], m.logits[:size], labels, rows, m.options.Out, rows)
}

func (m *MLP) backward(p *profile.Stack, features []float32, rows int) {
	defer p.Scope("Backward").End()
	size := rows * m.options.Hidden
	d := m.dhidden[:size]
	m.output.backward(p, "OutputLayer", d, m.dlogits[:rows*m.options.Out], m.active[:size], rows)
	m.deactivate(p, d, m.hidden[:size])
	m.input.backward(p, "InputLayer", nil, d, features, rows)
}

func (m *MLP) deactivate(p *profile.Stack, d, src []float32) {
	defer p.Scope("GELU").End()
	kernels.GELUBackward(d, d, src)
}

func (m *MLP) optimize(p *profile.Stack) {
	defer p.Scope("Optimizer").End()
	m.optimizer.Step()
}
