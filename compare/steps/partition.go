package steps

import "math"

// A partition cuts a growing series into levels so that the sum over all
// values of min((z-level)², K²), and a penalty for each level, is least. The
// bound K makes it one of the biweight loss, under which a value far off costs
// the same however far, so that it takes several, not a large one, to begin a
// level. The values are in units of their noise.
//
// The partition is exact. The least cost of the values so far is kept as a
// function of the last level, which is made of pieces of parabolas, and a
// further value adds its loss and the chance of a new level to it: Fearnhead
// and Rigaill, "Changepoint Detection in the Presence of Outliers", JASA 114
// (2019), algorithm 1 (R-FPOP), here with a least length of levels, whose last
// values enter when there are enough of them. One value costs time in the
// number of pieces, which is at most linear in the length of the series.
type partition struct {
	penalty float64
	z       []float64
	cut     []bool    // cut[t]: a level may begin at value t
	best    []float64 // best[t]: least cost of the first t values; infinite where there is none
	start   []int     // start[t]: where the last level begins then
	cost    []piece   // of all values, by the last level
	work    [3][]piece
}

const (
	boundedAt   = 3 // K
	leastLength = 3 // of a level
)

// A piece is a parabola a·x²+b·x+c from the end of the one before to its own.
type piece struct {
	end, a, b, c float64
	start        int // of the level whose cost it is
}

func (p piece) at(x float64) float64 { return (p.a*x+p.b)*x + p.c }

// append adds a value. A level may only begin at it where cut is set.
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

// swap makes next the cost and keeps the memory of the old one.
func (p *partition) swap(next []piece) { p.cost, p.work[0] = next, p.cost }

// level is the cost of a level that begins at from.
func (p *partition) level(from int) []piece {
	f := append(p.work[1][:0], piece{end: math.Inf(1), c: p.best[from] + p.penalty, start: from})
	for _, z := range p.z[from:] {
		next := join(p.work[2][:0], f, loss(z), sum)
		f, p.work[2] = next, f
	}
	p.work[1] = f
	return f
}

// levels returns where each level of the best partition begins; nothing of a
// series that is too short for one.
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

func loss(z float64) []piece {
	return []piece{
		{end: z - boundedAt, c: boundedAt * boundedAt},
		{end: z + boundedAt, a: 1, b: -2 * z, c: z * z},
		{end: math.Inf(1), c: boundedAt * boundedAt},
	}
}

// least is the least value of a piece that begins at lo.
func (p piece) least(lo float64) float64 {
	if p.a == 0 { // then it is flat
		return p.c
	}
	return p.at(min(p.end, max(lo, -p.b/(2*p.a))))
}

// join walks along two functions and lets combine append what they make
// between lo and hi, where each is one piece.
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

func sum(dst []piece, _, hi float64, x, y piece) []piece {
	return push(dst, piece{hi, x.a + y.a, x.b + y.b, x.c + y.c, x.start})
}

// lower appends the lower of two parabolas; the older level where they are equal.
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

// middle is a place between lo and hi, either of which may be infinite.
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

// roots returns where a·x²+b·x+c changes its sign, in order.
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
	q := -(b + math.Copysign(math.Sqrt(d), b)) / 2 // without cancellation
	x = [2]float64{q / a, c / q}
	if x[0] > x[1] {
		x[0], x[1] = x[1], x[0]
	}
	return x, 2
}

// push appends a piece, or extends the last one by it where it is the same.
func push(dst []piece, q piece) []piece {
	if n := len(dst); n > 0 {
		if last := &dst[n-1]; last.a == q.a && last.b == q.b && last.c == q.c && last.start == q.start {
			last.end = q.end
			return dst
		}
	}
	return append(dst, q)
}
