package train

import (
	"math"
	"math/rand/v2"

	"github.com/perftrack/perftrack/engine/kernels"
	"github.com/perftrack/perftrack/engine/profile"
)

// layer is a linear map in an MLP, x*weight + bias, together with its gradients.
type layer struct {
	in, out        int
	weight, bias   []float32
	dweight, dbias []float32
}

func newLayer(rng *rand.Rand, in, out int) layer {
	l := layer{in, out, make([]float32, in*out), make([]float32, out), make([]float32, in*out), make([]float32, out)}
	deviation := 1 / math.Sqrt(float64(in))
	for i := range l.weight {
		l.weight[i] = float32(deviation * rng.NormFloat64())
	}
	return l
}

func (l *layer) pairs(name string) []Pair {
	return []Pair{{name + ".weight", l.weight, l.dweight, true}, {name + ".bias", l.bias, l.dbias, false}}
}

func (l *layer) forward(p *profile.Stack, name string, dst, src []float32, rows int) {
	defer p.Scope(name).End()
	kernels.MatMul(dst, src, l.weight, rows, l.in, l.out)
	kernels.AddRow(dst, dst, l.bias, rows, l.out)
}

// backward sets the gradients of the layer's weights and, unless dsrc is nil, the gradient of its
// input.
func (l *layer) backward(p *profile.Stack, name string, dsrc, dout, src []float32, rows int) {
	defer p.Scope(name).End()
	clear(dsrc)
	clear(l.dweight)
	clear(l.dbias)
	kernels.MatMulBackward(dsrc, l.dweight, dout, src, l.weight, rows, l.in, l.out)
	kernels.AddRowBackward(l.dbias, dout, rows, l.out)
}
