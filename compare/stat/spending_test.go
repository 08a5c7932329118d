package stat

import (
	"math"
	"slices"
	"testing"
)

// The shares of every plan sum to the whole error rate, with as many
// continuations and further trials of the same commits as anyone likes.
func TestPlans(t *testing.T) {
	for name, p := range map[string]Plan{"check": BlocksPlan(), "fixed": FixedPlan(30)} {
		sum := 0.0
		for _, l := range p.Looks {
			sum += l.Share
		}
		if name == "check" && math.Abs(sum-0.9) > 1e-12 {
			t.Errorf("looks spend %v", sum)
		}
		for r := range 60 {
			sum += p.continuation(r+1) + p.FurtherShare(r+1)
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s spends %v", name, sum)
		}
	}
	pairs, sum := CheckPlan(), 0.0
	for _, l := range pairs.Looks {
		sum += l.Share
	}
	if sum += pairs.Reserve + pairs.Further; math.Abs(sum-1) > 1e-12 {
		t.Errorf("the plan of pairs spends %v", sum)
	}
	if got := []int{CheckPlan().NextLook(0), CheckPlan().NextLook(9), CheckPlan().NextLook(47), CheckPlan().NextLook(48)}; !slices.Equal(got, []int{9, 10, 48, 0}) {
		t.Errorf("looks %v", got)
	}
}
