package stat

import (
	"math"
	"testing"
)

// However many unknown hypotheses there are, a known one gets at least nine tenths of its share
// without them, and never less than in a single family. Together, the two families spend exactly
// one error rate.
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
