package slicing

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// slicesOf are some of both sides, alike.
func slicesOf(n int, s probed) probe {
	var p probe
	for side := range p.sides {
		for range n {
			p.sides[side] = append(p.sides[side], s)
		}
	}
	return p
}

// A round has as many slices as its noise asks for, those that show a slow one of fifty operations, and no more
// than they are worth: a side is timed for one and a half times benchtime, and takes three times as long at the most
// with what is done around its slices; or four times that, where there is time.
func TestSlicesARound(t *testing.T) {
	const ms = 1e6
	for _, tt := range []struct {
		affords         time.Duration
		length, untimed float64 // ms
		spread          float64
		operations      int // of a slice
		least, most     int // slices; fewer than leastSlices are refused
	}{
		{0, 2, 0.7, 0, 1000, 20, 20},
		{0, 2, 0.7, 0, 3, 20, 20},
		{0, 2, 0.7, 0, 2, 25, 25},
		{0, 2, 0.7, 0, 1, 50, 50},
		{0, 2, 0.7, 0.1, 1000, 30, 50},
		{0, 2, 0.7, 0.3, 1000, 75, 75}, // more are needed, and too long
		{time.Minute, 2, 0.7, 0.3, 1000, 75, 100},
		{0, 1, 9, 0, 1, 26, 26}, // no more fit
		{0, 4, 0.5, 0, 1000, 20, 20},
		{0, 8, 1, 0, 1000, 18, 18},
		{0, 8, 8, 0, 1000, 14, 14},
		{0, 12, 1, 0, 1000, 12, 12},
		{0, 16, 1, 0, 1000, 12, 12},
		{0, 16, 16, 0, 1000, 0, leastSlices - 1},
		{0, 19, 1, 0, 1000, 0, leastSlices - 1},
		{600 * time.Millisecond, 19, 1, 0, 1000, 0, leastSlices - 1}, // no longer than usual
		{1200 * time.Millisecond, 16, 1, 0, 1000, 18, 18},
		{200 * time.Millisecond, 1, 0.2, 0, 1000, 20, 20}, // there is no time for more than are needed
		{200 * time.Millisecond, 3, 1, 0.3, 1000, 25, 25},
		{time.Minute, 40, 10, 0, 1000, 15, 15},
		{time.Minute, 90, 10, 0, 1000, 0, leastSlices - 1},
		{time.Minute, 8, 1, 0, 1000, 20, 20},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		s := probed{timed: tt.length * ms, whole: (tt.length + tt.untimed) * ms, cpu: (tt.length + tt.untimed) * ms}
		p := slicesOf(40, s)
		for side := range p.sides {
			for i := range p.sides[side] {
				p.sides[side][i].time = 1000 * math.Exp(tt.spread*rng.NormFloat64()/math.Sqrt2)
			}
		}
		c := chooser{benchtime: 100 * time.Millisecond, affords: tt.affords, threshold: usualThreshold}
		if got := c.slices(p, tt.operations); got < tt.least || got > tt.most {
			t.Errorf("%v a round, %v ms and %v around it, spread %v: %d slices, want %d to %d", tt.affords, tt.length, tt.untimed, tt.spread, got, tt.least, tt.most)
		}
	}
}

// In a hurry a round takes no longer than there is time for, and fresh processes measure what has slices too long
// for that.
func TestSlicesInAHurry(t *testing.T) {
	const ms = 1e6
	for _, tt := range []struct {
		length, untimed float64 // ms
		operations      int
		want            int
	}{
		{2, 0.7, 1000, 18}, {2, 0.7, 1, 18}, {4, 1, 1000, 12}, {6, 0.2, 1, 12}, {7, 2, 1000, 7}, {16, 1, 1000, 1},
	} {
		s := probed{costs: costs{time: 1000}, timed: tt.length * ms, whole: (tt.length + tt.untimed) * ms, cpu: (tt.length + tt.untimed) * ms}
		c := chooser{benchtime: 100 * time.Millisecond, affords: 100 * time.Millisecond, threshold: usualThreshold}
		if got := c.slices(slicesOf(40, s), tt.operations); got != tt.want {
			t.Errorf("%v ms and %v around it: %d slices, want %d", tt.length, tt.untimed, got, tt.want)
		}
	}
}

// What a pair of slices takes counts, however unlike its sides are: a head that is 14 times slower has the slices of
// a benchmark that takes as long on both.
func TestUnlikeSides(t *testing.T) {
	const ms = 1e6
	side := func(timed, untimed float64) []probed {
		return slicesOf(8, probed{costs: costs{time: timed}, timed: timed * ms, whole: (timed + untimed) * ms, cpu: (timed + untimed) * ms}).sides[0]
	}
	for _, tt := range []struct {
		name               string
		base, head         []probed
		length, whole, off float64 // ms; off is crowded
	}{
		{"alike", side(2, 1), side(2, 1), 2, 3, 1},
		{"head is slower", side(0.3, 1), side(3.7, 1), 2, 3, 1},
		{"base is", side(3.7, 1), side(0.3, 1), 2, 3, 1},
		{"much is prepared", side(0.3, 6), side(3.7, 6), 2, 8, 3},
		{"on one side", side(2, 0), side(2, 12), 2, 8, 3},
	} {
		p := probe{sides: [2][]probed{tt.base, tt.head}}
		near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6*b }
		if l, w, by := p.length()/ms, p.whole()/ms, p.crowded(); !near(l, tt.length) || !near(w, tt.whole) || !near(by, tt.off) {
			t.Errorf("%s: length %v, whole %v, crowded %v, want %v, %v, %v", tt.name, l, w, by, tt.length, tt.whole, tt.off)
		}
	}
}

// The warm-up's samples confirm slices that are as quick on both sides.
func TestConfirmed(t *testing.T) {
	for _, tt := range []struct {
		base, head float64 // of the warm-up, where slices take 100 and 150
		want       bool
	}{
		{100, 150, true}, {108, 140, true}, {115, 150, false}, {100, 130, false}, {0, 150, false},
	} {
		c := chooser{long: [2]costs{{time: tt.base}, {time: tt.head}}}
		p := probe{sides: [2][]probed{slicesOf(8, probed{costs: costs{time: 100}}).sides[0], slicesOf(8, probed{costs: costs{time: 150}}).sides[1]}}
		if got := c.confirmed(p); got != tt.want {
			t.Errorf("%v and %v: %v", tt.base, tt.head, got)
		}
	}
}

// What cannot be sliced for what is prepared for each count is refused after four slices of a side, and
// the load of others is not taken for it, nor the CPU time of several threads.
func TestHopeless(t *testing.T) {
	const ms = 1e6
	now := time.Now()
	for _, tt := range []struct {
		name  string
		n     int
		s     probed
		until time.Time
		want  string
	}{
		{"much is prepared", 4, probed{timed: ms, whole: 50 * ms, cpu: 49 * ms}, time.Time{}, "49ms are not timed in each slice"},
		{"three slices tell nothing", 3, probed{timed: ms, whole: 50 * ms, cpu: 49 * ms}, time.Time{}, ""},
		{"very much is prepared", 2, probed{timed: ms, whole: 100 * ms, cpu: 99 * ms}, time.Time{}, "99ms are not timed in each slice"},
		{"one slice tells nothing", 1, probed{timed: ms, whole: 100 * ms, cpu: 99 * ms}, time.Time{}, ""},
		{"it waits for a CPU", 4, probed{timed: ms, whole: 40 * ms, cpu: 2 * ms, waited: 38 * ms}, time.Time{}, ""},
		{"eight threads", 4, probed{timed: 5 * ms, whole: 6 * ms, cpu: 40 * ms}, time.Time{}, ""},
		{"it takes too long", 1, probed{timed: ms, whole: ms, cpu: ms}, now.Add(-1), "on a busy machine 1m0s were not enough to find out how"},
		{"there is time", 1, probed{timed: ms, whole: ms, cpu: ms}, now, ""},
	} {
		c := chooser{benchtime: 100 * time.Millisecond, until: tt.until}
		if got := c.hopeless(slicesOf(tt.n, tt.s), now); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
