package kernels

import (
	"math"

	"github.com/perftrack/perftrack/engine/kernels/simd"
)

// AdamWStep holds the parameters of one step of AdamW.
type AdamWStep struct {
	Beta1, Beta2 float64 // decay rates of the two moments
	Rate         float64 // learning rate / (1 - Beta1^t)
	Correction   float64 // 1 / (1 - Beta2^t)
	Epsilon      float64
	Kept         float64 // fraction of a weight left after the decay
}

// AdamW updates weights and the two moments from the gradient:
//
//	m = beta1*m + (1-beta1)*g
//	v = beta2*v + (1-beta2)*g^2
//	w = kept*w - rate*m/(sqrt(correction*v) + epsilon)
//
// (Loshchilov and Hutter, arXiv:1711.05101, algorithm 2). The four slices must have the same length
// and must not overlap. The arithmetic is in float64 and every result is rounded once, so all paths
// give the same bits.
func AdamW(weights, gradient, first, second []float32, s AdamWStep) {
	checkVector("AdamW", "gradient", gradient, len(weights))
	checkVector("AdamW", "first", first, len(weights))
	checkVector("AdamW", "second", second, len(weights))
	checkGradient("AdamW", "weights", weights, gradient, first, second)
	checkGradient("AdamW", "first", first, gradient, second)
	checkGradient("AdamW", "second", second, gradient)
	if path != simd.Generic {
		path.AdamW(weights, gradient, first, second,
			&simd.AdamWFactors{s.Beta1, 1 - s.Beta1, s.Beta2, 1 - s.Beta2, s.Rate, s.Correction, s.Epsilon, s.Kept})
		return
	}
	adamW(weights, gradient, first, second, s)
}

// adamW is AdamW in portable Go.
func adamW(weights, gradient, first, second []float32, s AdamWStep) {
	beta1, beta2 := s.Beta1, s.Beta2
	gradient, first, second = gradient[:len(weights)], first[:len(weights)], second[:len(weights)]
	for i, w := range weights {
		g := float64(gradient[i])
		m := beta1*float64(first[i]) + (1-beta1)*g
		v := beta2*float64(second[i]) + (1-beta2)*g*g
		first[i], second[i] = float32(m), float32(v)
		weights[i] = float32(s.Kept*float64(w) - s.Rate*m/(math.Sqrt(s.Correction*v)+s.Epsilon))
	}
}
