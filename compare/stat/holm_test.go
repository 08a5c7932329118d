package stat

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestHolmProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 0, 40).Draw(t, "p")
		adjusted := Holm(p, len(p), 1)
		for i := range p {
			if adjusted[i] < p[i] || adjusted[i] > 1 || adjusted[i] > float64(len(p))*p[i] {
				t.Fatalf("p %v adjusted to %v", p[i], adjusted[i])
			}
			for j := range p {
				if p[i] < p[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("%v < %v but adjusted %v > %v", p[i], p[j], adjusted[i], adjusted[j])
				}
			}
		}
	})
}

func TestHolmLiteral(t *testing.T) {
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005}, 4, 1)
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} { // R: p.adjust(c(.01,.04,.03,.005), "holm")
		if math.Abs(got[i]-want) > 1e-12 {
			t.Errorf("got %v", got)
		}
	}
}
