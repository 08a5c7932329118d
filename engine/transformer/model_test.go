package transformer

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/engine/tensor"
)

// tiny has no two equal sizes, so that a test fails if the code confuses two of them.
var tiny = Config{Vocab: 13, Context: 10, Dim: 12, Layers: 3, Heads: 2}

// scrambled returns a model in which no weight is 0 or 1 and no two parts are alike. With the
// weights of New, attention is nearly uniform, and a missing bias or gain would not show.
func scrambled(c Config, seed uint64) *Model {
	m := New(c, seed)
	for i, p := range m.Parameters() {
		noise := New(c, seed+1+uint64(i)).TokenEmbedding.Data()
		for j := range p.Data() {
			if p.Data()[j] != 1 { // a gain stays near 1
				p.Data()[j] *= 15
			}
			p.Data()[j] += 10 * noise[j%len(noise)]
		}
	}
	return m
}

func TestParameterCounts(t *testing.T) {
	for _, tc := range []struct {
		config Config
		want   int
	}{
		{Small, 470_528},
		{Medium, 3_454_464},
		{tiny, 13*12 + 10*12 + 3*(24+12*36+36+12*12+12+24+12*48+48+48*12+12) + 24 + 12*13},
	} {
		sum := 0
		for _, p := range New(tc.config, 1).Parameters() {
			sum += p.Len()
		}
		if sum != tc.want || tc.config.ParameterCount() != tc.want {
			t.Errorf("%+v has %d parameters, ParameterCount says %d, want %d",
				tc.config, sum, tc.config.ParameterCount(), tc.want)
		}
		if got := tc.config.ParameterBytes(); got != 4*int64(tc.want) {
			t.Errorf("%+v: %d parameter bytes", tc.config, got)
		}
	}
}

func TestParameterNames(t *testing.T) {
	var got []string
	for _, p := range New(Config{Vocab: 13, Context: 10, Dim: 12, Layers: 1, Heads: 2}, 1).Parameters() {
		got = append(got, fmt.Sprint(p.Name, p.Shape()))
	}
	want := strings.Fields(`token_embedding[13,12] position_embedding[10,12]
		block.0.attention_norm.gain[12] block.0.attention_norm.bias[12]
		block.0.qkv.weight[12,36] block.0.qkv.bias[36]
		block.0.attention_out.weight[12,12] block.0.attention_out.bias[12]
		block.0.feed_forward_norm.gain[12] block.0.feed_forward_norm.bias[12]
		block.0.up.weight[12,48] block.0.up.bias[48]
		block.0.down.weight[48,12] block.0.down.bias[12]
		final_norm.gain[12] final_norm.bias[12] head.weight[12,13]`)
	for i := range want {
		want[i] = strings.ReplaceAll(want[i], ",", " ")
	}
	if !slices.Equal(got, want) {
		t.Errorf("parameters %q, want %q", got, want)
	}
}

// The parameters of a model from Zeros match those of a model from New one by one, and all of them
// are zero.
func TestZeros(t *testing.T) {
	m, zeros := New(tiny, 1), Zeros(tiny)
	for i, p := range zeros.Parameters() {
		like := m.Parameters()[i]
		if p.Name != like.Name || !slices.Equal(p.Shape(), like.Shape()) {
			t.Errorf("parameter %d is %s %v, the model's is %s %v", i, p.Name, p.Shape(), like.Name, like.Shape())
		}
		if slices.ContainsFunc(p.Data(), func(v float32) bool { return v != 0 }) {
			t.Errorf("%s is not all zero", p.Name)
		}
	}
}

func TestInitialWeights(t *testing.T) {
	m := New(Medium, 7)
	for _, tc := range []struct {
		name            string
		weights         *tensor.Tensor
		mean, deviation float64
	}{
		{"token embedding", m.TokenEmbedding, 0, 0.02},
		{"position embedding", m.PositionEmbedding, 0, 0.02},
		{"attention gain", m.Blocks[0].AttentionNorm.Gain, 1, 0},
		{"qkv weight", m.Blocks[1].QKV.Weight, 0, 0.02},
		{"qkv bias", m.Blocks[1].QKV.Bias, 0, 0},
		{"attention out weight", m.Blocks[2].AttentionOut.Weight, 0, 0.02 / math.Sqrt(8)},
		{"feed-forward gain", m.Blocks[2].FeedForwardNorm.Gain, 1, 0},
		{"up weight", m.Blocks[3].Up.Weight, 0, 0.02},
		{"down weight", m.Blocks[3].Down.Weight, 0, 0.02 / math.Sqrt(8)},
		{"final gain", m.FinalNorm.Gain, 1, 0},
		{"final bias", m.FinalNorm.Bias, 0, 0},
		{"head", m.Head, 0, 0.02},
	} {
		mean, deviation := moments(tc.weights.Data())
		if math.Abs(mean-tc.mean) > 2e-4 || math.Abs(deviation-tc.deviation) > 0.02*tc.deviation {
			t.Errorf("%s: mean %.5f and deviation %.5f, want %g and %g", tc.name, mean, deviation, tc.mean, tc.deviation)
		}
	}
}

func moments(s []float32) (mean, deviation float64) {
	for _, v := range s {
		mean += float64(v) / float64(len(s))
	}
	for _, v := range s {
		deviation += (float64(v) - mean) * (float64(v) - mean) / float64(len(s))
	}
	return mean, math.Sqrt(deviation)
}

// A seed gives the same weights on every machine and in every version. Otherwise, two commits would
// measure two different models.
func TestWeightsOfASeed(t *testing.T) {
	for _, tc := range []struct {
		seed uint64
		want uint64
	}{{1, 0x460b31ce1ce1852}, {2, 0xb3608075c98ffbb3}} {
		if got := digest(New(Small, tc.seed)); got != tc.want {
			t.Errorf("weights of seed %d have the digest %#x, want %#x", tc.seed, got, tc.want)
		}
	}
}

func digest(m *Model) uint64 {
	h := fnv.New64a()
	for _, p := range m.Parameters() {
		for _, v := range p.Data() {
			bits := math.Float32bits(v)
			h.Write([]byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})
		}
	}
	return h.Sum64()
}

func TestInvalidConfig(t *testing.T) {
	for _, tc := range []struct {
		config Config
		want   string
	}{
		{Config{0, 64, 128, 2, 4}, "model config: vocab is 0, want 1 to 1048576"},
		{Config{256, -1, 128, 2, 4}, "model config: context is -1, want 1 to 1048576"},
		{Config{256, 64, 1 << 21, 2, 4}, "model config: dim is 2097152, want 1 to 1048576"},
		{Config{256, 64, 128, 0, 4}, "model config: layers is 0, want 1 to 1048576"},
		{Config{256, 64, 128, 2, 0}, "model config: heads is 0, want 1 to 1048576"},
		{Config{256, 64, 128, 2, 3}, "model config: dim 128 is not a multiple of 3 heads"},
	} {
		if err := tc.config.Validate(); err == nil || err.Error() != tc.want {
			t.Errorf("%+v: %v, want %s", tc.config, err, tc.want)
		}
		func() {
			defer func() {
				if got, want := recover(), "transformer.Zeros: "+tc.want; got != want {
					t.Errorf("New(%+v) panics with %v, want %s", tc.config, got, want)
				}
			}()
			New(tc.config, 1)
		}()
	}
	for _, c := range []Config{Small, Medium, tiny, {1, 1, 1, 1, 1}} {
		if err := c.Validate(); err != nil {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
