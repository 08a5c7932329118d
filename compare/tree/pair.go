package tree

import "math"

// Indexes of the sides.
const base, head = 0, 1

// A Pair is one quantity on both sides. NaN is unknown.
type Pair struct{ Base, Head float64 }

// Difference is head less base.
func (p Pair) Difference() float64 { return p.Head - p.Base }

// Ratio is the relative change, as a fraction; 0 where both are 0.
func (p Pair) Ratio() float64 {
	if p.Base == p.Head {
		return 0
	}
	return p.Head/p.Base - 1
}

// Known reports whether both sides are known.
func (p Pair) Known() bool { return !math.IsNaN(p.Base) && !math.IsNaN(p.Head) }

// Over divides side by side.
func (p Pair) Over(q Pair) Pair { return Pair{p.Base / q.Base, p.Head / q.Head} }

// Times multiplies side by side.
func (p Pair) Times(q Pair) Pair { return Pair{p.Base * q.Base, p.Head * q.Head} }

// Unknown is a quantity that is known of neither side.
var Unknown = Pair{math.NaN(), math.NaN()}
