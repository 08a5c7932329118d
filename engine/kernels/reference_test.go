package kernels

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The references below compute the kernels' results in float64, using the defining formula where it
// is accurate. unit is the u in the error bounds.
const unit = 0x1p-24

func refMatMul(a, b []float32, m, k, n int) (product, magnitude []float64) {
	product, magnitude = make([]float64, m*n), make([]float64, m*n)
	for i := range m {
		for j := range n {
			for p := range k {
				v := float64(a[i*k+p]) * float64(b[p*n+j])
				product[i*n+j] += v
				magnitude[i*n+j] += math.Abs(v)
			}
		}
	}
	return product, magnitude
}

// refGELU uses the sigmoid form, because 1+tanh would lose all its digits for negative x.
// TestGELUReference compares it with the defining formula.
func refGELU(x float64) float64 {
	return x / (1 + math.Exp(-2*math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
}

func refGELUErf(x float64) float64 {
	return 0.5 * x * math.Erfc(-x/math.Sqrt2)
}

func refSoftmaxRow(src []float32) []float64 {
	top := math.Inf(-1)
	for _, v := range src {
		top = max(top, float64(v))
	}
	out, sum := make([]float64, len(src)), 0.0
	for i, v := range src {
		out[i] = math.Exp(float64(v) - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// refLayerNormRow also returns the sum of the magnitudes of each element's two terms.
func refLayerNormRow(src, gamma, beta []float32, eps float32) (out, magnitude []float64) {
	n := float64(len(src))
	mean, variance := 0.0, 0.0
	for _, v := range src {
		mean += float64(v) / n
	}
	for _, v := range src {
		variance += (float64(v) - mean) * (float64(v) - mean) / n
	}
	for i, v := range src {
		t := float64(gamma[i]) * (float64(v) - mean) / math.Sqrt(variance+float64(eps))
		out = append(out, t+float64(beta[i]))
		magnitude = append(magnitude, math.Abs(t)+math.Abs(float64(beta[i])))
	}
	return out, magnitude
}

// normal returns n random elements from the normal distribution with mean offset and standard
// deviation scale.
func normal(seed uint64, n int, scale, offset float64) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(rng.NormFloat64()*scale + offset)
	}
	return s
}

// filled returns n elements, all set to v. Filling dst with NaN reveals elements that a kernel did
// not write.
func filled(n int, v float32) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// sameBits reports whether x and y are equal bit by bit, treating all NaNs as equal.
func sameBits(x, y []float32) bool {
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if math.Float32bits(x[i]) != math.Float32bits(y[i]) && (x[i] == x[i] || y[i] == y[i]) {
			return false
		}
	}
	return true
}

// within fails t unless |got-want| <= bound. If got is NaN, it always fails.
func within(t interface {
	Helper()
	Fatalf(string, ...any)
}, what string, got float32, want, bound float64) {
	t.Helper()
	if !(math.Abs(float64(got)-want) <= bound) {
		t.Fatalf("%s = %g, want %g within %g (error %.3f u of it)",
			what, got, want, bound, math.Abs(float64(got)-want)/math.Abs(want)/unit)
	}
}

func TestGELUReference(t *testing.T) {
	for x := -12.0; x <= 12; x += 0.01 {
		tanh := 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
		if d := math.Abs(refGELU(x) - tanh); d > 1e-15*math.Abs(x) {
			t.Fatalf("refGELU(%g) = %g, by tanh %g", x, refGELU(x), tanh)
		}
		erf := 0.5 * x * (1 + math.Erf(x/math.Sqrt2))
		if d := math.Abs(refGELUErf(x) - erf); d > 1e-15*math.Abs(x) {
			t.Fatalf("refGELUErf(%g) = %g, by erf %g", x, refGELUErf(x), erf)
		}
	}
}
