package transformer

import "fmt"

// Config is the shape of a model.
type Config struct {
	Vocab   int // token ids are 0 to Vocab-1
	Context int // positions the model knows, so the most tokens in one pass
	Dim     int // width of the residual stream, a multiple of Heads
	Layers  int
	Heads   int
}

// The two tracked models: 470,528 and 3,454,464 parameters. A decoded token reads
// 1.7 MB of Small's weights and 13.2 MB of Medium's, so that Medium shows the
// cost of moving them past the second-level cache.
var (
	Small  = Config{Vocab: 256, Context: 64, Dim: 128, Layers: 2, Heads: 4}
	Medium = Config{Vocab: 512, Context: 128, Dim: 256, Layers: 4, Heads: 8}
)

// Validate reports what is wrong with a shape that no model can have.
func (c Config) Validate() error {
	const limit = 1 << 20 // so that no product of two overflows, nor a sum of layers
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

// ParameterBytes returns the memory of all weights.
func (c Config) ParameterBytes() int64 { return floatBytes * int64(c.ParameterCount()) }

// WeightBytes returns the bytes of weights that a pass over rows tokens has to
// read, each once: layers, final norm and head, and the tokens' own rows of the
// two embeddings. At rows = 1 it is the floor that memory sets to decoding.
func (c Config) WeightBytes(rows int) int64 {
	embeddings := (c.Vocab + c.Context) * c.Dim
	return floatBytes * int64(c.ParameterCount()-embeddings+2*rows*c.Dim)
}

// CacheBytes returns the bytes of cached keys and values of n positions: what
// a token that sees n positions, itself included, reads besides the weights.
func (c Config) CacheBytes(n int) int64 {
	return floatBytes * 2 * int64(c.Layers) * int64(c.Dim) * int64(n)
}

// The operation counts below hold the matrix products, a multiplication and an
// addition being two: 2*12*Dim^2 a layer and token, 4*Dim a layer, token and
// position attended to (scores and weighted values), 2*Dim*Vocab a row of
// logits. Biases, norms, softmax and GELU, about 1 % of it, are left out, as is
// usual for models.

// ForwardFLOPs returns the operations of Model.Forward over n tokens.
func (c Config) ForwardFLOPs(n int) int64 { return c.passFLOPs(0, n, n) }

// PrefillFLOPs returns the operations of Session.Prefill of n tokens, which
// computes the logits of the last one only.
func (c Config) PrefillFLOPs(n int) int64 { return c.passFLOPs(0, n, min(n, 1)) }

// DecodeFLOPs returns the operations of one Session.Decode after which the
// window holds n tokens, while it does not slide.
func (c Config) DecodeFLOPs(n int) int64 { return c.passFLOPs(n-1, 1, 1) }

// passFLOPs counts a pass over rows tokens after first cached ones.
func (c Config) passFLOPs(first, rows, logitRows int) int64 {
	dim, layers, n := int64(c.Dim), int64(c.Layers), int64(rows)
	attended := n*int64(first) + n*(n+1)/2
	return layers*(24*dim*dim*n+4*dim*attended) + 2*dim*int64(c.Vocab)*int64(logitRows)
}
