package backfill

// An order says, one by one, in which order the positions of a line are visited: the one that
// lies farthest from all that were, and of several the newest. However early it ends, no choice
// of as many positions would leave less than half of its longest way from a position to the
// nearest one visited (Gonzalez, Clustering to minimize the maximum intercluster distance,
// 1985).
type order struct {
	candidates []int // positions, ascending; the last is the newest
	away       []int // of each, the distance to the nearest visited position; -1 once it is visited
}

// far is longer than any line.
const far = 1 << 40

// newOrder begins an order of candidates, ascending positions on a line. The line's points at
// the positions in have are there already.
func newOrder(candidates, have []int) *order {
	o := &order{candidates: candidates, away: make([]int, len(candidates))}
	for i := range o.away {
		o.away[i] = far
	}
	for _, p := range have {
		o.visit(p)
	}
	return o
}

// next returns the index of the candidate that is due; ok is false when there is none left.
func (o *order) next() (index int, ok bool) {
	index = -1
	for i, d := range o.away {
		if d >= 0 && (index < 0 || d >= o.away[index]) {
			index = i
		}
	}
	if index < 0 {
		return 0, false
	}
	o.visit(o.candidates[index])
	return index, true
}

// visit shortens the ways to a position. A candidate there is not due any more.
func (o *order) visit(position int) {
	for i, p := range o.candidates {
		switch d := max(p-position, position-p); {
		case d == 0:
			o.away[i] = -1
		case o.away[i] > d:
			o.away[i] = d
		}
	}
}
