package train

import (
	"math"
	"testing"
)

var mlpOptions = MLPOptions{In: 64, Hidden: 256, Out: 10, Batch: 32, Seed: 1, Optimizer: DefaultAdamW}

func newMLP(t testing.TB, o MLPOptions) *MLP {
	t.Helper()
	m, err := NewMLP(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// trainMLP runs the tracked workload, 50 steps over batches of 32, and returns the losses.
func trainMLP(t *testing.T, seed uint64) (losses []float64) {
	t.Helper()
	o := mlpOptions
	o.Seed = seed
	m := newMLP(t, o)
	features, labels := Clusters(1, 50*32, o.In, o.Out)
	for step := range 50 {
		loss, err := m.Step(nil, features[step*32*o.In:][:32*o.In], labels[step*32:][:32])
		if err != nil {
			t.Fatal(err)
		}
		losses = append(losses, loss)
	}
	if m.Steps() != 50 || m.Samples() != 1600 {
		t.Errorf("%d steps and %d samples, want 50 and 1600", m.Steps(), m.Samples())
	}
	return losses
}

func TestMLPLossFalls(t *testing.T) {
	losses := trainMLP(t, 1)
	if losses[0] < 1.5 || losses[49] > 0.05 {
		t.Errorf("losses from %v to %v, want from above 1.5 to below 0.05", losses[0], losses[49])
	}
}

func TestMLPSameSeed(t *testing.T) {
	first, again, other := trainMLP(t, 1), trainMLP(t, 1), trainMLP(t, 2)
	for i := range first {
		if first[i] != again[i] {
			t.Errorf("step %d: loss %v, first %v", i+1, again[i], first[i])
		}
	}
	if first[0] == other[0] {
		t.Errorf("another seed gives the same loss %v", other[0])
	}
}

// Every gradient equals the central difference of the same network in float64.
func TestMLPGradients(t *testing.T) {
	o := MLPOptions{In: 3, Hidden: 5, Out: 4, Batch: 6, Seed: 1, Optimizer: DefaultAdamW}
	m := newMLP(t, o)
	for i := range m.input.bias {
		m.input.bias[i] = 0.1 * float32(i)
	}
	features, labels := Clusters(1, 6, o.In, o.Out)
	var weights [][]float64
	tensors := [][]float32{m.input.weight, m.input.bias, m.output.weight, m.output.bias}
	for _, s := range tensors {
		var w []float64
		for _, v := range s {
			w = append(w, float64(v))
		}
		weights = append(weights, w)
	}
	reference := func() float64 {
		loss := 0.0
		for r, label := range labels {
			logits := append([]float64(nil), weights[3]...)
			for h := range o.Hidden {
				x := weights[1][h]
				for i := range o.In {
					x += float64(features[r*o.In+i]) * weights[0][i*o.Hidden+h]
				}
				x = 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
				for j := range logits {
					logits[j] += x * weights[2][h*o.Out+j]
				}
			}
			sum := 0.0
			for _, v := range logits {
				sum += math.Exp(v)
			}
			loss += (math.Log(sum) - logits[label]) / float64(len(labels))
		}
		return loss
	}
	if got := func() float64 { m.forward(nil, features, 6); return m.loss(nil, labels) }(); math.Abs(got-reference()) > 1e-6 {
		t.Errorf("loss %v, by the reference %v", got, reference())
	}
	for range 2 { // the second pass must overwrite the gradients of the first
		m.backward(nil, features, 6)
	}
	for j, gradient := range [][]float32{m.input.dweight, m.input.dbias, m.output.dweight, m.output.dbias} {
		for i, got := range gradient {
			want := difference(func(d float64) float64 {
				at := weights[j][i]
				defer func() { weights[j][i] = at }()
				weights[j][i] += d
				return reference()
			})
			if math.Abs(float64(got)-want) > 1e-6 {
				t.Errorf("tensor %d element %d: gradient %g, by differences %g", j, i, got, want)
			}
		}
	}
}

func TestMLPBadInput(t *testing.T) {
	m := newMLP(t, MLPOptions{In: 3, Hidden: 5, Out: 4, Batch: 2, Seed: 1, Optimizer: DefaultAdamW})
	for _, tc := range []struct {
		features int
		labels   []int
		want     string
	}{
		{0, nil, "train step 1: the batch is empty: a step needs at least one window"},
		{9, []int{0, 1, 2}, "train step 1: 3 rows, the network was made for a batch of 2"},
		{5, []int{0, 1}, "train step 1: 5 features for 2 rows of 3"},
		{6, []int{0, 4}, "train step 1: label 4 of row 1 is not one of 4 classes"},
	} {
		if _, err := m.Step(nil, make([]float32, tc.features), tc.labels); err == nil || err.Error() != tc.want {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	before := digest([][]float32{m.input.weight, m.input.bias, m.output.weight, m.output.bias})
	_, err := m.Step(nil, []float32{1, float32(math.Inf(1)), 1}, []int{0})
	if want := "train step 1: the loss is NaN: the weights have diverged, start again with a learning rate below 0.001"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if digest([][]float32{m.input.weight, m.input.bias, m.output.weight, m.output.bias}) != before || m.Steps() != 0 {
		t.Error("the step changed the weights")
	}
	if _, err := NewMLP(MLPOptions{In: 1, Out: 1, Batch: 1}); err == nil || err.Error() != "mlp options: hidden is 0, want 1 or more" {
		t.Error(err)
	}
	if _, err := NewMLP(MLPOptions{In: 1, Hidden: 1, Out: 1, Batch: 1}); err == nil {
		t.Error("a learning rate of 0 is no error")
	}
}

func TestMLPStepAllocatesNothing(t *testing.T) {
	m := newMLP(t, mlpOptions)
	features, labels := Clusters(1, 32, 64, 10)
	if got := testing.AllocsPerRun(5, func() {
		if _, err := m.Step(nil, features, labels); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations a step, want 0", got)
	}
}
