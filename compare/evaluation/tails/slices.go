package tails

import (
	"math"
	"math/rand/v2"
)

// A Machine describes the noise of slices measured in pairs. Pair and Between are standard
// deviations of logarithms.
type Machine struct {
	Name    string
	Pair    float64 // for the ratio of two neighboring slices
	Between float64 // in addition, for the ratio of two processes
	Off     float64 // share of slices, on either side, taking 2 to 10 times as long
}

// Machines are the machines in the table. The values of the first two were measured.
var Machines = []Machine{
	{"quiet", 0.06, 0.007, 0},
	{"live", 0.18, 0.02, 0},
	{"quiet, outliers", 0.06, 0.007, 0.05},
	{"live, outliers", 0.18, 0.02, 0.05},
}

// A Tail is an additional cost of some calls or slices. The zero Tail costs nothing.
type Tail struct {
	Name   string
	Share  float64 // share of slow calls
	Factor float64 // slowdown of these calls
	Every  int     // if not 0, one in this many slices takes twice as long, as with a garbage collection
	Both   bool    // on both sides, so that nothing changed
}

// Tails are the tails in the table.
var Tails = []Tail{
	{Name: "nothing"},
	{Name: "2 % of calls 100x", Share: 0.02, Factor: 100},
	{Name: "0.3 % of calls 100x", Share: 0.003, Factor: 100},
	{Name: "0.02 % of calls 1000x", Share: 0.0002, Factor: 1000},
	{Name: "a collection every tenth slice", Every: 10},
	{Name: "the same on both sides", Every: 10, Both: true},
}

// Mean returns the relative increase of one side's mean due to the tail.
func (t Tail) Mean() float64 {
	if t.Every > 0 {
		return 1 / float64(t.Every)
	}
	return t.Share * max(0, t.Factor-1)
}

// A Case describes a benchmark being checked.
type Case struct {
	Machine
	Tail
	Slices int  // number of pairs per round
	Calls  int  // number of calls per slice
	Base   bool // whether base has the tail instead of head
	Family int  // number of benchmarks sharing the error rate
}

// Change returns the relative change of the mean from base to head.
func (c Case) Change() float64 {
	switch {
	case c.Both:
		return 0
	case c.Base:
		return 1/(1+c.Mean()) - 1
	}
	return c.Mean()
}

// has reports whether a side has the tail.
func (c Case) has(side int) bool { return c.Both || (side == 0) == c.Base }

// round draws the times of n pairs of slices in units of a call, with one process per side.
func (c Case) round(r *rand.Rand, n int) [][2]float64 {
	times := make([][2]float64, n)
	for side := range 2 {
		level := c.Between / math.Sqrt2 * r.NormFloat64()
		late := c.late(r, side)
		for i := range times {
			x := level + c.Pair/math.Sqrt2*r.NormFloat64()
			if r.Float64() < c.Off {
				x += math.Log(2 + 8*r.Float64())
			}
			times[i][side] = math.Exp(x) * (1 + late())
		}
	}
	return times
}

// late returns a function that yields the additional cost of a side's successive slices, as a
// fraction.
func (c Case) late(r *rand.Rand, side int) func() float64 {
	switch {
	case !c.has(side) || c.Mean() == 0:
		return func() float64 { return 0 }
	case c.Every > 0:
		at := r.IntN(c.Every)
		return func() float64 {
			if at++; at%c.Every == 0 {
				return 1
			}
			return 0
		}
	}
	// wait draws the number of calls before the next slow one.
	wait := func() int { return int(math.Log(1-r.Float64()) / math.Log1p(-c.Share)) }
	next := wait()
	return func() float64 {
		slow := 0
		for next < c.Calls {
			slow++
			next += 1 + wait()
		}
		next -= c.Calls
		return float64(slow) * (c.Factor - 1) / float64(c.Calls)
	}
}
