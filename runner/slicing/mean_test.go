package slicing

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// The mean covers all slices. The benchmark's own rare work is included in full, but disturbances
// are not.
func TestMeanOf(t *testing.T) {
	many := func(n int, others ...float64) []float64 { return append(slices.Repeat([]float64{100}, n), others...) }
	nan := math.NaN()
	for _, tt := range []struct {
		name          string
		times, waited []float64 // waited is for the last slices; the others did not wait
		want          Mean
	}{
		{"all alike", many(200), nil, Mean{100, 0}},
		{"2 % take a hundred times as long", many(196, 1e4, 1e4, 1e4, 1e4), nil, Mean{298, 0.02}},
		{"the same, and they waited", many(196, 1e4, 1e4, 1e4, 1e4), []float64{1e4, 1e4, 9900, 9900}, Mean{100, 0}},
		{"half of it was waiting", many(198, 1e4, 1e4), []float64{4900, 4900}, Mean{150, 0.01}},
		{"a quick one that waited is not quicker still", many(3, 40), []float64{1000}, Mean{85, 0}},
		{"a usual one that waited is not quicker", many(4), []float64{50, 50, 50, 50}, Mean{100, 0}},
		{"a little longer is not far longer", many(9, 140), nil, Mean{104, 0}},
		{"one without a time", many(3, nan), nil, Mean{100, 0}},
		{"none with a time", []float64{nan, nan}, nil, Mean{}},
	} {
		waited := slices.Concat(make([]float64, len(tt.times)-len(tt.waited)), tt.waited)
		if got := MeanOf(tt.times, waited); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// Exchanging the sides exchanges the means and changes nothing else, so their ratio is inverted to
// the last bit. The test on rounds relies on this.
func TestMeansChangePlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 1))
	for range 500 {
		var there, back tally
		pairs := leastPairs + rng.IntN(200)
		for i := range 2 * (pairs + warmUp) {
			ns := 600e3 * math.Exp(0.3*rng.NormFloat64())
			if rng.IntN(20) == 0 {
				ns *= 100
			}
			s := slice(ns)
			if rng.IntN(3) == 0 {
				s.Waited = time.Duration(rng.IntN(1e9))
			}
			there.add(i%2, s)
			back.add(1-i%2, s)
		}
		a, err := there.round()
		if err != nil {
			t.Fatal(err)
		}
		b, err := back.round()
		if err != nil {
			t.Fatal(err)
		}
		if a.Means[0] != b.Means[1] || a.Means[1] != b.Means[0] || a.Means[0].Time <= 0 {
			t.Fatalf("means %+v, and %+v the other way round", a.Means, b.Means)
		}
	}
}

// The mean includes slices not selected by the estimator. If 2 % of head's slices take a hundred
// times as long, the estimator alone hides them in nearly every trial.
func TestMeanSeesWhatIsLeftOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(26, 2))
	var r tally
	for i := range 2 * (200 + warmUp) {
		ns := 600e3 * math.Exp(0.1*rng.NormFloat64())
		if i%2 == 1 && i%100 == 51 {
			ns *= 100
		}
		r.add(i%2, slice(ns))
	}
	got, err := r.round()
	if err != nil {
		t.Fatal(err)
	}
	base, head := got.Means[0], got.Means[1]
	if by := head.Time / base.Time; by < 2.7 || by > 3.3 || base.Slow != 0 || head.Slow < 0.018 || head.Slow > 0.022 {
		t.Errorf("head's mean is %.2f times base's, %v and %v of the slices are slow", by, base.Slow, head.Slow)
	}
}

// slice returns a slice with 5 operations of ns nanoseconds each.
func slice(ns float64) turnstile.Slice {
	return turnstile.Slice{Result: &benchfmt.Result{Name: benchfmt.Name("X"), Iters: 5, Values: []benchfmt.Value{tidied(ns, "ns/op")}}}
}
