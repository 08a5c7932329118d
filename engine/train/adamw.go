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
	Beta1, Beta2 float64 // decay rates of the two moments per step, at least 0 and below 1
	Epsilon      float64 // added to the root of the second moment, above 0
	WeightDecay  float64 // multiplied by LearningRate, the fraction by which weights shrink per step
}

// DefaultAdamW has the usual constants: those of Adam (Kingma and Ba, arXiv:1412.6980, algorithm 1)
// and PyTorch's weight decay.
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
	Gradient []float32 // as long as Weights
	Decay    bool      // whether weight decay applies
}

// Pairs combines a model's weights with the gradients in a model of the same shape. Weight decay
// applies to matrices, including the embeddings, but not to biases and norms, as in the training of
// GPT-2 and GPT-3.
func Pairs(weights, gradients *transformer.Model) []Pair {
	var pairs []Pair
	sums := gradients.Parameters()
	for i, w := range weights.Parameters() {
		pairs = append(pairs, Pair{w.Name, w.Data(), sums[i].Data(), len(w.Shape()) > 1})
	}
	return pairs
}

// AdamW is Adam with decoupled weight decay (Loshchilov and Hutter, arXiv:1711.05101, algorithm 2).
// As in PyTorch, the decay is multiplied by the learning rate. At step t, for a weight w with
// gradient g,
//
//	m = beta1*m + (1-beta1)*g
//	v = beta2*v + (1-beta2)*g^2
//	w = w - rate*(m/(1-beta1^t) / (sqrt(v/(1-beta2^t)) + epsilon) + decay*w)
//
// The arithmetic is in float64; the weights and the moments m and v are stored as float32.
type AdamW struct {
	options AdamWOptions
	pairs   []Pair
	moments []moments // one for each pair
	steps   int
}

type moments struct{ first, second []float32 }

// NewAdamW returns an optimizer for these weights that has not taken a step yet. It returns an
// error if an option is out of range or if the slices in a pair differ in length.
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

// Step updates every weight using its gradient. It neither reads the clock nor allocates.
func (a *AdamW) Step() {
	a.steps++
	o, t := a.options, float64(a.steps)
	// These factors yield m/(1-beta1^t), multiplied by the learning rate, and v/(1-beta2^t).
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

// Steps returns the number of steps taken so far.
func (a *AdamW) Steps() int { return a.steps }
