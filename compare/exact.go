package compare

import "math"

// decideExact judges a row whose sides show no noise at all: every difference
// is real, and only its size is left to weigh.
func (r *Row) decideExact() {
	b, h := r.Base.Center, r.Head.Center
	r.Shift = Shift{Center: h/b - 1, Lo: h/b - 1, Hi: h/b - 1}
	if b == 0 {
		r.Shift = Shift{Center: h, Lo: h, Hi: h, Absolute: true}
	}
	if b == h {
		r.Shift, r.Bound = Shift{}, 0
	}
	switch size := math.Abs(h - b); {
	case size == 0:
		r.Verdict = Unchanged
	case size <= floor(r.Unit) || r.Unit == "B/op" && size <= 0.01*min(b, h):
		r.Verdict, r.Reason = Unchanged, "too small to matter"
	case h > b:
		r.Verdict = direction(+1, r.Better)
	default:
		r.Verdict = direction(-1, r.Better)
	}
}

// floor is the largest absolute change of a unit that never matters. Bytes
// move by a size class when nothing of the code's own did; a count that
// repeats exactly has no such excuse.
func floor(unit string) float64 {
	if unit == "B/op" {
		return 16
	}
	return 0
}
