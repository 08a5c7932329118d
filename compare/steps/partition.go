package steps

import "math"

// A partition cuts a growing series into levels: those that minimise the sum over all
// values of min((z-level)², K²), plus a penalty for each level. With this loss, the
// biweight loss, an outlier costs the same however far off it lies, so that one of them
// does not begin a level, but several do. The values are in units of their noise.
//
// The minimum is exact. The lowest cost of the values so far is kept as a function of
// the last level, which consists of pieces of parabolas; a further value adds its loss,
// and the alternative of a new level: Fearnhead and Rigaill, "Changepoint Detection in the
// Presence of Outliers", JASA 114 (2019), algorithm 1 (R-FPOP), here with a minimum
// length of levels. A value costs time in the number of pieces, which is at most linear in
// the length of the series.
type partition struct {
	penalty float64
	z       []float64
	cut     []bool    // cut[t]: a level may begin at value t
	best    []float64 // best[t]: lowest cost of the first t values; infinite if they are too few
	start   []int     // start[t]: where the last level of that partition begins
	cost    []piece   // lowest cost of all values, as a function of the last level
	work    [3][]piece
}

const (
	boundedAt   = 3 // K
	leastLength = 3 // runs of a level
)

// A piece is the parabola a·x²+b·x+c, from the end of the piece before it to its own end.
type piece struct {
	end, a, b, c float64
	start        int // where the level whose cost it is begins
}

func (p piece) at(x float64) float64 { return (p.a*x+p.b)*x + p.c }

// append adds a value. A level may begin at it only if cut is set.
func (p *partition) append(z float64, cut bool) {
	if len(p.best) == 0 {
		p.best, p.start = append(p.best, 0), append(p.start, 0)
	}
	p.z, p.cut = append(p.z, z), append(p.cut, cut)
	if len(p.cost) > 0 {
		p.swap(join(p.work[0][:0], p.cost, loss(z), sum))
	}
	if from := len(p.z) - leastLength; from >= 0 && (from == 0 || p.cut[from]) && p.best[from] < math.Inf(1) {
		fresh := p.level(from)
		if len(p.cost) == 0 {
			p.cost = append(p.cost, fresh...)
		} else {
			p.swap(join(p.work[0][:0], p.cost, fresh, lower))
		}
	}
	best, start := math.Inf(1), 0
	lo := math.Inf(-1)
	for _, q := range p.cost {
		if v := q.least(lo); v < best {
			best, start = v, q.start
		}
		lo = q.end
	}
	p.best, p.start = append(p.best, best), append(p.start, start)
}

// swap replaces the cost and keeps the memory of the old one for reuse.
func (p *partition) swap(next []piece) { p.cost, p.work[0] = next, p.cost }

// level is the lowest cost if the last level begins at value from.
func (p *partition) level(from int) []piece {
	f := append(p.work[1][:0], piece{end: math.Inf(1), c: p.best[from] + p.penalty, start: from})
	for _, z := range p.z[from:] {
		next := join(p.work[2][:0], f, loss(z), sum)
		f, p.work[2] = next, f
	}
	p.work[1] = f
	return f
}

// levels returns where each level of the best partition begins; none if the series is
// too short for a level.
func (p *partition) levels() []int {
	t := len(p.z)
	if t < leastLength {
		return nil
	}
	var out []int
	for t > 0 {
		t = p.start[t]
		out = append(out, t)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// loss is the biweight loss of a value, as a function of its level.
func loss(z float64) []piece {
	return []piece{
		{end: z - boundedAt, c: boundedAt * boundedAt},
		{end: z + boundedAt, a: 1, b: -2 * z, c: z * z},
		{end: math.Inf(1), c: boundedAt * boundedAt},
	}
}

// least is the smallest value of a piece that begins at lo.
func (p piece) least(lo float64) float64 {
	if p.a == 0 { // then it is flat
		return p.c
	}
	return p.at(min(p.end, max(lo, -p.b/(2*p.a))))
}

// join combines two functions piece by piece: combine appends the result between lo and
// hi, where both functions are one piece each.
func join(dst, f, g []piece, combine func(dst []piece, lo, hi float64, x, y piece) []piece) []piece {
	lo := math.Inf(-1)
	for i, j := 0, 0; i < len(f) && j < len(g); {
		hi := min(f[i].end, g[j].end)
		if hi > lo {
			dst = combine(dst, lo, hi, f[i], g[j])
			lo = hi
		}
		if f[i].end == hi {
			i++
		}
		if j < len(g) && g[j].end == hi {
			j++
		}
	}
	return dst
}

// sum appends the sum of two parabolas.
func sum(dst []piece, _, hi float64, x, y piece) []piece {
	return push(dst, piece{hi, x.a + y.a, x.b + y.b, x.c + y.c, x.start})
}

// lower appends the minimum of two parabolas, and the older level where they are equal.
func lower(dst []piece, lo, hi float64, x, y piece) []piece {
	roots, n := roots(x.a-y.a, x.b-y.b, x.c-y.c)
	for i := range n + 1 {
		end := hi
		if i < n {
			end = roots[i]
		}
		if end = min(end, hi); end <= lo {
			continue
		}
		q := x
		if m := middle(lo, end); y.at(m) < x.at(m) {
			q = y
		}
		q.end = end
		dst = push(dst, q)
		lo = end
	}
	return dst
}

// middle is a number between lo and hi, either of which may be infinite.
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

// roots returns where a·x²+b·x+c changes its sign, in ascending order.
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

// push appends a piece, or extends the last one if it is the same parabola.
func push(dst []piece, q piece) []piece {
	if n := len(dst); n > 0 {
		if last := &dst[n-1]; last.a == q.a && last.b == q.b && last.c == q.c && last.start == q.start {
			last.end = q.end
			return dst
		}
	}
	return append(dst, q)
}
