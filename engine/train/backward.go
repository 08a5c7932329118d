package train

import (
	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

// backward is one backward pass through a model. It runs the stages of a forward pass in reverse,
// with the same scope names. Between two stages, grads.stream holds the gradient of the residual
// stream at that point. A branch was added to the stream, so its backward pass starts from that
// gradient and ends by adding to it.
type backward struct {
	grads  *Gradients
	model  *transformer.Model
	acts   *transformer.Activations
	scopes *profile.Stack
	rows   int
}

// head initializes the stream's gradient to the gradient of the final norm's input.
func (b backward) head() {
	defer b.scopes.Scope("Head").End()
	g, m := b.grads, b.model
	final := b.acts.Final[:b.rows*m.Dim]
	b.projection(g.Sum.Head.Data(), m.Head.Data(), final, g.logits[:b.rows*m.Vocab])
	clear(g.stream)
	b.norm(b.acts.Blocks[len(b.acts.Blocks)-1].Output, m.FinalNorm, g.Sum.FinalNorm)
}

// projection is the backward pass of the vocabulary projection, a linear map without a bias.
func (b backward) projection(dweight, weight, src, dout []float32) {
	defer b.scopes.Scope("VocabProjection").End()
	dsrc := b.grads.branch[:len(src)]
	clear(dsrc)
	kernels.MatMulBackward(dsrc, dweight, dout, src, weight, b.rows, b.model.Dim, b.model.Vocab)
}

func (b backward) block(i int) {
	defer b.scopes.Scope(b.grads.layerNames[i]).End()
	weights, sum, acts := &b.model.Blocks[i], &b.grads.Sum.Blocks[i], &b.acts.Blocks[i]
	b.feedForward(weights, sum, acts)
	b.attention(weights, sum, acts)
}

func (b backward) feedForward(weights, sum *transformer.Block, acts *transformer.BlockActivations) {
	defer b.scopes.Scope("FeedForward").End()
	g := b.grads
	b.linear("DownProjection", g.hidden, g.stream, acts.Activated, weights.Down, sum.Down)
	b.gelu(acts.Hidden)
	b.linear("UpProjection", g.branch, g.hidden, acts.FeedForwardNorm, weights.Up, sum.Up)
	b.norm(acts.Middle, weights.FeedForwardNorm, sum.FeedForwardNorm)
}

func (b backward) attention(weights, sum *transformer.Block, acts *transformer.BlockActivations) {
	defer b.scopes.Scope("Attention").End()
	g := b.grads
	b.linear("OutputProjection", g.branch, g.stream, acts.Mixed, weights.AttentionOut, sum.AttentionOut)
	b.heads(acts)
	b.linear("QKVProjection", g.branch, g.qkv, acts.AttentionNorm, weights.QKV, sum.QKV)
	b.norm(acts.Input, weights.AttentionNorm, sum.AttentionNorm)
}

// linear sets dsrc to the gradient of a linear map's input and adds the gradients of the map's
// weights to sum.
func (b backward) linear(name string, dsrc, dout, src []float32, weights, sum transformer.Linear) {
	defer b.scopes.Scope(name).End()
	in, out := weights.Weight.Shape()[0], weights.Weight.Shape()[1]
	dsrc, dout, src = dsrc[:b.rows*in], dout[:b.rows*out], src[:b.rows*in]
	clear(dsrc)
	kernels.MatMulBackward(dsrc, sum.Weight.Data(), dout, src, weights.Weight.Data(), b.rows, in, out)
	kernels.AddRowBackward(sum.Bias.Data(), dout, b.rows, out)
}

func (b backward) gelu(src []float32) {
	defer b.scopes.Scope("GELU").End()
	d := b.grads.hidden[:b.rows*b.model.Hidden()]
	kernels.GELUBackward(d, d, src[:len(d)])
}

// norm takes the gradient of a norm's output from grads.branch and adds the gradient of the norm's
// input to grads.stream.
func (b backward) norm(src []float32, weights, sum transformer.Norm) {
	defer b.scopes.Scope("LayerNorm").End()
	dim := b.model.Dim
	size := b.rows * dim
	kernels.LayerNormBackward(b.grads.stream[:size], sum.Gain.Data(), sum.Bias.Data(),
		b.grads.branch[:size], src[:size], weights.Gain.Data(), b.rows, dim, transformer.NormEpsilon)
}

// heads computes grads.qkv from the gradient of the heads' results in grads.branch.
func (b backward) heads(acts *transformer.BlockActivations) {
	defer b.scopes.Scope("AttentionHeads").End()
	clear(b.grads.qkv)
	for h := range b.model.Heads {
		b.oneHead(acts, h)
	}
}

// oneHead is the backward pass of head h. Each row contains the queries, keys and values of all
// heads side by side.
func (b backward) oneHead(acts *transformer.BlockActivations, h int) {
	g, dim, width, capacity := b.grads, b.model.Dim, b.model.HeadDim(), b.acts.Capacity
	part := func(s []float32, i int) kernels.Rows {
		return kernels.Rows{At: s[i*dim+h*width:], Stride: 3 * dim}
	}
	kernels.AttentionBackward(
		part(g.qkv, 0), part(g.qkv, 1), part(g.qkv, 2), kernels.Rows{At: g.scores, Stride: b.rows},
		kernels.Rows{At: g.branch[h*width:], Stride: dim},
		kernels.Rows{At: acts.Weights[h*capacity*capacity:], Stride: capacity},
		part(acts.QKV, 0), part(acts.QKV, 1), part(acts.QKV, 2), 1, b.rows, width)
}

// embedding adds the stream's gradient to the rows of the two embeddings that initialized the
// stream.
func (b backward) embedding() {
	defer b.scopes.Scope("Embedding").End()
	dim := b.model.Dim
	tokens, positions := b.grads.Sum.TokenEmbedding.Data(), b.grads.Sum.PositionEmbedding.Data()
	for r, token := range b.acts.Tokens {
		d := b.grads.stream[r*dim:][:dim]
		row := tokens[token*dim:][:dim]
		kernels.Add(row, row, d)
		row = positions[r*dim:][:dim]
		kernels.Add(row, row, d)
	}
}
