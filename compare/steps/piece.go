package steps

import (
	"math"
	"slices"
)

// A piece is the parabola a·x²+b·x+c between lo and end.
type piece struct {
	lo, end, a, b, c float64
	low              float64 // no value of the piece is below it
	start            int     // where the level with this cost begins
	tied             bool    // a level with another start may cost as little
}

func (p *piece) at(x float64) float64 { return (p.a*x+p.b)*x + p.c }

// center returns the place of the smallest value of the piece.
func (p *piece) center() float64 {
	if p.a == 0 { // the piece is flat
		return min(p.end, max(p.lo, 0))
	}
	return min(p.end, max(p.lo, -p.b/(2*p.a)))
}

// margin returns a difference between two pieces larger than their rounding errors.
func (p *piece) margin(q *piece) float64 { return 1e-6 + 1e-10*(p.c+q.c) }

// add adds the biweight loss of the value z to a function, and returns it.
func add(f []piece, z float64) []piece {
	low, high, square := z-boundedAt, z+boundedAt, z*z
	f = split(split(f, low), high)
	for i := range f {
		if q := &f[i]; low <= q.lo && q.end <= high {
			q.a, q.b, q.c = q.a+1, q.b-2*z, q.c+square
		} else {
			q.c += boundedAt * boundedAt
		}
	}
	return f
}

// split splits the piece of a function with x in its interior, if any.
func split(f []piece, x float64) []piece {
	i := 0
	for i < len(f) && f[i].end <= x {
		i++
	}
	if i < len(f) && f[i].lo < x {
		f = slices.Insert(f, i, f[i])
		f[i].end, f[i+1].lo = x, x
	}
	return f
}

// lower appends to dst the minimum of two functions. Where they are equal, f wins. The function g is
// nowhere above most.
func lower(dst, f, g []piece, most float64) []piece {
	none := piece{lo: math.Inf(1), end: math.Inf(1)}
	at := math.Inf(-1) // up to here, the minimum is in dst
	for i, j := 0, 0; i < len(f) || j < len(g); {
		x, y := &none, &none
		if i < len(f) {
			x = &f[i]
		}
		if j < len(g) {
			y = &g[j]
		}
		xlo, ylo := max(at, x.lo), max(at, y.lo)
		switch {
		case xlo < ylo:
			at = min(x.end, ylo)
			dst = push(dst, x, xlo, at)
		case ylo < xlo:
			at = min(y.end, xlo)
			dst = push(dst, y, ylo, at)
		default:
			at = min(x.end, y.end)
			switch x.compare(y, xlo, at) {
			case -1:
				dst = push(dst, x, xlo, at)
			case +1:
				dst = push(dst, y, xlo, at)
			default:
				dst = cross(dst, xlo, at, x, y, most)
			}
		}
		if x.end == at {
			i++
		}
		if y.end == at {
			j++
		}
	}
	return dst
}

// compare returns -1 if x is the minimum of two parabolas between lo and hi, +1 if y is, and 0 if
// this depends on their roots. Most parabolas differ by far more than a rounding error.
func (p *piece) compare(q *piece, lo, hi float64) int {
	a, b, c := p.a-q.a, p.b-q.b, p.c-q.c
	margin := p.margin(q)
	if p.a == 0 && q.a == 0 { // both are flat
		switch {
		case c > margin:
			return +1
		case c < -margin:
			return -1
		}
		return 0
	}
	first, last := (a*lo+b)*lo+c, (a*hi+b)*hi+c
	monotonic := (2*a*lo+b > 0) == (2*a*hi+b > 0)
	switch {
	case first > margin && last > margin && (a <= 0 || monotonic):
		return +1
	case first < -margin && last < -margin && (a >= 0 || monotonic):
		return -1
	}
	return 0
}

// cross appends the minimum of two parabolas between lo and hi. Where they are equal, x wins.
func cross(dst []piece, lo, hi float64, x, y *piece, most float64) []piece {
	a, b, c := x.a-y.a, x.b-y.b, x.c-y.c
	roots, n := roots(a, b, c)
	touch := touches(a, b, c, lo, hi, x.margin(y))
	for i := range n + 1 {
		end := hi
		if i < n {
			end = roots[i]
		}
		if end = min(end, hi); end <= lo {
			continue
		}
		m := middle(lo, end)
		d := x.at(m) - y.at(m)
		if n == 0 && a != 0 { // m may be where they touch
			d = a
		}
		q := *x
		if d > 0 {
			q = *y
		}
		if a == 0 && b == 0 {
			// Often, the only difference is an outlier before a level. It costs the same as one
			// after the previous level, except for rounding. The sign of c decides, unless a sum
			// with c rounds more than c itself.
			q.tied = q.tied || c > 0 && math.Ilogb(most) > math.Ilogb(y.c)
		} else {
			q.tied = q.tied || touch || math.Abs(d) < x.margin(y)
		}
		dst = push(dst, &q, lo, end)
		lo = end
	}
	return dst
}

// touches reports whether a·x²+b·x+c has an extreme between lo and hi that is 0 except for
// rounding.
func touches(a, b, c, lo, hi, margin float64) bool {
	at := -b / (2 * a)
	return a != 0 && lo <= at && at <= hi && math.Abs(c-b*b/(4*a)) < margin
}

// middle returns a number between lo and hi. Both may be infinite.
func middle(lo, hi float64) float64 {
	switch {
	case math.IsInf(lo, -1) && math.IsInf(hi, 1):
		return 0
	case math.IsInf(lo, -1):
		return hi - 1
	case math.IsInf(hi, 1):
		return lo + 1
	}
	return lo + (hi-lo)/2
}

// roots returns the sign changes of a·x²+b·x+c, in ascending order.
func roots(a, b, c float64) (x [2]float64, n int) {
	if a == 0 {
		if b == 0 {
			return x, 0
		}
		return [2]float64{-c / b}, 1
	}
	d := b*b - 4*a*c
	if d <= 0 {
		return x, 0
	}
	q := -(b + math.Copysign(math.Sqrt(d), b)) / 2 // avoids cancellation
	x = [2]float64{q / a, c / q}
	if x[0] > x[1] {
		x[0], x[1] = x[1], x[0]
	}
	return x, 2
}

// push appends the part of a piece from lo to end, or extends the last piece if it is the same
// parabola.
func push(dst []piece, q *piece, lo, end float64) []piece {
	if n := len(dst); n > 0 {
		last := &dst[n-1]
		if last.end == lo && last.start == q.start && last.a == q.a && last.b == q.b && last.c == q.c && last.tied == q.tied {
			last.end = end
			return dst
		}
	}
	dst = append(dst, *q)
	last := &dst[len(dst)-1]
	last.lo, last.end = lo, end
	return dst
}

// trimmed returns the parts of a function up to limit, and perhaps a little more. It changes f.
func trimmed(f []piece, limit float64) []piece {
	n := 0
	for i := range f {
		if f[i].trim(limit) {
			if n < i {
				f[n] = f[i]
			}
			n++
		}
	}
	return f[:n]
}

// trim cuts off the ends of a piece far above limit, and reports whether the rest is not above it.
func (p *piece) trim(limit float64) bool {
	limit += p.margin(p)
	if p.a == 0 {
		return p.c <= limit
	}
	if p.low > limit {
		return false
	}
	if far := limit + 1; p.at(p.lo) <= far && p.at(p.end) <= far {
		return true
	}
	d := p.b*p.b - 4*p.a*(p.c-limit)
	if d <= 0 {
		return false
	}
	center, half := -p.b/(2*p.a), math.Sqrt(d)/(2*p.a)
	p.lo, p.end = max(p.lo, center-half), min(p.end, center+half)
	return p.lo < p.end
}
