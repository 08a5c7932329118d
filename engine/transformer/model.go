// Package transformer provides the language model of the inference engine: a GPT-2 style decoder in
// float32, built on engine/kernels and engine/tensor. The workloads measure it, and engine/train
// trains it.
//
// The architecture follows Radford et al., Language Models are Unsupervised Multitask Learners
// (2019), section 2.3: learned token and position embeddings; blocks that add attention and then a
// feed-forward layer to the residual stream, each preceded by a layer norm; and a final norm. The
// output head is a separate matrix without bias rather than the transposed token embedding.
//
// There are two ways to run the model. Model.Forward computes every position of one window. A
// Session keeps the keys and values of the positions it has seen, so each further token costs the
// work of one position and no allocations. Both run the same stages, in forward.go. Every sum is
// computed in the same order however many positions are computed at once, so both give the same
// logits, bit for bit.
//
// Every function that runs a stage takes a profile's stack, or nil, and opens these scopes in it:
// Embedding; Layer_0 and so on with Attention (LayerNorm, QKVProjection, CacheWrite,
// AttentionHeads, OutputProjection) and FeedForward (LayerNorm, UpProjection, GELU,
// DownProjection); Head (LayerNorm, VocabProjection). The caller, such as Session.Generate, opens a
// scope for the whole call.
//
// The same seed gives the same weights and tokens on one architecture; between architectures the
// last bit may differ, because some compilers fuse multiplications with additions.
//
// Begin with model.go and forward.go. session.go contains the cache; generate.go and sampler.go
// choose tokens.
package transformer

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/tensor"
)

// Model holds the weights of a decoder. Passes only read them, so any number of passes may run at
// once as long as nothing modifies the weights.
type Model struct {
	Config
	TokenEmbedding    *tensor.Tensor // Vocab x Dim
	PositionEmbedding *tensor.Tensor // Context x Dim
	Blocks            []Block        // Layers
	FinalNorm         Norm
	Head              *tensor.Tensor // Dim x Vocab

	layerNames []string // names of the blocks in a profile
}

// Block holds the weights of one layer.
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

// Norm holds the weights of a layer norm. Both tensors have Dim elements.
type Norm struct{ Gain, Bias *tensor.Tensor }

// Parameter is a tensor of weights with its name, such as "block.0.qkv.weight".
type Parameter struct {
	Name string
	*tensor.Tensor
}

// slabParameters is the smallest number of parameters of a model allocated in one piece, on huge
// pages. Smaller models would fill hardly any huge pages, and for small tensors the allocator can
// reuse memory.
const slabParameters = 1 << 20

// Zeros returns a model whose weights are all zero. It can hold gradients or an optimizer's
// moments, because its Parameters correspond to the Parameters of every model with the same Config.
// Zeros panics if c.Validate returns an error.
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

// Parameters returns all weights in the order in which the model uses them. The tensors are shared
// with the model, not copied.
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
