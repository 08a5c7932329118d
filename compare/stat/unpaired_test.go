package stat

import (
	"math"
	"slices"
	"testing"

	"github.com/aclements/go-moremath/stats"
	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/internal/drawtest"
)

// samples draws values that are continuous, tied or zero.
func samples(minN int) *rapid.Generator[[]float64] {
	value := rapid.OneOf(
		rapid.Float64Range(1, 1000),
		rapid.Map(rapid.IntRange(0, 5), func(i int) float64 { return float64(i) }),
		rapid.Map(rapid.IntRange(100, 104), func(i int) float64 { return float64(i) }),
	)
	return rapid.SliceOfN(value, minN, 14)
}

func TestDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, h := slices.Sorted(slices.Values(samples(1).Draw(t, "b"))), slices.Sorted(slices.Values(samples(1).Draw(t, "h")))
		var all []float64
		for _, x := range b {
			for _, y := range h {
				all = append(all, y-x)
			}
		}
		slices.Sort(all)
		for i, want := range all {
			if got := difference(b, h, i+1); got != want {
				t.Fatalf("difference %d of %v is %v, want %v", i+1, all, got, want)
			}
		}
	})
}

// The interval is where the test stops rejecting: with its ends moved to the
// outside by any amount, the shifted samples are rejected at twice the tail.
func TestIntervalIsDualOfTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOfNDistinct(rapid.Float64Range(1, 2), 5, 12, rapid.ID).Draw(t, "b")
		h := rapid.SliceOfNDistinct(rapid.Float64Range(1, 2), 5, 12, rapid.ID).Draw(t, "h")
		s := (&Unpaired{Tail: 0.01}).Estimate(b, h)
		p := func(shift float64) float64 {
			moved := slices.Clone(h)
			for i := range moved {
				moved[i] -= shift
			}
			th := &benchmath.Thresholds{}
			return benchmath.AssumeNothing.Compare(benchmath.NewSample(slices.Clone(b), th), benchmath.NewSample(moved, th)).P
		}
		const eps = 1e-9
		if p(s.Lo-eps) > 0.02 || p(s.Hi+eps) > 0.02 {
			t.Fatalf("p just outside [%v, %v] is %v and %v", s.Lo, s.Hi, p(s.Lo-eps), p(s.Hi+eps))
		}
	})
}

// Beyond the sizes of the exact distribution the normal one stands in for it.
func TestNormalApproximation(t *testing.T) {
	for _, u := range []int{1300, 1500, 1700, 1799} {
		exact := stats.UDist{N1: 60, N2: 60}.CDF(float64(u))
		if got := uCDF(60, 60, u); math.Abs(got-exact) > 8e-4 {
			t.Errorf("P(U <= %d) is %v, exactly %v", u, got, exact)
		}
	}
}
