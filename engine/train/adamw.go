package train

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/transformer"
)

// AdamWOptions are the constants of AdamW. Start from DefaultAdamW.
type AdamWOptions struct {
	LearningRate float64 // above 0
	Beta1, Beta2 float64 // decay of the two moments a step, from 0 to below 1
	Epsilon      float64 // added to the root of the second moment, above 0
	WeightDecay  float64 // share of a weight, times LearningRate, lost a step
}

// DefaultAdamW are the usual constants: those of Adam (Kingma and Ba,
// arXiv:1412.6980, algorithm 1) and PyTorch's weight decay.
var DefaultAdamW = AdamWOptions{LearningRate: 1e-3, Beta1: 0.9, Beta2: 0.999, Epsilon: 1e-8, WeightDecay: 0.01}

func (o AdamWOptions) validate() error {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	switch {
	case !positive(o.LearningRate):
		return fmt.Errorf("learning rate is %v, want a number above 0, such as DefaultAdamW's %v", o.LearningRate, DefaultAdamW.LearningRate)
	case !(o.Beta1 >= 0 && o.Beta1 < 1):
		return fmt.Errorf("beta1 is %v, want 0 to below 1", o.Beta1)
	case !(o.Beta2 >= 0 && o.Beta2 < 1):
		return fmt.Errorf("beta2 is %v, want 0 to below 1", o.Beta2)
	case !positive(o.Epsilon):
		return fmt.Errorf("epsilon is %v, want a number above 0", o.Epsilon)
	case o.WeightDecay != 0 && !positive(o.WeightDecay):
		return fmt.Errorf("weight decay is %v, want 0 or a number above", o.WeightDecay)
	}
	return nil
}

// Pair is a tensor of weights and the gradient of the loss with respect to it.
type Pair struct {
	Name     string
	Weights  []float32
	Gradient []float32 // as many elements
	Decay    bool      // whether weight decay applies
}

// Pairs pairs a model's weights with the gradients in a model of the same shape.
// Matrices decay, the embeddings among them; biases and norms do not, as in the
// training of GPT-2 and GPT-3.
func Pairs(weights, gradients *transformer.Model) []Pair {
	var pairs []Pair
	sums := gradients.Parameters()
	for i, w := range weights.Parameters() {
		pairs = append(pairs, Pair{w.Name, w.Data(), sums[i].Data(), len(w.Shape()) > 1})
	}
	return pairs
}

// AdamW is Adam with decoupled weight decay (Loshchilov and Hutter,
// arXiv:1711.05101, algorithm 2; the decay is multiplied with the learning rate,
// as in PyTorch). At step t, for a weight w with gradient g,
//
//	m = beta1*m + (1-beta1)*g
//	v = beta2*v + (1-beta2)*g^2
//	w = w - rate*(m/(1-beta1^t) / (sqrt(v/(1-beta2^t)) + epsilon) + decay*w)
//
// The arithmetic is float64, the weights and the moments m and v are float32.
type AdamW struct {
	options AdamWOptions
	pairs   []Pair
	moments []moments // of the pairs
	steps   int
}

type moments struct{ first, second []float32 }

// NewAdamW returns an optimizer of these weights that has made no step. It is an
// error if an option is out of its range or a pair's lengths differ.
func NewAdamW(o AdamWOptions, pairs []Pair) (*AdamW, error) {
	if err := o.validate(); err != nil {
		return nil, fmt.Errorf("adamw options: %w", err)
	}
	a := &AdamW{options: o, pairs: pairs}
	for _, p := range pairs {
		if len(p.Weights) != len(p.Gradient) {
			return nil, fmt.Errorf("adamw: %s has %d weights and %d gradients", p.Name, len(p.Weights), len(p.Gradient))
		}
		a.moments = append(a.moments, moments{make([]float32, len(p.Weights)), make([]float32, len(p.Weights))})
	}
	return a, nil
}

// Step changes every weight by its gradient. It neither reads the clock nor
// allocates.
func (a *AdamW) Step() {
	a.steps++
	o, t := a.options, float64(a.steps)
	// m/(1-beta1^t) and v/(1-beta2^t), with the learning rate in the first.
	step := kernels.AdamWStep{
		Beta1: o.Beta1, Beta2: o.Beta2, Epsilon: o.Epsilon,
		Rate:       o.LearningRate / (1 - math.Pow(o.Beta1, t)),
		Correction: 1 / (1 - math.Pow(o.Beta2, t)),
	}
	for i, p := range a.pairs {
		step.Kept = 1
		if p.Decay {
			step.Kept = 1 - o.LearningRate*o.WeightDecay
		}
		kernels.AdamW(p.Weights, p.Gradient, a.moments[i].first, a.moments[i].second, step)
	}
}

// Steps returns how many steps were made.
func (a *AdamW) Steps() int { return a.steps }
