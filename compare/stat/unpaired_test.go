package stat

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// samples returns a generator of samples with continuous, tied or zero values.
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

// The ends of the interval are the shifts at which the test starts to reject: if head is shifted
// back by slightly more than either end, the two-sided test rejects at twice the tail.
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

// Side returns the sign of the interval returned by Estimate.
func TestSideOfInterval(t *testing.T) {
	seen := map[int]int{}
	rapid.Check(t, func(t *rapid.T) {
		b, h := samples(1).Draw(t, "b"), samples(1).Draw(t, "h")
		if up := rapid.IntRange(-1, 1).Draw(t, "up"); up != 0 {
			for i := range h {
				h[i] += float64(up) * rapid.SampledFrom([]float64{0, 2, 300}).Draw(t, "more")
			}
		}
		u := &Unpaired{Tail: 0.025}
		s, want := u.Estimate(b, h), 0
		switch {
		case s.Lo > 0:
			want = +1
		case s.Hi < 0:
			want = -1
		}
		sign, ok := u.Side(b, h)
		if sign != want || ok == math.IsInf(s.Lo, -1) {
			t.Fatalf("side %d, %v of %v to %v", sign, ok, s.Lo, s.Hi)
		}
		if ok {
			seen[sign]++
		}
	})
	if seen[-1] == 0 || seen[0] == 0 || seen[1] == 0 {
		t.Errorf("sides %v", seen)
	}
}
