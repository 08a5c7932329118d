package backfill

// An order yields candidate positions on a line one by one. It always yields the candidate farthest
// from all visited positions and, if several are equally far, the newest of them. No matter when
// the caller stops, the largest distance from a candidate to the nearest visited position is at
// most twice the smallest distance possible for that number of positions (Gonzalez, Clustering to
// minimize the maximum intercluster distance, 1985).
type order struct {
	candidates []int // positions in ascending order; the last is the newest
	away       []int // distance of each candidate to the nearest visited position; -1 once it is visited
}

// far is a distance longer than any line.
const far = 1 << 40

// newOrder returns an order of candidates, given as ascending positions on a line. The positions in
// have count as visited.
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

// next returns the index of the next candidate; ok is false at the end.
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

// visit marks a position as visited and updates the distances. A candidate at this position will
// not be returned any more.
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
