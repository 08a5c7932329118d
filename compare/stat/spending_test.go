package stat

import (
	"math"
	"slices"
	"testing"
)

// The shares of every plan sum to the whole error rate, however many continuations and further
// trials of the same commits there are.
func TestPlans(t *testing.T) {
	for name, p := range map[string]Plan{"check": CheckPlan(), "fixed": FixedPlan(30)} {
		sum := p.reserved(1 << 40)
		for _, l := range p.Looks {
			sum += l.Share
		}
		for n := range 60 {
			sum += p.FurtherShare(n + 1)
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s spends %v", name, sum)
		}
	}
	if got := []int{CheckPlan().NextLook(0), CheckPlan().NextLook(9), CheckPlan().NextLook(47), CheckPlan().NextLook(48)}; !slices.Equal(got, []int{9, 10, 48, 0}) {
		t.Errorf("looks %v", got)
	}
}
