package train

import (
	"math"
	"testing"
)

// Two steps computed by hand, with rate 0.1, betas 0.9 and 0.99, epsilon 0.001, decay 0.5, for a
// weight of 2 with the gradients 0.5 and -1:
//
//	m1 = 0.1*0.5 = 0.05            /(1-0.9)  = 0.5
//	v1 = 0.01*0.25 = 0.0025        /(1-0.99) = 0.25
//	w1 = 2 - 0.1*(0.5/(0.5+0.001) + 0.5*2) = 2 - 0.1*(0.998003992 + 1) = 1.8001996008
//	m2 = 0.9*0.05 - 0.1 = -0.055   /(1-0.81) = -0.2894736842
//	v2 = 0.99*0.0025 + 0.01 = 0.012475  /(1-0.9801) = 0.6268844221
//	w2 = 1.8001996008 - 0.1*(-0.2894736842/(0.7917603944+0.001) + 0.5*1.8001996008)
//	   = 1.8001996008 - 0.1*(-0.3651465107 + 0.9000998004) = 1.7467042718
//
// Without decay: w1 = 2 - 0.0998003992 = 1.9001996008, w2 = 1.9001996008 + 0.0365146511.
func TestAdamWByHand(t *testing.T) {
	options := AdamWOptions{LearningRate: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 0.001, WeightDecay: 0.5}
	matrix, bias, gradient := []float32{2}, []float32{2}, []float32{0.5}
	a, err := NewAdamW(options, []Pair{{"matrix", matrix, gradient, true}, {"bias", bias, gradient, false}})
	if err != nil {
		t.Fatal(err)
	}
	for step, tc := range []struct {
		gradient     float32
		matrix, bias float64
	}{{0.5, 1.8001996008, 1.9001996008}, {-1, 1.7467042718, 1.9367142519}} {
		gradient[0] = tc.gradient
		a.Step()
		if math.Abs(float64(matrix[0])-tc.matrix) > 3e-7 || math.Abs(float64(bias[0])-tc.bias) > 3e-7 {
			t.Errorf("step %d: %.9f and %.9f, want %.9f and %.9f", step+1, matrix[0], bias[0], tc.matrix, tc.bias)
		}
	}
	if a.Steps() != 2 {
		t.Errorf("%d steps, want 2", a.Steps())
	}
}

// With the usual constants, the first step moves a weight by the learning rate, against the sign of
// the gradient, for a gradient of any size.
func TestAdamWFirstStep(t *testing.T) {
	weights, gradient := []float32{1, 1, 1}, []float32{1e-3, -5, 0}
	a, err := NewAdamW(DefaultAdamW, []Pair{{"bias", weights, gradient, false}})
	if err != nil {
		t.Fatal(err)
	}
	a.Step()
	for i, want := range []float64{0.999, 1.001, 1} {
		if math.Abs(float64(weights[i])-want) > 1e-7 {
			t.Errorf("weight %d = %v, want %v", i, weights[i], want)
		}
	}
}

func TestPairsDecay(t *testing.T) {
	m, grads := scrambled(tiny, 1), NewGradients(tiny, 1)
	want := map[string]bool{
		"token_embedding": true, "position_embedding": true, "head.weight": true,
		"final_norm.gain": false, "final_norm.bias": false,
		"block.1.qkv.weight": true, "block.1.qkv.bias": false, "block.0.attention_norm.gain": false,
		"block.0.up.weight": true, "block.0.down.bias": false, "block.1.attention_out.weight": true,
	}
	seen := 0
	for i, p := range Pairs(m, grads.Sum) {
		decay, listed := want[p.Name]
		if listed {
			seen++
		}
		if listed && p.Decay != decay {
			t.Errorf("%s: decay %v, want %v", p.Name, p.Decay, decay)
		}
		if &p.Weights[0] != &m.Parameters()[i].Data()[0] || &p.Gradient[0] != &grads.Sum.Parameters()[i].Data()[0] {
			t.Errorf("%s is not paired with its own gradient", p.Name)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d named pairs", seen, len(want))
	}
}

func TestAdamWOptions(t *testing.T) {
	for _, tc := range []struct {
		change func(o *AdamWOptions)
		want   string
	}{
		{func(o *AdamWOptions) { *o = AdamWOptions{} }, "adamw options: learning rate is 0, want a number above 0, such as DefaultAdamW's 0.001"},
		{func(o *AdamWOptions) { o.LearningRate = math.Inf(1) }, "adamw options: learning rate is +Inf, want a number above 0, such as DefaultAdamW's 0.001"},
		{func(o *AdamWOptions) { o.Beta1 = 1 }, "adamw options: beta1 is 1, want 0 to below 1"},
		{func(o *AdamWOptions) { o.Beta2 = -0.1 }, "adamw options: beta2 is -0.1, want 0 to below 1"},
		{func(o *AdamWOptions) { o.Epsilon = math.NaN() }, "adamw options: epsilon is NaN, want a number above 0"},
		{func(o *AdamWOptions) { o.WeightDecay = -1 }, "adamw options: weight decay is -1, want 0 or a number above"},
	} {
		o := DefaultAdamW
		tc.change(&o)
		if _, err := NewAdamW(o, nil); err == nil || err.Error() != tc.want {
			t.Errorf("%+v: %v, want %s", o, err, tc.want)
		}
	}
	_, err := NewAdamW(DefaultAdamW, []Pair{{Name: "bias", Weights: make([]float32, 2), Gradient: make([]float32, 3)}})
	if want := "adamw: bias has 2 weights and 3 gradients"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
