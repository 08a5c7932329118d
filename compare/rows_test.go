package compare

import (
	"fmt"
	"math"
	"testing"

	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// The test of unpaired samples returns the same results and warnings as benchmath's.
func TestBenchmathTest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.Map(rapid.IntRange(1, rapid.SampledFrom([]int{1, 2, 20, 1e6}).Draw(t, "values")), func(n int) float64 { return float64(n) })
		samples := rapid.Custom(func(t *rapid.T) []float64 {
			n := rapid.SampledFrom([]int{1, 5, 9, 10, 25, 26, 50, 51}).Draw(t, "n")
			return rapid.SliceOfN(value, n, n).Draw(t, "values")
		})
		c := Comparison{Options: Options{CompareAlpha: rapid.SampledFrom([]float64{0.05, 1e-3, 1e-9}).Draw(t, "alpha")}}
		a, b := newSample(samples.Draw(t, "a"), c.Options.CompareAlpha), newSample(samples.Draw(t, "b"), c.Options.CompareAlpha)
		got, want := c.test(false, a, b), benchmath.AssumeNothing.Compare(a, b)
		if math.Abs(got.P-want.P) > 1e-11*want.P {
			t.Errorf("p of %v and %v is %v, want %v", a.Values, b.Values, got.P, want.P)
		}
		got.P = want.P
		if fmt.Sprint(got) != fmt.Sprint(want) || fmt.Sprint(got.Warnings) != fmt.Sprint(want.Warnings) || got.Alpha != want.Alpha {
			t.Errorf("%v and %v: %+v, want %+v", a.Values, b.Values, got, want)
		}
	})
}
