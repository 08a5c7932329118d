// Package transformer provides the language model of the inference engine: a
// GPT-2 style decoder in float32 on engine/kernels and engine/tensor, at the
// start of engine -> runner -> store -> compare -> reports. The workloads
// measure it, engine/train fits its weights.
//
// The architecture is that of Radford et al., Language Models are Unsupervised
// Multitask Learners (2019), section 2.3: learned token and position
// embeddings; blocks that add attention and then a feed-forward layer to the
// residual stream, each behind a layer norm; a final norm. The output head is a
// matrix of its own, without bias, not the transposed token embedding.
//
// There are two ways through it. Model.Forward computes every position of one
// window. A Session keeps the keys and values of the positions it has seen, so
// that a further token costs one position, and allocates nothing in doing
// so. Both run the same stages, in forward.go, and each number is summed in the
// same order whatever the number of positions computed at once: the logits of
// the two are equal bit by bit.
//
// Everything that runs a stage takes the stack of a profile, nil for none, and
// opens the scopes inside it: Embedding; Layer_0 and so on with Attention
// (LayerNorm, QKVProjection, CacheWrite, AttentionHeads, OutputProjection) and
// FeedForward (LayerNorm, UpProjection, GELU, DownProjection); Head (LayerNorm,
// VocabProjection). What the whole call is, a Forward or a step of training, is
// for its caller to name; Session.Generate is such a caller.
//
// The same seed gives the same weights and tokens on one architecture; between
// architectures the last bit may differ, where a compiler fuses a
// multiplication with an addition.
//
// Begin with model.go and forward.go; session.go has the cache, generate.go and
// sampler.go the choice of tokens.
package transformer

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/tensor"
)

// Model is a decoder's weights. Passes only read them, so any number may run
// at once while nobody writes.
type Model struct {
	Config
	TokenEmbedding    *tensor.Tensor // Vocab x Dim
	PositionEmbedding *tensor.Tensor // Context x Dim
	Blocks            []Block        // Layers
	FinalNorm         Norm
	Head              *tensor.Tensor // Dim x Vocab

	layerNames []string // of the blocks in a profile
}

// Block is the weights of one layer.
type Block struct {
	AttentionNorm   Norm
	QKV             Linear // Dim -> 3*Dim: queries, keys, values, each Heads x HeadDim
	AttentionOut    Linear // Dim -> Dim
	FeedForwardNorm Norm
	Up              Linear // Dim -> Hidden
	Down            Linear // Hidden -> Dim
}

// Linear maps a row x to x*Weight + Bias.
type Linear struct {
	Weight *tensor.Tensor // in x out
	Bias   *tensor.Tensor // out
}

// Norm is a layer norm's weights, Dim elements each.
type Norm struct{ Gain, Bias *tensor.Tensor }

// Parameter is one tensor of weights and its name, such as
// "block.0.qkv.weight".
type Parameter struct {
	Name string
	*tensor.Tensor
}

// slabParameters is from how many parameters on they are allocated at once, in large pages: below,
// they fill hardly any, and memory that was used before is at hand for small tensors.
const slabParameters = 1 << 20

// Zeros returns a model all of whose weights are zero: the place for gradients
// and an optimizer's moments, whose Parameters match those of the model they
// belong to one by one. It panics where c.Validate returns an error.
func Zeros(c Config) *Model {
	if err := c.Validate(); err != nil {
		panic(fmt.Sprintf("transformer.Zeros: %v", err))
	}
	var weights []float32
	if c.ParameterCount() >= slabParameters {
		weights = make([]float32, c.ParameterCount())
		useHugePages(weights)
	}
	take := func(n int) []float32 {
		if weights == nil {
			return make([]float32, n)
		}
		s := weights[:n:n]
		weights = weights[n:]
		return s
	}
	matrix := func(rows, cols int) *tensor.Tensor { return tensor.FromSlice(take(rows*cols), rows, cols) }
	vector := func(n int) *tensor.Tensor { return tensor.FromSlice(take(n), n) }
	linear := func(in, out int) Linear { return Linear{matrix(in, out), vector(out)} }
	norm := func() Norm { return Norm{vector(c.Dim), vector(c.Dim)} }
	m := &Model{
		Config:            c,
		TokenEmbedding:    matrix(c.Vocab, c.Dim),
		PositionEmbedding: matrix(c.Context, c.Dim),
		FinalNorm:         norm(),
		Head:              matrix(c.Dim, c.Vocab),
	}
	for i := range c.Layers {
		m.layerNames = append(m.layerNames, fmt.Sprintf("Layer_%d", i))
		m.Blocks = append(m.Blocks, Block{
			AttentionNorm:   norm(),
			QKV:             linear(c.Dim, 3*c.Dim),
			AttentionOut:    linear(c.Dim, c.Dim),
			FeedForwardNorm: norm(),
			Up:              linear(c.Dim, c.Hidden()),
			Down:            linear(c.Hidden(), c.Dim),
		})
	}
	return m
}

// Parameters returns all weights in the order in which the model uses them. The
// tensors are the model's own.
func (m *Model) Parameters() []Parameter {
	list := []Parameter{
		{"token_embedding", m.TokenEmbedding},
		{"position_embedding", m.PositionEmbedding},
	}
	norm := func(name string, n Norm) {
		list = append(list, Parameter{name + ".gain", n.Gain}, Parameter{name + ".bias", n.Bias})
	}
	linear := func(name string, l Linear) {
		list = append(list, Parameter{name + ".weight", l.Weight}, Parameter{name + ".bias", l.Bias})
	}
	for i, b := range m.Blocks {
		prefix := fmt.Sprintf("block.%d.", i)
		norm(prefix+"attention_norm", b.AttentionNorm)
		linear(prefix+"qkv", b.QKV)
		linear(prefix+"attention_out", b.AttentionOut)
		norm(prefix+"feed_forward_norm", b.FeedForwardNorm)
		linear(prefix+"up", b.Up)
		linear(prefix+"down", b.Down)
	}
	norm("final_norm", m.FinalNorm)
	return append(list, Parameter{"head.weight", m.Head})
}
