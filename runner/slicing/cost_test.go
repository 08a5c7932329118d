package slicing

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// slicesOf returns a probe with n slices like s on each side.
func slicesOf(n int, s probed) probe {
	var p probe
	for side := range p.sides {
		for range n {
			p.sides[side] = append(p.sides[side], s)
		}
	}
	return p
}

// A round has enough slices for its noise and for including a slow operation if one in fifty is
// slow, but no more than necessary. A side is timed for at most one and a half times benchtime, and
// takes at most three times benchtime including the work around its slices. Both limits are up to
// four times as high if there is time.
func TestSlicesARound(t *testing.T) {
	const ms = 1e6
	for _, tt := range []struct {
		affords         time.Duration
		length, untimed float64 // ms
		spread          float64
		operations      int // per slice
		least, most     int // pairs of slices; fewer than leastSlices are refused
	}{
		{0, 2, 0.7, 0, 1000, 20, 20},
		{0, 2, 0.7, 0, 3, 20, 20},
		{0, 2, 0.7, 0, 2, 25, 25},
		{0, 2, 0.7, 0, 1, 50, 50},
		{0, 2, 0.7, 0.1, 1000, 30, 50},
		{0, 2, 0.7, 0.3, 1000, 75, 75}, // more are needed but would take too long
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

// In a hurry, a round takes no longer than the time available. If the slices are so long that too
// few of them fit, the benchmark is measured in fresh processes.
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

// Only the total time of a pair of slices matters, even if its sides differ. A benchmark with a 12
// times slower head is treated like a benchmark with equal sides and the same total time.
func TestUnlikeSides(t *testing.T) {
	const ms = 1e6
	side := func(timed, untimed float64) []probed {
		return slicesOf(8, probed{costs: costs{time: timed}, timed: timed * ms, whole: (timed + untimed) * ms, cpu: (timed + untimed) * ms}).sides[0]
	}
	for _, tt := range []struct {
		name               string
		base, head         []probed
		length, whole, off float64 // ms; off is the factor that crowded returns
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

// The samples of the warm-up confirm the slices if an operation takes about the same time in both,
// on each side.
func TestConfirmed(t *testing.T) {
	for _, tt := range []struct {
		base, head float64 // in the warm-up; slices take 100 and 150
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

// Slices that need too much preparation are refused after four slices of a side, or after two if
// they need far too much. Neither load nor the CPU time of several threads is mistaken for
// preparation.
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
		{"much is prepared", 4, probed{timed: ms, whole: 50 * ms, cpu: 49 * ms}, time.Time{}, "each slice spends 49ms outside the timer"},
		{"three slices tell nothing", 3, probed{timed: ms, whole: 50 * ms, cpu: 49 * ms}, time.Time{}, ""},
		{"very much is prepared", 2, probed{timed: ms, whole: 100 * ms, cpu: 99 * ms}, time.Time{}, "each slice spends 99ms outside the timer"},
		{"one slice tells nothing", 1, probed{timed: ms, whole: 100 * ms, cpu: 99 * ms}, time.Time{}, ""},
		{"it waits for a CPU", 4, probed{timed: ms, whole: 40 * ms, cpu: 2 * ms, waited: 38 * ms}, time.Time{}, ""},
		{"eight threads", 4, probed{timed: 5 * ms, whole: 6 * ms, cpu: 40 * ms}, time.Time{}, ""},
		{"it takes too long", 1, probed{timed: ms, whole: ms, cpu: ms}, now.Add(-1), "on a busy machine, 1m0s was too short to try slices"},
		{"there is time", 1, probed{timed: ms, whole: ms, cpu: ms}, now, ""},
	} {
		c := chooser{benchtime: 100 * time.Millisecond, until: tt.until}
		if got := c.hopeless(slicesOf(tt.n, tt.s), now); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: %q", tt.name, got)
		}
	}
}
