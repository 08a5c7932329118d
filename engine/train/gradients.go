package train

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

// Gradients computes the gradients of a loss with respect to a model's weights, going backwards
// through the activations stored by Model.Record:
//
//	g.Zero(p)
//	for each sequence {
//		err := model.Record(p, acts, tokens)
//		loss += g.Loss(p, acts, targets, count)
//		g.Backward(p, model, acts)
//	}
//
// It reuses its buffers, so its methods do not allocate. It is not safe for concurrent use.
type Gradients struct {
	// Sum holds the gradients accumulated since Zero, in the shape of the model.
	Sum *transformer.Model

	parameters [][]float32 // of Sum
	layerNames []string    // names of the layers in a profile

	// The gradients of the loss at the current activations. They have one row per token in the last
	// call of Loss.
	logits []float32
	stream []float32 // the residual stream
	branch []float32 // a norm's output, or the output of the heads
	hidden []float32 // the feed-forward layer, first after GELU and then before it
	qkv    []float32
	scores []float32 // the scores of one head, one row per query
}

// NewGradients returns gradients, initially zero, for models with this Config and sequences of at
// most capacity tokens. It panics if c.Validate returns an error.
func NewGradients(c transformer.Config, capacity int) *Gradients {
	rows := func(cols int) []float32 { return make([]float32, capacity*cols) }
	g := &Gradients{
		Sum:    transformer.Zeros(c),
		logits: rows(c.Vocab),
		stream: rows(c.Dim),
		branch: rows(c.Dim),
		hidden: rows(c.Hidden()),
		qkv:    rows(3 * c.Dim),
		scores: rows(capacity),
	}
	for _, s := range g.Sum.Parameters() {
		g.parameters = append(g.parameters, s.Data())
	}
	for i := range c.Layers {
		g.layerNames = append(g.layerNames, fmt.Sprintf("Layer_%d", i))
	}
	return g
}

// Zero sets Sum to zero.
func (g *Gradients) Zero(p *profile.Stack) {
	defer p.Scope("Zero_Gradients").End()
	for _, s := range g.parameters {
		clear(s)
	}
}

// add adds other.Sum to g.Sum.
func (g *Gradients) add(other *Gradients) {
	for i, s := range g.parameters {
		kernels.Add(s, s, other.parameters[i])
	}
}

// Loss returns the cross-entropy of the targets in nats, summed over the recorded tokens and
// divided by count, and keeps its gradient for Backward. targets holds the token after each of
// a.Tokens. count is the number of tokens in the whole batch, so the result is this sequence's part
// of the mean. Loss panics if the number of targets is wrong or one is outside the vocabulary.
func (g *Gradients) Loss(p *profile.Stack, a *transformer.Activations, targets []int, count int) float64 {
	defer p.Scope("Loss_Computation").End()
	rows, vocab := len(a.Tokens), g.Sum.Vocab
	return kernels.SoftmaxCrossEntropy(g.logits[:rows*vocab], a.Logits[:rows*vocab], targets, rows, vocab, count)
}

// Backward adds the gradients of the last Loss to Sum. m and a must be the model and the
// activations that Loss was computed from.
func (g *Gradients) Backward(p *profile.Stack, m *transformer.Model, a *transformer.Activations) {
	defer p.Scope("Backward").End()
	b := backward{g, m, a, p, len(a.Tokens)}
	b.head()
	for i := len(m.Blocks) - 1; i >= 0; i-- {
		b.block(i)
	}
	b.embedding()
}
