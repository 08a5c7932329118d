package train

import (
	"math"

	"github.com/perftrack/perftrack/engine/transformer"
)

// A reference computes the loss in float64 from the definition of the model. It shares only the
// names of the parameters with the package. Its central differences are accurate to about ten
// digits, so a gradient differs from them only by the rounding of float32.
type reference struct {
	config  transformer.Config
	weights map[string][]float64
}

func newReference(m *transformer.Model) reference {
	ref := reference{m.Config, map[string][]float64{}}
	for _, p := range m.Parameters() {
		for _, v := range p.Data() {
			ref.weights[p.Name] = append(ref.weights[p.Name], float64(v))
		}
	}
	return ref
}

// loss returns the mean loss over all tokens of the batch.
func (ref reference) loss(batch []Sequence) float64 {
	loss, count := 0.0, 0
	for _, s := range batch {
		for i, logits := range ref.logits(s.Tokens) {
			sum := 0.0
			for _, v := range logits {
				sum += math.Exp(v)
			}
			loss += math.Log(sum) - logits[s.Targets[i]]
			count++
		}
	}
	return loss / float64(count)
}

// logits returns the logits of every position.
func (ref reference) logits(tokens []int) [][]float64 {
	dim := ref.config.Dim
	var stream [][]float64
	for position, token := range tokens {
		row := make([]float64, dim)
		for i := range row {
			row[i] = ref.weights["token_embedding"][token*dim+i] + ref.weights["position_embedding"][position*dim+i]
		}
		stream = append(stream, row)
	}
	for _, prefix := range []string{"block.0.", "block.1."}[:ref.config.Layers] {
		attended := ref.attend(prefix, stream)
		for t, row := range stream {
			accumulate(row, ref.affine(prefix+"attention_out", attended[t]))
			hidden := ref.affine(prefix+"up", ref.normalize(prefix+"feed_forward_norm", row))
			for i, x := range hidden {
				hidden[i] = 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
			}
			accumulate(row, ref.affine(prefix+"down", hidden))
		}
	}
	var logits [][]float64
	for _, row := range stream {
		logits = append(logits, ref.affine("head", ref.normalize("final_norm", row)))
	}
	return logits
}

// attend returns the heads' results side by side, for every position.
func (ref reference) attend(prefix string, stream [][]float64) (out [][]float64) {
	dim, width := ref.config.Dim, ref.config.HeadDim()
	var qkv [][]float64
	for t, row := range stream {
		qkv = append(qkv, ref.affine(prefix+"qkv", ref.normalize(prefix+"attention_norm", row)))
		mixed := make([]float64, dim)
		for head := 0; head < dim; head += width {
			weights, sum := make([]float64, t+1), 0.0
			for s := range weights {
				for i := head; i < head+width; i++ {
					weights[s] += qkv[t][i] * qkv[s][dim+i]
				}
				weights[s] = math.Exp(weights[s] / math.Sqrt(float64(width)))
				sum += weights[s]
			}
			for s, w := range weights {
				for i := head; i < head+width; i++ {
					mixed[i] += w / sum * qkv[s][2*dim+i]
				}
			}
		}
		out = append(out, mixed)
	}
	return out
}

// affine multiplies x by the named matrix and adds the bias, if there is one.
func (ref reference) affine(name string, x []float64) []float64 {
	weight := ref.weights[name+".weight"]
	out := make([]float64, len(weight)/len(x))
	copy(out, ref.weights[name+".bias"])
	for i, v := range x {
		for j := range out {
			out[j] += v * weight[i*len(out)+j]
		}
	}
	return out
}

func (ref reference) normalize(name string, x []float64) []float64 {
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = ref.weights[name+".gain"][i]*(v-mean)/math.Sqrt(variance+transformer.NormEpsilon) + ref.weights[name+".bias"][i]
	}
	return out
}

func accumulate(sum, x []float64) {
	for i, v := range x {
		sum[i] += v
	}
}
