package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/aclements/go-moremath/stats"
	"pgregory.net/rapid"
)

// The p of two samples agrees with benchstat, apart from its rounding errors.
func TestRankSum(t *testing.T) {
	var test RankSum
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.IntRange(1, rapid.SampledFrom([]int{2, 10, 100, 1e9}).Draw(t, "values"))
		sample := rapid.Map(rapid.SliceOfN(values, 1, 52), func(all []int) (sorted []float64) {
			for _, v := range all {
				sorted = append(sorted, float64(v))
			}
			slices.Sort(sorted)
			return sorted
		})
		a, b := sample.Draw(t, "a"), sample.Draw(t, "b")
		together := slices.Sorted(slices.Values(slices.Concat(a, b)))
		distinct := len(slices.Compact(together))
		most := stats.MannWhitneyTiesExactLimit
		if distinct == len(a)+len(b) {
			most = stats.MannWhitneyExactLimit
		}
		exact := distinct > 2 && max(len(a), len(b)) <= most
		p, ok := test.P(a, b)
		if ok != exact {
			t.Fatalf("p of %v and %v: exact %v, want %v", a, b, ok, exact)
		}
		if !ok {
			return
		}
		if want, err := stats.MannWhitneyUTest(a, b, stats.LocationDiffers); err != nil || math.Abs(p-want.P) > 1e-11*want.P {
			t.Errorf("p of %v and %v is %v, want %v, %v", a, b, p, want, err)
		}
	})
}

// BenchmarkRankSum reports the ratio of RankSum's shortest time for one p to the library's. The two
// are measured in turn.
func BenchmarkRankSum(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 2))
	sample := func(n, digits int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = math.Round(float64(digits) * (1 + 0.01*rnd.NormFloat64()))
		}
		slices.Sort(values)
		return values
	}
	for _, bb := range []struct {
		name      string
		n, digits int
	}{{"untied", 20, 1e9}, {"tied", 20, 1e4}, {"counts", 20, 100}} {
		b.Run(bb.name, func(b *testing.B) {
			var test RankSum
			x, y := sample(bb.n, bb.digits), sample(bb.n, bb.digits)
			ours, theirs := time.Hour, time.Hour
			for b.Loop() {
				start := time.Now()
				test.P(x, y)
				ours = min(ours, time.Since(start))
				b.StopTimer()
				start = time.Now()
				_, _ = stats.MannWhitneyUTest(x, y, stats.LocationDiffers)
				theirs = min(theirs, time.Since(start))
				b.StartTimer()
			}
			b.ReportMetric(float64(ours)/float64(theirs), "ratio")
		})
	}
}
