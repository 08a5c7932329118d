package transformer

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/engine/tensor"
)

// deviation is the standard deviation of GPT-2's initial weights.
const deviation = 0.02

// New returns a model of the given shape with GPT-2's initial weights, depending only on the seed.
// Embeddings and matrices are normally distributed with standard deviation 0.02. For the two
// matrices of a block that write to the residual stream it is 0.02/sqrt(2*Layers), so that the
// stream's variance does not grow with the depth (Radford et al. 2019, section 2.3). Biases are 0
// and gains are 1. A single PCG generates the numbers in the order of Parameters. New panics if
// c.Validate returns an error.
func New(c Config, seed uint64) *Model {
	m := Zeros(c)
	m.Initialize(seed)
	return m
}

// Initialize sets the weights of a model from Zeros to those of New with the same seed.
func (m *Model) Initialize(seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	residual := deviation / math.Sqrt(2*float64(m.Layers))

	draw(rng, m.TokenEmbedding, deviation)
	draw(rng, m.PositionEmbedding, deviation)
	for _, b := range m.Blocks {
		fill(b.AttentionNorm.Gain, 1)
		draw(rng, b.QKV.Weight, deviation)
		draw(rng, b.AttentionOut.Weight, residual)
		fill(b.FeedForwardNorm.Gain, 1)
		draw(rng, b.Up.Weight, deviation)
		draw(rng, b.Down.Weight, residual)
	}
	fill(m.FinalNorm.Gain, 1)
	draw(rng, m.Head, deviation)
}

func draw(rng *rand.Rand, t *tensor.Tensor, deviation float64) {
	data := t.Data()
	for i := range data {
		data[i] = float32(deviation * rng.NormFloat64())
	}
}

func fill(t *tensor.Tensor, v float32) {
	for i := range t.Data() {
		t.Data()[i] = v
	}
}
