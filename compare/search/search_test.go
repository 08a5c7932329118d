package search

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/compare"
	_ "github.com/perftrack/perftrack/runner/drawtest"
)

// endsOf returns pairs of the two ends of a history with n candidates. The ends differ by a fifth.
func endsOf(n int) (pairs []Pair) {
	for _, r := range []float64{.19, .2, .21, .18, .22, .2, .19, .21, .2, .2} {
		pairs = append(pairs, Pair{0, n, r})
	}
	return pairs
}

// find searches a history with little noise and returns the commits that the search asked for.
func find(s *Search, culprit int, broken ...int) (asked []int) {
	for {
		next, ok := s.Next(Certainty)
		if !ok {
			return asked
		}
		asked = append(asked, next)
		if slices.Contains(broken, next) {
			s.Skip(next)
			continue
		}
		for _, r := range []float64{-.01, .01, 0, .005} {
			if next >= culprit {
				r += .2
			}
			s.Add(Pair{0, next, r})
		}
	}
}

func TestSearchHalves(t *testing.T) {
	for culprit := 1; culprit <= 64; culprit++ {
		s := New(64, nil)
		s.Add(endsOf(64)...)
		asked := find(s, culprit)
		if got := s.Posterior().Candidates[0]; got.First != culprit || got.Last != culprit || got.P < Certainty {
			t.Errorf("culprit %d: %+v", culprit, got)
		}
		if len(asked) != 6 || asked[0] != 32 {
			t.Errorf("culprit %d: asked for %v", culprit, asked)
		}
	}
}

// An unmeasurable commit is indistinguishable from the next measurable one, without any loss of
// probability.
func TestSearchSkips(t *testing.T) {
	for _, tt := range []struct {
		culprit     int
		broken      []int
		first, last int
	}{
		{5, []int{4}, 4, 5}, {5, []int{6}, 5, 5}, {5, []int{3, 4}, 3, 5}, {4, []int{4}, 4, 5}, {8, []int{7}, 7, 8}, {1, []int{1, 2, 3, 4, 5, 6, 7}, 1, 8},
	} {
		s := New(8, nil)
		s.Add(endsOf(8)...)
		find(s, tt.culprit, tt.broken...)
		for _, b := range tt.broken {
			s.Skip(b) // even if the search did not ask for it
		}
		p := s.Posterior()
		if got := p.Candidates[0]; got.First != tt.first || got.Last != tt.last || got.P < Certainty {
			t.Errorf("culprit %d, %v broken: %+v", tt.culprit, tt.broken, p.Candidates)
		}
	}
}

func TestSearchExact(t *testing.T) {
	s := New(10, nil)
	for _, known := range []struct {
		at  int
		bad bool
	}{{5, false}, {8, true}, {6, false}, {7, true}} {
		s.Known(known.at, known.bad)
	}
	if c := s.Posterior().Candidates; len(c) != 1 || c[0].Last != 7 {
		t.Errorf("candidates %+v, want 7", c)
	}
	s.Known(9, false)
	if p := s.Posterior(); p.Culprit != nil {
		t.Errorf("counts that contradict each other: %+v", p)
	}
}

// A commit with the same program as its parent is never the culprit, and the prior decides between
// otherwise indistinguishable commits.
func TestSearchPrior(t *testing.T) {
	s := New(4, []float64{1, 3, 0, 1})
	s.Add(endsOf(4)...)
	got := s.Posterior().Culprit
	for i, want := range []float64{0, .2, .6, 0, .2} {
		if math.Abs(got[i]-want) > 1e-9 {
			t.Errorf("culprit %d: %g, want %g", i, got[i], want)
		}
	}
	s.Same(1, 2)
	if p := s.Posterior(); p.Culprit[2] != 0 || math.Abs(p.Before(1)-.5) > 1e-9 {
		t.Errorf("after finding 2 the same as 1: %v", p.Culprit)
	}
}

// Pairs of any two commits count, and those of the culprit and its parent count most.
func TestSearchAnyPair(t *testing.T) {
	s := New(8, nil)
	s.Add(endsOf(8)...)
	for range 10 {
		s.Add(Pair{3, 4, .2}, Pair{6, 2, -.2})
	}
	if got := s.Posterior().Candidates[0]; got.Last != 4 || got.P < .999 {
		t.Errorf("%+v, want 4", got)
	}
	// Unpaired levels are evidence, too, but weaker.
	s = New(8, nil)
	s.Add(endsOf(8)...)
	for i, y := range []float64{0, .01, -.01, .005, .21, .2, .19, .2, .21} {
		s.AddUnpaired(Level{i, y + 3})
	}
	if got := s.Posterior().Candidates[0]; got.Last != 4 || got.P > 1-1e-9 {
		t.Errorf("from the history: %+v, want 4", got)
	}
}

// The answer depends neither on the order of the measurements nor on the direction of the change.
func TestSearchIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "commits")
		pairs := endsOf(n)
		for range rapid.IntRange(0, 20).Draw(t, "pairs") {
			pairs = append(pairs, Pair{0, rapid.IntRange(0, n).Draw(t, "at"), rapid.Float64Range(-.5, .5).Draw(t, "ratio")})
		}
		s := New(n, nil)
		s.Add(pairs...)
		want := s.Posterior()
		sum := 0.0
		for _, p := range want.Culprit {
			sum += p
		}
		if math.Abs(sum-1) > 1e-9 || want.Culprit[0] != 0 {
			t.Fatalf("probabilities sum to %g: %v", sum, want.Culprit)
		}
		other, mirror := New(n, nil), New(n, nil)
		for i := range pairs {
			p := pairs[len(pairs)-1-i]
			other.Add(p)
			mirror.Add(Pair{p.Base, p.Head, -p.LogRatio})
		}
		for i := range want.Culprit {
			if d := math.Abs(other.Posterior().Culprit[i] - want.Culprit[i]); d > 1e-9 {
				t.Fatalf("another order: %d differs by %g", i, d)
			}
			if d := math.Abs(mirror.Posterior().Culprit[i] - want.Culprit[i]); d > 1e-9 {
				t.Fatalf("the other way: %d differs by %g", i, d)
			}
		}
	})
}

func TestStep(t *testing.T) {
	ends := []float64{.19, .2, .21, .18, .22, .2, .19, .21, .2, .2}
	for _, tt := range []struct {
		ratio float64
		bad   bool
	}{{.2, true}, {0, false}} {
		s := NewStep(64, ends, nil, nil)
		n := 0
		for ; n < MaxPairs; n++ {
			if _, ok := s.Decided(); ok {
				break
			}
			s.Add(tt.ratio)
		}
		if bad, ok := s.Decided(); !ok || bad != tt.bad || n > 4 {
			t.Errorf("%g: bad %v, decided %v after %d pairs", tt.ratio, bad, ok, n)
		}
	}
	// Before any measurement, the commit is neither good nor bad.
	if p := NewStep(64, ends, nil, nil).Bad(); math.Abs(p-.5) > 1e-9 {
		t.Errorf("an unmeasured commit is bad with %g", p)
	}
}

func TestContrast(t *testing.T) {
	for _, tt := range []struct {
		unit       string
		base, head float64
		rounds     int
		want       compare.Verdict
	}{
		{"ns/op", 100, 130, 9, compare.Regressed}, {"ns/op", 100, 70, 9, compare.Improved}, {"ns/op", 100, 100, 9, compare.Unchanged},
		{"allocs/op", 10, 12, 9, compare.Regressed}, {"allocs/op", 12, 10, 9, compare.Improved}, {"allocs/op", 7, 7, 9, compare.Unchanged},
	} {
		c := NewContrast(tt.unit, -1, 0.05)
		n := 0
		for open := true; open; n++ {
			wobble := 0.0
			if tt.unit == "ns/op" {
				wobble = float64(n%4) / 10
			}
			open = c.Add(tt.base+wobble, tt.head+wobble)
		}
		if d := c.Decision(); n != tt.rounds || d.Verdict != tt.want {
			t.Errorf("%g and %g %s: %s after %d rounds, want %s after %d", tt.base, tt.head, tt.unit, d.Verdict, n, tt.want, tt.rounds)
		}
	}
}
