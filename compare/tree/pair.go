package tree

import "math"

// Indexes of the two sides.
const base, head = 0, 1

// A Pair is a quantity on both sides. NaN means unknown.
type Pair struct{ Base, Head float64 }

// Difference returns head minus base.
func (p Pair) Difference() float64 { return p.Head - p.Base }

// Ratio returns the relative change as a fraction, or 0 if both sides are equal.
func (p Pair) Ratio() float64 {
	if p.Base == p.Head {
		return 0
	}
	return p.Head/p.Base - 1
}

// Known reports whether both sides are known.
func (p Pair) Known() bool { return !math.IsNaN(p.Base) && !math.IsNaN(p.Head) }

// Over divides each side of p by the same side of q.
func (p Pair) Over(q Pair) Pair { return Pair{p.Base / q.Base, p.Head / q.Head} }

// Times multiplies each side of p by the same side of q.
func (p Pair) Times(q Pair) Pair { return Pair{p.Base * q.Base, p.Head * q.Head} }

// Unknown is a quantity unknown on both sides.
var Unknown = Pair{math.NaN(), math.NaN()}
