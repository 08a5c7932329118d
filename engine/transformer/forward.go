package transformer

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/kernels/workers"
	"github.com/perftrack/perftrack/engine/profile"
	"github.com/perftrack/perftrack/engine/tensor"
)

// NormEpsilon is the value that the layer norms add to the variance, as in GPT-2.
const NormEpsilon = 1e-5

// Forward returns the logits of every position (tokens x Vocab) without using a cache; row i
// depends only on tokens[:i+1]. It returns an error if tokens is empty, longer than Context, or
// contains a token outside the vocabulary.
func (m *Model) Forward(p *profile.Stack, tokens []int) (*tensor.Tensor, error) {
	if err := m.checkWindow(tokens); err != nil {
		return nil, fmt.Errorf("forward: %w", err)
	}
	a := m.sharedActivations(len(tokens), len(tokens))
	a.Tokens = append(a.Tokens, tokens...)
	pass{m, a, p, nil, 0, len(tokens)}.run(len(tokens))
	return tensor.FromSlice(a.Logits, len(tokens), m.Vocab), nil
}

// Record computes the same as Forward, but leaves the logits and every intermediate result in a,
// from which the gradients can be computed. a must come from NewActivations. Record returns an
// error in the same cases as Forward, and if there are more tokens than a can hold.
func (m *Model) Record(p *profile.Stack, a *Activations, tokens []int) error {
	if err := m.checkWindow(tokens); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if len(tokens) > a.Capacity {
		return fmt.Errorf("record: %d tokens, the activations hold %d", len(tokens), a.Capacity)
	}
	a.Tokens = append(a.Tokens[:0], tokens...)
	pass{m, a, p, nil, 0, len(tokens)}.run(len(tokens))
	return nil
}

func (m *Model) checkWindow(tokens []int) error {
	if len(tokens) > m.Context {
		return fmt.Errorf("%d tokens, the context holds %d", len(tokens), m.Context)
	}
	return m.checkTokens(tokens)
}

func (m *Model) checkTokens(tokens []int) error {
	if len(tokens) == 0 {
		return errNoTokens
	}
	for i, token := range tokens {
		if token < 0 || token >= m.Vocab {
			return fmt.Errorf("token %d at position %d is not in the vocabulary of %d", token, i, m.Vocab)
		}
	}
	return nil
}

// pass is one run of a model over rows tokens, starting at position first of acts.Tokens. The
// blocks already hold the keys and values of the earlier positions.
type pass struct {
	model  *Model
	acts   *Activations
	scopes *profile.Stack
	pool   *workers.Pool
	first  int
	rows   int
}

// run computes the pass and leaves the logits of the last logitRows tokens in acts.Logits.
func (p pass) run(logitRows int) {
	p.embed(p.acts.Blocks[0].Input)
	for i := range p.model.Blocks {
		p.block(i)
	}
	p.logits(p.acts.Blocks[len(p.acts.Blocks)-1].Output, logitRows)
}

// embed initializes the residual stream with the sum of the two embeddings.
func (p pass) embed(stream []float32) {
	defer p.scopes.Scope("Embedding").End()
	dim := p.model.Dim
	for r := range p.rows {
		position := p.first + r
		token := p.acts.Tokens[position]
		kernels.Add(stream[r*dim:][:dim],
			p.model.TokenEmbedding.Data()[token*dim:][:dim],
			p.model.PositionEmbedding.Data()[position*dim:][:dim])
	}
}

func (p pass) block(i int) {
	defer p.scopes.Scope(p.model.layerNames[i]).End()
	b, a := &p.model.Blocks[i], &p.acts.Blocks[i]
	p.attention(b, a)
	p.feedForward(b, a)
}

// attention adds the block's attention to the residual stream.
func (p pass) attention(b *Block, a *BlockActivations) {
	defer p.scopes.Scope("Attention").End()
	p.norm(a.AttentionNorm, a.Input, b.AttentionNorm, p.rows)
	p.linear("QKVProjection", a.QKV, a.AttentionNorm, b.QKV)
	p.remember(a)
	p.mix(a)
	p.linear("OutputProjection", p.acts.projected, a.Mixed, b.AttentionOut)
	p.add(a.Middle, a.Input)
}

// feedForward adds the block's feed-forward layer to the residual stream.
func (p pass) feedForward(b *Block, a *BlockActivations) {
	defer p.scopes.Scope("FeedForward").End()
	p.norm(a.FeedForwardNorm, a.Middle, b.FeedForwardNorm, p.rows)
	p.linear("UpProjection", a.Hidden, a.FeedForwardNorm, b.Up)
	p.gelu(a.Activated, a.Hidden)
	p.linear("DownProjection", p.acts.projected, a.Activated, b.Down)
	p.add(a.Output, a.Middle)
}

// logits applies the final norm and the head to the last n tokens.
func (p pass) logits(stream []float32, n int) {
	defer p.scopes.Scope("Head").End()
	m := p.model
	final, last := p.acts.Final[:n*m.Dim], stream[(p.rows-n)*m.Dim:]
	p.norm(final, last, m.FinalNorm, n)
	defer p.scopes.Scope("VocabProjection").End()
	p.multiply(p.acts.Logits[:n*m.Vocab], final, m.Head, n)
}

// remember stores the new keys and values in the cache, which keeps each head's data together: the
// values as rows, the keys as columns.
func (p pass) remember(a *BlockActivations) {
	defer p.scopes.Scope("CacheWrite").End()
	dim, width := p.model.Dim, p.model.HeadDim()
	capacity := p.acts.Capacity
	for r := range p.rows {
		keys, values := a.QKV[(3*r+1)*dim:][:dim], a.QKV[(3*r+2)*dim:][:dim]
		for i, v := range keys {
			a.Keys[i*capacity+p.first+r] = v
		}
		for h := range p.model.Heads {
			copy(a.Values[(h*capacity+p.first+r)*width:][:width], values[h*width:])
		}
	}
}

// mix lets every head of every new position attend to this position and all earlier ones.
func (p pass) mix(a *BlockActivations) {
	defer p.scopes.Scope("AttentionHeads").End()
	p.acts.heads = heads{p, a, p.model.Heads}
	if threads := p.pool.Threads(); threads > 1 && p.rows*(p.first+p.rows)*p.model.Dim >= parallelAttention {
		p.acts.heads.each = (p.model.Heads + threads - 1) / threads
	}
	p.pool.Run(&p.acts.heads, (p.model.Heads+p.acts.heads.each-1)/p.acts.heads.each)
}

// parallelAttention is the number of multiplications between queries and keys above which it pays
// to divide the heads among threads.
const parallelAttention = 8192

// heads computes the attention of a block in parts. each is the largest number of heads in a part.
type heads struct {
	pass
	block *BlockActivations
	each  int
}

// Do computes one part.
func (p *heads) Do(part int) {
	a, dim, width, capacity := p.block, p.model.Dim, p.model.HeadDim(), p.acts.Capacity
	for h := part * p.each; h < min((part+1)*p.each, p.model.Heads); h++ {
		kernels.Attention(
			kernels.Rows{At: a.Mixed[h*width:], Stride: dim},
			kernels.Rows{At: a.Weights[h*a.headStride:], Stride: capacity},
			kernels.Rows{At: a.QKV[h*width:], Stride: 3 * dim},
			kernels.Rows{At: a.Keys[h*width*capacity:], Stride: capacity},
			kernels.Rows{At: a.Values[h*width*capacity:], Stride: width},
			p.first+1, p.rows, width)
	}
}

func (p pass) gelu(dst, src []float32) {
	defer p.scopes.Scope("GELU").End()
	n := p.rows * p.model.Hidden()
	kernels.GELU(dst[:n], src[:n])
}

func (p pass) norm(dst, src []float32, n Norm, rows int) {
	defer p.scopes.Scope("LayerNorm").End()
	size := rows * p.model.Dim
	kernels.LayerNorm(dst[:size], src[:size], n.Gain.Data(), n.Bias.Data(), rows, p.model.Dim, NormEpsilon)
}

func (p pass) linear(name string, dst, src []float32, l Linear) {
	defer p.scopes.Scope(name).End()
	in, out := l.Weight.Shape()[0], l.Weight.Shape()[1]
	dst = dst[:p.rows*out]
	p.multiply(dst, src[:p.rows*in], l.Weight, p.rows)
	kernels.AddRow(dst, dst, l.Bias.Data(), p.rows, out)
}

// multiply sets dst to the product of src, which has rows rows, and weight. The two kernels give
// the same result, bit for bit.
func (p pass) multiply(dst, src []float32, weight *tensor.Tensor, rows int) {
	in, out := weight.Shape()[0], weight.Shape()[1]
	if rows == 1 {
		kernels.ParallelVectorMatMul(p.pool, dst, src, weight.Data(), in, out)
		return
	}
	kernels.ParallelMatMul(p.pool, dst, src, weight.Data(), rows, in, out)
}

// add sets dst to the sum of the residual stream and a branch's projection.
func (p pass) add(dst, stream []float32) {
	size := p.rows * p.model.Dim
	kernels.Add(dst[:size], stream[:size], p.acts.projected[:size])
}
