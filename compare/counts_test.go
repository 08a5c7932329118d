package compare

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare/stat"
)

// TestCountsOfRounds checks the outcome of counts after n rounds, repeating the given pairs over
// and over.
func TestCountsOfRounds(t *testing.T) {
	type pairs [][2]float64
	once := func(rounds, at int, usual, odd [2]float64) pairs {
		out := slices.Repeat(pairs{usual}, rounds)
		out[at-1] = odd
		return out
	}
	for _, tt := range []struct {
		name, unit string
		rounds     pairs
		n          int
		want       stat.Outcome
		exact      bool
	}{
		{"5 % more, constant", "B/op", pairs{{69173, 72632}}, 7, stat.Higher, true},
		{"5 % more, of six rounds", "B/op", pairs{{69173, 72632}}, 6, stat.Open, false},
		{"a byte now and then", "B/op", pairs{{69173, 72632}, {69173, 72632}, {69174, 72631}}, 7, stat.Higher, true},
		{"40 of 69,173 B", "B/op", pairs{{69173, 72632}, {69213, 72632}, {69173, 72600}}, 7, stat.Higher, true},
		{"200 of them", "B/op", pairs{{69173, 72632}, {69373, 72632}, {69173, 72632}}, 7, stat.Open, false},
		{"the same but for a byte", "B/op", pairs{{512, 512}, {513, 512}, {512, 511}}, 2, stat.Same, true},
		{"once another size", "B/op", once(12, 4, [2]float64{5121, 5121}, [2]float64{5121, 5377}), 12, stat.Same, false},
		{"one allocation more", "allocs/op", pairs{{5, 6}}, 7, stat.Higher, true},
		{"one more now and then", "allocs/op", pairs{{5, 5}, {5, 6}, {6, 6}}, 7, stat.Open, false},
		{"the first allocation", "allocs/op", pairs{{0, 1}}, 7, stat.Higher, true},
		{"fractions of an allocation", "allocs/op", pairs{{0.02, 0.4}, {0.3, 0}, {0, 0.9}}, 7, stat.Same, true},
		{"from a fraction to a whole one", "allocs/op", pairs{{0.4, 1.2}, {0.3, 1.1}, {0.1, 1.3}}, 9, stat.Higher, false},
		{"0 -> 0", "B/op", pairs{{0, 0}}, 2, stat.Same, true},
		{"0 -> 0, a few bytes now and then", "B/op", pairs{{0, 3}, {7, 0}, {0, 0}}, 7, stat.Same, true},
		// Bytes allocated to refill a pool are compared round by round, like times.
		{"1 -> 150", "B/op", pairs{{1, 150}}, 7, stat.Higher, true},
		{"1 -> 150, not in each round", "B/op", pairs{{1, 1}, {1, 145}, {155, 155}, {2, 414}}, 9, stat.Open, false},
		{"0/48, 42/42, 33/0", "B/op", pairs{{0, 48}, {42, 42}, {33, 0}}, 48, stat.Open, false},
	} {
		series := SeriesOf(tt.unit, -1, false)
		series.Threshold = 0.05
		for i := range tt.n {
			p := tt.rounds[i%len(tt.rounds)]
			series.Pairs = append(series.Pairs, stat.Pair{Base: p[0], Head: p[1]})
		}
		d := stat.Replay(stat.Trial{Series: []stat.Series{series}, Sessions: []int{tt.n}}, stat.Options{})[0]
		if d.Outcome != tt.want || d.Exact != tt.exact || d.Outcome == stat.Open && d.Reach != 0 && tt.n >= stat.DifferRounds && d.Reach <= tt.n {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
}
