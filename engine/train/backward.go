package train

import (
	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/transformer"
)

// backward is one way back through a model: the stages of a forward pass in
// reverse, under the same names. Between two stages the gradient of the residual
// stream at that place is in grads.stream. A branch starts with that gradient,
// because the stream is what the branch was added to, and ends by adding to it.
type backward struct {
	grads  *Gradients
	model  *transformer.Model
	acts   *transformer.Activations
	scopes *profile.Stack
	rows   int
}

// head starts the stream's gradient with that of the final norm's input.
func (b backward) head() {
	defer b.scopes.Scope("Head").End()
	g, m := b.grads, b.model
	final := b.acts.Final[:b.rows*m.Dim]
	b.projection(g.Sum.Head.Data(), m.Head.Data(), final, g.logits[:b.rows*m.Vocab])
	clear(g.stream)
	b.norm(b.acts.Blocks[len(b.acts.Blocks)-1].Output, m.FinalNorm, g.Sum.FinalNorm)
}

// projection is the vocabulary projection, a linear map without a bias.
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

// linear sets dsrc to the gradient of a linear map's input and adds those of its
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

// norm adds to the stream's gradient that of the input of the norm whose
// output's gradient is in grads.branch.
func (b backward) norm(src []float32, weights, sum transformer.Norm) {
	defer b.scopes.Scope("LayerNorm").End()
	dim := b.model.Dim
	size := b.rows * dim
	kernels.LayerNormBackward(b.grads.stream[:size], sum.Gain.Data(), sum.Bias.Data(),
		b.grads.branch[:size], src[:size], weights.Gain.Data(), b.rows, dim, transformer.NormEpsilon)
}

// heads sets grads.qkv from the gradient of the heads' results in grads.branch.
func (b backward) heads(acts *transformer.BlockActivations) {
	defer b.scopes.Scope("AttentionHeads").End()
	clear(b.grads.qkv)
	for h := range b.model.Heads {
		b.oneHead(acts, h)
	}
}

// oneHead goes back through one head. The gradients of its keys and values gather
// from all positions that saw them before they are put into their rows.
func (b backward) oneHead(acts *transformer.BlockActivations, h int) {
	g, dim, width, capacity := b.grads, b.model.Dim, b.model.HeadDim(), b.acts.Capacity
	keys, values := acts.Keys[h*capacity*width:], acts.Values[h*capacity*width:]
	dkeys, dvalues := g.keys[:b.rows*width], g.values[:b.rows*width]
	clear(dkeys)
	clear(dvalues)
	for r := range b.rows {
		seen := r + 1
		query := r*3*dim + h*width
		kernels.AttentionBackward(
			g.qkv[query:][:width], dkeys[:seen*width], dvalues[:seen*width], g.scores[:seen],
			g.branch[r*dim+h*width:][:width], acts.Weights[(h*capacity+r)*capacity:][:seen],
			acts.QKV[query:][:width], keys[:seen*width], values[:seen*width], seen, width)
	}
	for r := range b.rows {
		row := g.qkv[r*3*dim:][:3*dim]
		copy(row[dim+h*width:][:width], dkeys[r*width:])
		copy(row[2*dim+h*width:][:width], dvalues[r*width:])
	}
}

// embedding adds the stream's gradient to the rows of the two embeddings that
// started it.
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
