package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// differing returns pairs with the given differences.
func differing(diffs ...float64) (pairs []Pair) {
	for _, d := range diffs {
		pairs = append(pairs, Pair{Base: 10, Head: 10 + d})
	}
	return pairs
}

// The tails equal those computed from all 2^n coin outcomes, even with ties, zeros and infinite
// differences, whether or not ranks are capped.
func TestSignedRankIsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 0; n <= 11; n++ {
		for _, levels := range []int{2, 4, 1000} {
			for _, capped := range []bool{false, true} {
				diffs := make([]float64, n)
				for i := range diffs {
					diffs[i] = float64(rng.IntN(2*levels+1) - levels)
					if levels == 4 && rng.IntN(4) == 0 {
						diffs[i] = math.Inf(1 - 2*rng.IntN(2))
					}
				}
				shift := float64(rng.IntN(3) - 1)
				s := SignedRank{Capped: capped}
				s.Load(differing(diffs...))
				top := float64(n)
				if capped {
					top = math.Ceil(0.4 * top)
				}
				got, want := s.Tails(shift), enumerated(diffs, shift, top)
				if math.Abs(got.Up-want.Up) > 1e-12 || math.Abs(got.Down-want.Down) > 1e-12 {
					t.Errorf("%v by %v, capped %v: %v, want %v", diffs, shift, capped, got, want)
				}
			}
		}
	}
}

// enumerated computes the tails by giving the differences all combinations of signs. No rank is
// above top.
func enumerated(diffs []float64, shift, top float64) Tails {
	n := len(diffs)
	ranks := make([]float64, n)
	var up, down float64
	for i, d := range diffs {
		for _, e := range diffs {
			switch a, b := math.Abs(d-shift), math.Abs(e-shift); {
			case b < a:
				ranks[i]++
			case b == a:
				ranks[i] += 0.5
			}
		}
		ranks[i] = min(ranks[i]+0.5, top)
		switch {
		case d > shift:
			up += ranks[i]
		case d < shift:
			down += ranks[i]
		}
	}
	var out Tails
	for signs := range 1 << n {
		sum := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				sum += r
			}
		}
		if sum >= up {
			out.Up++
		}
		if sum >= down {
			out.Down++
		}
	}
	return Tails{out.Up / float64(int(1)<<n), out.Down / float64(int(1)<<n)}
}

// Reference values: the number of Walsh averages beyond either end of the interval, and the
// one-sided p of a published sample. For Hollander and Wolfe's depression scores, R's
// wilcox.test(paired = TRUE, exact = TRUE) gives V = 40 and p = 0.01953.
func TestSignedRankReference(t *testing.T) {
	for _, tt := range []struct {
		n    int
		tail float64
		want int
	}{{10, .00225, 2}, {15, .001125, 10}, {20, .001125, 27}, {30, .00225, 98}, {40, .00225, 203}, {5, .00225, 0}} {
		var d nullRanks
		if got := d.extreme(tt.n, tt.n, tt.tail); got != tt.want {
			t.Errorf("%d rounds at %v: %d, want %d", tt.n, tt.tail, got, tt.want)
		}
	}
	x := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	y := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	var pairs []Pair
	for i := range x {
		pairs = append(pairs, Pair{Base: y[i], Head: x[i]})
	}
	var s SignedRank
	s.Load(pairs)
	if got := s.Tails(0).Up; math.Abs(got-0.01953125) > 1e-9 {
		t.Errorf("p = %v", got)
	}
}

// Swapping the sides swaps the tails and mirrors the interval; shared noise does not matter.
func TestSignedRankIsAntisymmetric(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		n := 1 + rng.IntN(30)
		var a, b []Pair
		for range n {
			x, y, common := float64(rng.IntN(8)), float64(rng.IntN(8)), float64(rng.IntN(1000))
			a, b = append(a, Pair{Base: x, Head: y}), append(b, Pair{Base: y + common, Head: x + common})
		}
		var s, r SignedRank
		s.Load(a)
		r.Load(b)
		p, q := s.Tails(0.5), r.Tails(-0.5)
		i, j := s.Interval(0.05), r.Interval(0.05)
		if p.Up != q.Down || p.Down != q.Up || i.Lo != -j.Hi || i.Hi != -j.Lo || i.Center != -j.Center {
			t.Fatalf("%v: %v %v, swapped %v %v", a, p, i, q, j)
		}
	}
}

// The interval is the dual of the test: its ends are the shifts at which the test starts to reject.
func TestSignedRankInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	const tail = 0.01
	for of := range 100 {
		n := 8 + rng.IntN(25)
		diffs := make([]float64, n)
		for i := range diffs {
			diffs[i] = rng.NormFloat64()
		}
		s := SignedRank{Capped: of%2 == 1}
		s.Load(differing(diffs...))
		i := s.Interval(tail)
		const e = 1e-7
		if up, down, _ := s.statistic(i.Center); math.Abs(float64(up-down)) > float64(4*n) || i.Center <= i.Lo || i.Center >= i.Hi {
			t.Errorf("%d rounds: %v, but what lies above weighs %d and below %d", n, i, up, down)
		}
		if s.Tails(i.Lo-e).Up > tail || s.Tails(i.Lo+e).Up <= tail || s.Tails(i.Hi+e).Down > tail || s.Tails(i.Hi-e).Down <= tail {
			t.Errorf("%d rounds: %v is not where the test turns", n, i)
		}
	}
}

// For any ties among the sizes, each end of the interval errs in at most the fraction tail of all
// 2^n combinations of signs.
func TestIntervalOfTiesErrsNoMoreThanItsTail(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for n := 4; n <= 12; n++ {
		vectors := [][]float64{make([]float64, n), make([]float64, n), make([]float64, n)}
		for i := range n {
			vectors[0][i] = 1                            // all tied
			vectors[1][i] = float64(max(0, i-n/5))       // some zeros, and no ties
			vectors[2][i] = float64(min(i, (2*n+4)/5-1)) // tied from the cap on
		}
		for range 30 / n {
			v := make([]float64, n)
			for i, levels := 0, 2+rng.IntN(3); i < n; i++ {
				v[i] = float64(1 + rng.IntN(levels))
			}
			if n%3 == 0 {
				v[n-1] = math.Inf(1)
			}
			vectors = append(vectors, v)
		}
		if n == 12 {
			vectors = vectors[:3]
		}
		for _, sizes := range vectors {
			for _, capped := range []bool{false, true} {
				intervalsErr(t, sizes, capped)
			}
		}
	}
}

// intervalsErr fails the test if an end of the interval errs too often when the sizes are given all
// combinations of signs. The true shift is 0.
func intervalsErr(t *testing.T, sizes []float64, capped bool) {
	t.Helper()
	n := len(sizes)
	s := SignedRank{Capped: capped}
	tails := []float64{.00225, .03}
	wrong := make([][2]int, len(tails))
	for signs := range 1 << n {
		s.begin()
		for i, size := range sizes {
			if signs>>i&1 == 1 {
				size = -size
			}
			s.add(size)
		}
		for i, tail := range tails {
			switch x := s.Interval(tail); {
			case x.Lo > 0:
				wrong[i][0]++
			case x.Hi < 0:
				wrong[i][1]++
			}
		}
	}
	for i, w := range wrong {
		if most := math.Ldexp(tails[i], n); float64(max(w[0], w[1])) > most {
			t.Errorf("%v, capped %v: the ends err in %d and %d of %d ways, no more than %.1f allowed", sizes, capped, w[0], w[1], 1<<n, most)
		}
	}
}

// However unequal the sizes of the differences are, p errs only as often as promised if a fair coin
// decides the signs.
func TestSignedRankErrorRate(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var s SignedRank
	const trials, level = 20000, 0.01
	wrong := 0
	for range trials {
		diffs := make([]float64, 15)
		for i := range diffs {
			diffs[i] = math.Exp(3*rng.NormFloat64()) * float64(1-2*rng.IntN(2))
		}
		s.Load(differing(diffs...))
		if s.Tails(0).Up <= level {
			wrong++
		}
	}
	if rate := float64(wrong) / trials; rate > level+4*math.Sqrt(level/trials) || rate < level/2 {
		t.Errorf("errs in %v of the trials at %v", rate, level)
	}
}

func TestSignedRankNeeds(t *testing.T) {
	if p := leastP(14); p != 1.0/16384 {
		t.Errorf("least p %v", p)
	}
	if n := requiredPairs(0.001, false, 0.01/29*0.3375, 0.05); n != 14 {
		t.Errorf("%d rounds where there is no noise", n)
	}
	if n := requiredPairs(0.1, false, 0.001, 0); n != maxNeed {
		t.Errorf("%d rounds show nothing", n)
	}
	if few, many := requiredPairs(0.02, false, 1e-4, 0.05), requiredPairs(0.04, false, 1e-4, 0.05); few >= many || many > 4*few {
		t.Errorf("%d and %d rounds for twice the noise", few, many)
	}
}

// If the difference in one round is infinite, the center is still finite and the interval is still
// valid.
func TestInfiniteDifference(t *testing.T) {
	for at := range 10 {
		pairs := make([]Pair, 10)
		for i := range pairs {
			pairs[i] = Pair{Base: 0, Head: float64(i)}
		}
		pairs[at].Head = math.Inf(1)
		for _, capped := range []bool{false, true} {
			test := SignedRank{Capped: capped}
			test.Load(pairs)
			if s := test.Interval(0.001); math.IsNaN(s.Center) || math.IsInf(s.Center, 0) || math.IsNaN(s.Lo) || math.IsNaN(s.Hi) {
				t.Errorf("round %d, capped %v: %+v", at, capped, s)
			}
		}
	}
}

// If a tenth of the rounds are far off, in either direction, capped ranks find changes that
// uncapped ones miss. If no rounds are off, capped ranks lose little.
func TestCappedRanksBearRoundsThatAreOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	found := func(capped bool, off float64) (n int) {
		s := SignedRank{Capped: capped}
		for range 400 {
			diffs := make([]float64, 20)
			for i := range diffs {
				diffs[i] = 0.046 + 0.014*rng.NormFloat64()
				if rng.Float64() < off {
					diffs[i] += (0.2 + 0.6*rng.Float64()) * float64(1-2*rng.IntN(2))
				}
			}
			s.Load(differing(diffs...))
			if s.Tails(0).Up <= 0.01/29*0.15 {
				n++
			}
		}
		return n
	}
	for _, off := range []float64{0, 0.1} {
		whole, capped := found(false, off), found(true, off)
		t.Logf("%v off: %d found with whole ranks, %d with capped ones, of 400", off, whole, capped)
		if off > 0 && capped < whole+80 || off == 0 && capped < whole-4 {
			t.Errorf("%v off: %d found with whole ranks, %d with capped ones", off, whole, capped)
		}
	}
}

// Beyond the numbers of pairs with an exact distribution, the approximation errs slightly, but on
// the safe side at all levels used for decisions.
func TestSignedRankBeyondExact(t *testing.T) {
	for _, n := range []int{exactTied, exactUntied} {
		var d nullRanks
		ranks, total := make([]int, n), n*(n+1)
		for i := range ranks {
			ranks[i] = 2 * (i + 1)
		}
		lower := d.untied(n, n)
		for _, level := range []float64{0.01, 1e-3, 1e-4, 1e-6} {
			k := d.extreme(n, n, level)
			if p := normalRanks(ranks, total, total-2*k, 2*k).Up; p < lower[k] || p > lower[k]*1.8 {
				t.Errorf("%d pairs: the tail %v is taken for %v", n, lower[k], p)
			}
			// With one more pair, the interval is computed by the approximation.
			more, exact := d.extreme(exactUntied+1, exactUntied+1, level), d.extreme(exactUntied, exactUntied, level)
			if n == exactUntied && (more > exact+250 || more < exact-1000) {
				t.Errorf("level %v: %d averages left out of %d pairs, %d of one more", level, exact, n, more)
			}
		}
	}
	// A test with this many values uses the normal distribution.
	rng := rand.New(rand.NewPCG(3, 1))
	for _, n := range []int{exactTied + 1, exactUntied + 1} {
		wrong, s := 0, SignedRank{}
		for range 2000 {
			diffs := make([]float64, n)
			for i := range diffs {
				diffs[i] = math.Round(10 * rng.NormFloat64())
			}
			s.Load(differing(diffs...))
			if s.Tails(0).Up <= 0.05 {
				wrong++
			}
		}
		if wrong < 60 || wrong > 140 {
			t.Errorf("%d pairs: wrong in %d of 2000 at 5 %%", n, wrong)
		}
	}
}
