package figures

import (
	"math"
	"testing"
)

// If the true rate equals the bound, the observed count or a more extreme one has a probability of
// 5 %.
func TestBinomialBounds(t *testing.T) {
	for _, tt := range []struct{ x, n int }{{0, 300}, {1, 300}, {12, 2000}, {16, 500}, {990, 1000}, {3, 10_000}} {
		sum, term := 0.0, 1.0
		p := AtMost(tt.x, tt.n)
		for k := range tt.x + 1 { // C(n,k) p^k (1-p)^(n-k)
			if k > 0 {
				term *= float64(tt.n-k+1) / float64(k) * p / (1 - p)
			} else {
				term = math.Pow(1-p, float64(tt.n))
			}
			sum += term
		}
		if math.Abs(sum-0.05) > 1e-9 && term > 0 {
			t.Errorf("%d of %d: a chance of %v at the bound %v", tt.x, tt.n, sum, p)
		}
		if lo := AtLeast(tt.n-tt.x, tt.n); math.Abs(lo-(1-p)) > 1e-12 {
			t.Errorf("%d of %d: bounds %v and %v", tt.x, tt.n, lo, p)
		}
	}
	if got, want := AtMost(0, 300), 1-math.Pow(0.05, 1.0/300); math.Abs(got-want) > 1e-12 {
		t.Errorf("none of 300: %v, want %v", got, want)
	}
	if AtMost(12, 2000) > 0.01 || AtMost(13, 2000) < 0.01 {
		t.Error("12 of 2,000 show at most 1 %, and 13 do not")
	}
}
