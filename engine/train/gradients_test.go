package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/perftrack/perftrack/engine/transformer"
)

// tiny has no two equal sizes, so that a test fails if the code confuses two of them.
var tiny = transformer.Config{Vocab: 13, Context: 10, Dim: 12, Layers: 2, Heads: 3}

// scrambled returns a model in which no weight is 0 or 1 and no two parts are alike. With the
// weights of New, attention is nearly uniform, and an error in a gradient through it would hardly
// show.
func scrambled(c transformer.Config, seed uint64) *transformer.Model {
	m := transformer.New(c, seed)
	rng := rand.New(rand.NewPCG(seed, 2))
	for _, p := range m.Parameters() {
		for i, v := range p.Data() {
			if v != 1 { // a gain stays near 1
				p.Data()[i] *= 15
			}
			p.Data()[i] += float32(0.2 * rng.NormFloat64())
		}
	}
	return m
}

// tinyBatch repeats tokens within and between its sequences, so that several gradients add up in
// the same row. Some tokens do not occur in it.
var tinyBatch = []Sequence{
	{[]int{1, 5, 5, 2, 12, 1, 0, 9}, []int{5, 5, 2, 12, 1, 0, 9, 3}},
	{[]int{7, 1, 4}, []int{1, 4, 7}},
}

// computeGradients returns the loss of a batch and its gradients, computed without a Trainer.
func computeGradients(t *testing.T, m *transformer.Model, batch []Sequence) (float64, *Gradients) {
	t.Helper()
	acts, grads := m.NewActivations(m.Context), NewGradients(m.Config, m.Context)
	for _, s := range grads.parameters {
		for i := range s {
			s[i] = 7 // Zero must remove this
		}
	}
	grads.Zero(nil)
	loss, count := 0.0, 0
	for _, s := range batch {
		count += len(s.Tokens)
	}
	for _, s := range batch {
		if err := m.Record(nil, acts, s.Tokens); err != nil {
			t.Fatal(err)
		}
		loss += grads.Loss(nil, acts, s.Targets, count)
		grads.Backward(nil, m, acts)
	}
	return loss, grads
}

func TestLossOfReference(t *testing.T) {
	m := scrambled(tiny, 1)
	got, _ := computeGradients(t, m, tinyBatch)
	if want := newReference(m).loss(tinyBatch); math.Abs(got-want) > 1e-5 {
		t.Errorf("loss %v, by the reference %v", got, want)
	}
}

// This test checks some elements of every tensor, including the one with the largest gradient. The
// fourth-order central difference in float64 is accurate to 1e-9. float32 needs a tolerance of 2e-5
// of the tensor's largest gradient, and of 1e-7 for the gradient of the key biases. Without
// rounding this gradient is zero, because adding a constant to all scores does not change a
// softmax.
func TestGradientOfEveryTensor(t *testing.T) {
	m := scrambled(tiny, 1)
	_, grads := computeGradients(t, m, tinyBatch)
	ref := newReference(m)
	rng := rand.New(rand.NewPCG(1, 0))
	for _, p := range grads.Sum.Parameters() {
		largest := 0
		for i, v := range p.Data() {
			if math.Abs(float64(v)) > math.Abs(float64(p.Data()[largest])) {
				largest = i
			}
		}
		scale := math.Abs(float64(p.Data()[largest]))
		if scale == 0 {
			t.Errorf("%s: all gradients are zero", p.Name)
		}
		weights := ref.weights[p.Name]
		for _, i := range []int{largest, 0, p.Len() - 1, rng.IntN(p.Len()), rng.IntN(p.Len()), rng.IntN(p.Len()), rng.IntN(p.Len())} {
			want := difference(func(d float64) float64 {
				at := weights[i]
				defer func() { weights[i] = at }()
				weights[i] += d
				return ref.loss(tinyBatch)
			})
			if got := float64(p.Data()[i]); math.Abs(got-want) > 2e-5*scale+1e-7 {
				t.Errorf("%s[%d]: gradient %g, by differences %g (largest of the tensor %g)", p.Name, i, got, want, scale)
			}
		}
	}
}

// difference returns the derivative of loss at 0, computed as a fourth-order central difference.
func difference(loss func(d float64) float64) float64 {
	const h = 1e-3
	return (8*(loss(h)-loss(-h)) - (loss(2*h) - loss(-2*h))) / (12 * h)
}

// direction draws a direction in the space of all weights.
func direction(m *transformer.Model, seed uint64) map[string][]float64 {
	rng := rand.New(rand.NewPCG(seed, 3))
	d := map[string][]float64{}
	for _, p := range m.Parameters() {
		for range p.Len() {
			d[p.Name] = append(d[p.Name], rng.NormFloat64())
		}
	}
	return d
}

// slope returns the derivative in a direction and the length of the gradient: the standard
// deviation of the slopes in random directions.
func slope(grads *Gradients, along map[string][]float64) (slope, norm float64) {
	for _, p := range grads.Sum.Parameters() {
		for i, v := range p.Data() {
			slope += float64(v) * along[p.Name][i]
			norm += float64(v) * float64(v)
		}
	}
	return slope, math.Sqrt(norm)
}

// This test changes all weights at once, in directions independent of the input. It shows errors in
// elements that the test above does not check.
func TestDirectionalDerivative(t *testing.T) {
	m := scrambled(tiny, 1)
	_, grads := computeGradients(t, m, tinyBatch)
	for seed := range uint64(3) {
		along := direction(m, seed)
		got, norm := slope(grads, along)
		want := difference(func(d float64) float64 {
			ref := newReference(m)
			for name, w := range ref.weights {
				for i := range w {
					w[i] += 0.1 * d * along[name][i] // a smaller step, because many weights change at once
				}
			}
			return ref.loss(tinyBatch)
		}) / 0.1
		if math.Abs(got-want) > 1e-5*norm {
			t.Errorf("direction %d: slope %v, by differences %v, of a gradient of length %v", seed, got, want, norm)
		}
	}
}

// This test repeats TestDirectionalDerivative with the float32 model instead of the reference.
// Steps of 1e-3 change the loss by about 1e-3 of norm. Because of rounding errors of about 1e-7,
// the change is precise to about 1e-3, and the curvature causes an error of the same size.
func TestDirectionalDerivativeOfTheModel(t *testing.T) {
	m := scrambled(tiny, 1)
	_, grads := computeGradients(t, m, tinyBatch)
	for seed := range uint64(3) {
		along := direction(m, seed)
		got, norm := slope(grads, along)
		loss := func(step float64) float64 {
			moved := transformer.Zeros(m.Config)
			for j, p := range m.Parameters() {
				for i, v := range p.Data() {
					moved.Parameters()[j].Data()[i] = float32(float64(v) + step*along[p.Name][i])
				}
			}
			loss, _ := computeGradients(t, moved, tinyBatch)
			return loss
		}
		const h = 1e-3
		if want := (loss(h) - loss(-h)) / (2 * h); math.Abs(got-want) > 2e-3*norm {
			t.Errorf("direction %d: slope %v, by differences %v, of a gradient of length %v", seed, got, want, norm)
		}
	}
}

// Tokens and positions absent from the batch have a gradient of exactly 0.
func TestGradientOfAbsentTokens(t *testing.T) {
	m := scrambled(tiny, 1)
	_, grads := computeGradients(t, m, tinyBatch)
	for _, tc := range []struct {
		name string
		data []float32
		rows []int
	}{
		{"token", grads.Sum.TokenEmbedding.Data(), []int{3, 6, 8, 10, 11}},
		{"position", grads.Sum.PositionEmbedding.Data(), []int{8, 9}},
	} {
		for _, r := range tc.rows {
			for _, v := range tc.data[r*tiny.Dim:][:tiny.Dim] {
				if v != 0 {
					t.Errorf("%s %d has gradient %g", tc.name, r, v)
				}
			}
		}
	}
}

// Data that a longer sequence leaves in the buffers does not affect a shorter one.
func TestGradientsAfterALongerSequence(t *testing.T) {
	m := scrambled(tiny, 1)
	_, want := computeGradients(t, m, tinyBatch[1:])
	acts, grads := m.NewActivations(m.Context), NewGradients(m.Config, m.Context)
	for _, s := range tinyBatch {
		grads.Zero(nil)
		if err := m.Record(nil, acts, s.Tokens); err != nil {
			t.Fatal(err)
		}
		grads.Loss(nil, acts, s.Targets, len(s.Tokens))
		grads.Backward(nil, m, acts)
	}
	if got, want := digest(grads.parameters), digest(want.parameters); got != want {
		t.Errorf("gradients after a longer sequence have the digest %#x, alone %#x", got, want)
	}
}
