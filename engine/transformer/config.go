package transformer

import "fmt"

// Config is the shape of a model.
type Config struct {
	Vocab   int // token ids are 0 to Vocab-1
	Context int // number of positions, and the most tokens in one pass
	Dim     int // width of the residual stream, a multiple of Heads
	Layers  int
	Heads   int
}

// Small and Medium are the two tracked models. They have 470,528 and 3,454,464 parameters. Decoding
// a token reads 1.7 MB of weights in Small and 13.2 MB in Medium, so Medium shows the cost of
// weights that do not fit into the second-level cache.
var (
	Small  = Config{Vocab: 256, Context: 64, Dim: 128, Layers: 2, Heads: 4}
	Medium = Config{Vocab: 512, Context: 128, Dim: 256, Layers: 4, Heads: 8}
)

// Validate returns an error if no model can have this shape.
func (c Config) Validate() error {
	const limit = 1 << 20 // keeps products of two sizes, and their sums over layers, from overflowing
	for _, size := range []struct {
		name  string
		value int
	}{
		{"vocab", c.Vocab}, {"context", c.Context}, {"dim", c.Dim}, {"layers", c.Layers}, {"heads", c.Heads},
	} {
		if size.value < 1 || size.value > limit {
			return fmt.Errorf("model config: %s is %d, want 1 to %d", size.name, size.value, limit)
		}
	}
	if c.Dim%c.Heads != 0 {
		return fmt.Errorf("model config: dim %d is not a multiple of %d heads", c.Dim, c.Heads)
	}
	return nil
}

// HeadDim returns the width of one attention head.
func (c Config) HeadDim() int { return c.Dim / c.Heads }

// Hidden returns the width of the feed-forward layer, four times Dim.
func (c Config) Hidden() int { return 4 * c.Dim }

// ParameterCount returns the number of weights:
//
//	embeddings  (Vocab + Context)*Dim
//	each layer  12*Dim^2 in four matrices, 9*Dim in their biases, 4*Dim in two norms
//	final norm  2*Dim
//	head        Dim*Vocab
func (c Config) ParameterCount() int {
	return (c.Vocab+c.Context)*c.Dim + c.Layers*(12*c.Dim*c.Dim+13*c.Dim) + 2*c.Dim + c.Dim*c.Vocab
}

const floatBytes = 4

// ParameterBytes returns the size of all weights in bytes.
func (c Config) ParameterBytes() int64 { return floatBytes * int64(c.ParameterCount()) }

// WeightBytes returns how many bytes of weights a pass over rows tokens has to read if it reads
// each weight once: the layers, the final norm, the head, and the tokens' own rows of the two
// embeddings. With rows = 1 this sets the lower bound that memory bandwidth imposes on decoding.
func (c Config) WeightBytes(rows int) int64 {
	embeddings := (c.Vocab + c.Context) * c.Dim
	return floatBytes * int64(c.ParameterCount()-embeddings+2*rows*c.Dim)
}

// CacheBytes returns the size of the cached keys and values of n positions. A token that attends to
// n positions, including its own, reads this many bytes in addition to the weights.
func (c Config) CacheBytes(n int) int64 {
	return floatBytes * 2 * int64(c.Layers) * int64(c.Dim) * int64(n)
}

// The operation counts below cover the matrix products and count a multiplication and an addition
// as two: 2*12*Dim^2 per layer and token, 4*Dim per layer, token and attended position (scores and
// weighted values), and 2*Dim*Vocab per row of logits. As is usual for models, they omit biases,
// norms, softmax and GELU, which amount to about 1 %.

// ForwardFLOPs returns the number of operations in Model.Forward over n tokens.
func (c Config) ForwardFLOPs(n int) int64 { return c.passFLOPs(0, n, n) }

// PrefillFLOPs returns the number of operations in Session.Prefill with n tokens, which computes
// logits only for the last one.
func (c Config) PrefillFLOPs(n int) int64 { return c.passFLOPs(0, n, min(n, 1)) }

// DecodeFLOPs returns the number of operations in a Session.Decode that leaves n tokens in the
// window, provided that the window does not slide.
func (c Config) DecodeFLOPs(n int) int64 { return c.passFLOPs(n-1, 1, 1) }

// passFLOPs returns the number of operations in a pass over rows tokens when first tokens are
// already cached.
func (c Config) passFLOPs(first, rows, logitRows int) int64 {
	dim, layers, n := int64(c.Dim), int64(c.Layers), int64(rows)
	attended := n*int64(first) + n*(n+1)/2
	return layers*(24*dim*dim*n+4*dim*attended) + 2*dim*int64(c.Vocab)*int64(logitRows)
}
