package main

import (
	"bytes"
	"strings"
	"testing"
)

// The median is taken over undisturbed repetitions or, if there are too few of them, over all
// repetitions.
func TestMedian(t *testing.T) {
	for _, tt := range []struct {
		clean, all []float64
		want       float64
	}{
		{[]float64{3, 1, 2}, []float64{3, 1, 2, 9, 9, 9, 9}, 2},
		{[]float64{4, 1, 2, 3}, []float64{4, 1, 2, 3}, 2.5},
		{[]float64{1, 1}, []float64{1, 1, 5, 6, 7}, 5},
		{nil, []float64{7, 5, 6}, 6},
	} {
		x := contestant{seconds: tt.clean, all: tt.all}
		if got := x.median(); got != tt.want {
			t.Errorf("median of %v, all %v, is %v, want %v", tt.clean, tt.all, got, tt.want)
		}
	}
}

// A goal for a ratio of speeds is met at or above its bound, and one for a ratio of times at or
// below its bound. A ratio without a goal is neither met nor missed.
func TestLines(t *testing.T) {
	var b bench
	b.missing = []string{"BLIS: apt-get install libblis-dev"}
	for _, tt := range []struct {
		speed float64
		goal  goal
		want  string
	}{
		{0.97, goal{speed: 0.97}, "| 0.97x the speed | at least 0.97x | yes |"},
		{0.9651, goal{speed: 0.97}, "| 0.97x the speed | at least 0.97x | yes |"},
		{0.96, goal{speed: 0.97}, "| 0.96x the speed | at least 0.97x | **no** |"},
		{2, goal{time: 0.8}, "| 0.50x the time | at most 0.80x | yes |"},
		{1, goal{time: 0.8}, "| 1.00x the time | at most 0.80x | **no** |"},
		{3, goal{}, "| 3.00x the speed |  |  |"},
	} {
		b.ratio("what", "ours", "peer", "theirs", tt.speed, tt.goal)
		var out bytes.Buffer
		b.write(&out)
		if !strings.HasSuffix(out.String(), "| what | ours | peer | theirs "+tt.want+"\n") || !strings.Contains(out.String(), "not at hand: BLIS: apt-get install libblis-dev\n") {
			t.Errorf("%v against %+v:\n%s\nwant %s", tt.speed, tt.goal, &out, tt.want)
		}
	}
}
