package stat

import (
	"math"
	"testing"
)

// However many unknown hypotheses there are, a known one has at least nine tenths of what
// it has without them, and never less than in one family of all; and both families
// together spend what one does.
func TestSharing(t *testing.T) {
	for known := range 40 {
		for _, unknown := range []int{0, 1, 3, 30, 400, 10_000} {
			if known+unknown == 0 {
				continue
			}
			k, u := Sharing(known, unknown, false), Sharing(known, unknown, true)
			if known > 0 && (k > float64(known+unknown)+1e-9 || k > float64(known)/0.9+1e-9) {
				t.Errorf("%d known beside %d unknown share with %v", known, unknown, k)
			}
			if spent := float64(known)/k + float64(unknown)/u; math.Abs(spent-1) > 1e-9 {
				t.Errorf("%d known and %d unknown spend %v of alpha", known, unknown, spent)
			}
		}
	}
}
