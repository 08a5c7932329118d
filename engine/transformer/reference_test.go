package transformer

import "math"

// The reference below computes the logits in float64 from the definition, one position at a time
// and without a cache. It shares no code with the package, only the names of the model's
// parameters.

type reference struct {
	config  Config
	weights map[string][]float64
}

func newReference(m *Model) reference {
	ref := reference{m.Config, map[string][]float64{}}
	for _, p := range m.Parameters() {
		for _, v := range p.Data() {
			ref.weights[p.Name] = append(ref.weights[p.Name], float64(v))
		}
	}
	return ref
}

// logits returns the logits after the last of tokens.
func (ref reference) logits(tokens []int) []float64 {
	dim := ref.config.Dim
	var stream [][]float64
	for position, token := range tokens {
		row := make([]float64, dim)
		for i := range row {
			row[i] = ref.weights["token_embedding"][token*dim+i] + ref.weights["position_embedding"][position*dim+i]
		}
		stream = append(stream, row)
	}
	for _, prefix := range []string{"block.0.", "block.1.", "block.2."}[:ref.config.Layers] {
		attended := ref.attend(prefix, stream)
		for t, row := range stream {
			for i, v := range ref.affine(prefix+"attention_out", attended[t]) {
				row[i] += v
			}
			hidden := ref.affine(prefix+"up", ref.normalize(prefix+"feed_forward_norm", row))
			for i, x := range hidden {
				hidden[i] = 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
			}
			for i, v := range ref.affine(prefix+"down", hidden) {
				row[i] += v
			}
		}
	}
	last := ref.normalize("final_norm", stream[len(stream)-1])
	out := make([]float64, ref.config.Vocab)
	for i := range out {
		for j, v := range last {
			out[i] += v * ref.weights["head.weight"][j*len(out)+i]
		}
	}
	return out
}

// attend returns the heads' results side by side, for every position.
func (ref reference) attend(prefix string, stream [][]float64) (out [][]float64) {
	dim, width := ref.config.Dim, ref.config.Dim/ref.config.Heads
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

func (ref reference) affine(name string, x []float64) []float64 {
	out := append([]float64(nil), ref.weights[name+".bias"]...)
	for i, v := range x {
		for j := range out {
			out[j] += v * ref.weights[name+".weight"][i*len(out)+j]
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
		out[i] = ref.weights[name+".gain"][i]*(v-mean)/math.Sqrt(variance+1e-5) + ref.weights[name+".bias"][i]
	}
	return out
}
