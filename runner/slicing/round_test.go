package slicing

import (
	"math"
	"slices"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/turnstile"
)

// mean combines slices according to the unit. Times are averaged, rates are the total work divided
// by the total time, and an allocation in only one slice is ignored.
func TestUnitsOfARound(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		unit   string
		column []float64
		want   float64
	}{
		{"ns/op", []float64{1, 3, 100}, 2},
		{"MB/s", []float64{1, 3, 100}, 1.5},
		{"MB/s", []float64{0, 3, 100}, 1.5},
		{"B/op", []float64{16, 17, 4000}, 16},
		{"B/op", []float64{0, 42, 42, 33, 0, 42, 42, 42, 42, 42, 48}, 0}, // a pool filled by most counts
		{"B/op", []float64{8, 16, 17, 17, 17, 17, 17, 17, 17, 17, 4000}, 16},
		{"allocs/op", []float64{1, 2, 2, 9}, 1},
		{"things", []float64{nan, 3, 100}, 3},
		{"things", []float64{nan, nan, 100}, nan},
	} {
		got := mean(tt.unit, tt.column, []int{0, 1})
		if got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%v %s: %v, want %v", tt.column, tt.unit, got, tt.want)
		}
	}
}

// Slices without times make no round, and a benchmark may print its units in any order.
func TestTally(t *testing.T) {
	result := func(values ...benchfmt.Value) *benchfmt.Result {
		return &benchfmt.Result{Name: benchfmt.Name("X"), Iters: 7, Values: values}
	}
	ns, things := tidied(100, "ns/op"), tidied(5, "things")
	var with, without tally
	for i := range 2 * (leastPairs + warmUp) {
		a, b := result(ns, things), result(things)
		if i > 3 {
			a = result(things, ns)
		}
		with.add(i%2, turnstile.Slice{Result: a})
		without.add(i%2, turnstile.Slice{Result: b})
	}
	r, err := with.round()
	if err != nil {
		t.Fatal(err)
	}
	for side, res := range r.Results {
		sec, _ := res.Value("sec/op")
		if n, _ := res.Value("things"); n != 5 || math.Abs(sec-1e-7) > 1e-15 || res.Iters != 7*leastPairs || r.Kept != leastPairs {
			t.Errorf("side %d: %v things, %v s, %d iterations, %d pairs", side, n, sec, res.Iters, r.Kept)
		}
	}
	if _, err := without.round(); err == nil {
		t.Error("without a time there is a round")
	}
}

// If all slices have the same value, mean returns exactly this value, for any number of kept
// slices.
func TestMeanOfOneValue(t *testing.T) {
	for _, unit := range []string{"ns/op", "tok/s", "hits"} {
		for _, value := range []float64{0.1, 1.0 / 3, 12.345, 0, -0.7} {
			for n := 1; n <= 60; n++ {
				column, kept := slices.Repeat([]float64{value}, n), make([]int, n)
				for i := range kept {
					kept[i] = i
				}
				if got := mean(unit, column, kept); got != value {
					t.Errorf("%d times %v %s: %v", n, value, unit, got)
				}
			}
		}
	}
}
