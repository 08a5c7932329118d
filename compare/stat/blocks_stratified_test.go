package stat

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"golang.org/x/perf/benchmath"
	"pgregory.net/rapid"
)

func benchP(a, b []float64) float64 {
	th := &benchmath.Thresholds{CompareAlpha: 0.05}
	return min(1, benchmath.AssumeNothing.Compare(
		benchmath.NewSample(slices.Clone(a), th), benchmath.NewSample(slices.Clone(b), th)).P)
}

// tails tests whether b lies above a by shift, in blocks of so many rounds.
func tails(block int, a, b []float64, shift float64) Tails {
	s := Stratified{Block: block}
	s.Load(pairsOf(a, b))
	return s.Tails(shift)
}

// With one block the test is benchmath's: exact, tied and beyond its exact limits.
func TestStratifiedIsBenchmaths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 12), rapid.SampledFrom([]int{24, 25, 26, 27, 40, 49, 50, 51, 60})).Draw(t, "n")
		value := rapid.OneOf(
			rapid.Float64Range(1, 2),
			rapid.Map(rapid.IntRange(0, 3), func(i int) float64 { return float64(i) }),
			rapid.Map(rapid.IntRange(100, 130), func(i int) float64 { return float64(i) }),
		)
		a, b := rapid.SliceOfN(value, n, n).Draw(t, "a"), rapid.SliceOfN(value, n, n).Draw(t, "b")
		if n <= blockRounds {
			if got, want := tails(blockRounds, a, b, 0).TwoSided(), benchP(a, b); math.Abs(got-want) > 1e-9 {
				t.Fatalf("one block of %d: p %v, benchmath %v", n, got, want)
			}
		}
		if got, want := tails(0, a, b, 0).TwoSided(), benchP(a, b); math.Abs(got-want) > 1e-9 {
			t.Fatalf("%v against %v: p %v, benchmath %v", b, a, got, want)
		}
	})
}

// The largest difference to benchmath over a fixed 2,000 samples.
func TestStratifiedPrecision(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	worst := 0.0
	for i := range 2000 {
		n := 1 + r.IntN(20)
		a, b := draw(r, n, 100, 0.1), draw(r, n, 105, 0.1)
		if i%2 == 1 {
			for k := range a {
				a[k], b[k] = math.Round(a[k]/4), math.Round(b[k]/4)
			}
		}
		worst = max(worst, math.Abs(tails(0, a, b, 0).TwoSided()-benchP(a, b)))
	}
	t.Logf("largest difference to benchmath %.2g", worst)
	if worst > 1e-9 {
		t.Errorf("p differs from benchmath's by %v", worst)
	}
}

// The tails are the shares of all ways of dealing the samples of each block to
// both sides, counted one by one.
func TestStratifiedCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		block := rapid.IntRange(2, 3).Draw(t, "block")
		n := rapid.IntRange(1, 2*block).Draw(t, "rounds")
		value := rapid.Map(rapid.IntRange(0, 6), func(i int) float64 { return float64(i) })
		a, b := rapid.SliceOfN(value, n, n).Draw(t, "a"), rapid.SliceOfN(value, n, n).Draw(t, "b")
		shift := float64(rapid.IntRange(-1, 1).Draw(t, "shift"))
		missing := rapid.IntRange(0, n).Draw(t, "missing")
		if missing < n {
			b[missing] = math.NaN()
		}
		got := tails(block, a, b, shift)
		want := countTails(a, b, block, shift)
		if math.Abs(got.Up-want.Up) > 1e-12 || math.Abs(got.Down-want.Down) > 1e-12 {
			t.Fatalf("%v against %v at %v in blocks of %d: %+v, counted %+v", b, a, shift, block, got, want)
		}
	})
}

func countTails(a, b []float64, block int, shift float64) Tails {
	twice := func(a, b []float64) (w int) {
		for _, x := range a {
			for _, y := range b {
				switch {
				case y > x:
					w += 2
				case y == x:
					w++
				}
			}
		}
		return w
	}
	dist, observed := map[int]float64{0: 1}, 0
	for lo := 0; lo < len(a); lo += block {
		var blockA, all []float64
		var blockB []float64
		for i := lo; i < min(lo+block, len(a)); i++ {
			if a[i] == a[i] && b[i] == b[i] {
				blockA, blockB = append(blockA, a[i]), append(blockB, b[i]-shift)
			}
		}
		all = append(slices.Clone(blockA), blockB...)
		observed += twice(blockA, blockB)
		one, ways := map[int]float64{}, 0.0
		for set := range 1 << len(all) {
			if bits.OnesCount(uint(set)) != len(blockA) {
				continue
			}
			var x, y []float64
			for i, v := range all {
				if set>>i&1 == 1 {
					x = append(x, v)
				} else {
					y = append(y, v)
				}
			}
			one[twice(x, y)]++
			ways++
		}
		sum := map[int]float64{}
		for k, p := range dist {
			for j, q := range one {
				sum[k+j] += p * q / ways
			}
		}
		dist = sum
	}
	var out Tails
	for k, p := range dist {
		if k >= observed {
			out.Up += p
		}
		if k <= observed {
			out.Down += p
		}
	}
	return out
}

// The estimate is the median of the differences within blocks. Outside the
// interval the test rejects; the next difference inward it does not.
func TestStratifiedIntervalIsDual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 23).Draw(t, "n")
		a := rapid.SliceOfNDistinct(rapid.Float64Range(1, 2), n, n, rapid.ID).Draw(t, "a")
		b := rapid.SliceOfNDistinct(rapid.Float64Range(1, 2), n, n, rapid.ID).Draw(t, "b")
		tail := rapid.SampledFrom([]float64{0.001, 0.01, 0.05}).Draw(t, "tail")
		s := Stratified{Block: blockRounds}
		s.Load(pairsOf(a, b))
		got := s.Interval(tail)
		var d []float64
		for i := range a {
			for j := range b {
				if i/blockRounds == j/blockRounds {
					d = append(d, b[j]-a[i])
				}
			}
		}
		if want := Median(d); math.Abs(got.Center-want) > 1e-15 {
			t.Fatalf("center %v, median of differences %v", got.Center, want)
		}
		k := s.rank(tail)
		if k == 0 {
			if !math.IsInf(got.Lo, -1) || !math.IsInf(got.Hi, 1) {
				t.Fatalf("rank 0 with the interval %+v", got)
			}
			return
		}
		if got.Lo != d[k-1] || got.Hi != d[len(d)-k] {
			t.Fatalf("interval %+v, rank %d of %v", got, k, d)
		}
		const eps = 1e-9
		if s.Tails(got.Lo-eps).Up > tail || s.Tails(got.Hi+eps).Down > tail {
			t.Fatalf("not rejected outside %+v", got)
		}
	})
}

// Smallest one-sided p by number of rounds.
func TestStratifiedSmallestP(t *testing.T) {
	for _, tt := range []struct {
		n    int
		want float64
	}{{5, 1.0 / 252}, {10, 1.0 / 252 / 252}, {15, 1.0 / 252 / 252 / 252}, {12, 1.0 / 252 / 252 / 6}} {
		a, b := make([]float64, tt.n), make([]float64, tt.n)
		for i := range a {
			a[i], b[i] = float64(i), float64(100+i)
		}
		got := tails(blockRounds, a, b, 0)
		if math.Abs(got.Up/tt.want-1) > 1e-12 || math.Abs(got.Down-1) > 1e-12 {
			t.Errorf("n=%d: %+v, want %v", tt.n, got, tt.want)
		}
	}
}
