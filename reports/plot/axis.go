package plot

import (
	"math"
	"slices"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site"
)

func known(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// span is the range of values that a panel shows. Outliers and intervals far beyond all else do
// not squeeze it: what lies outside is an arrow at the edge.
func span(lines []site.Line) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	wideLo, wideHi, allLo, allHi := lo, hi, lo, hi
	for i := range lines {
		l := &lines[i]
		for k, v := range l.Value {
			x := float64(v)
			if !known(x) {
				continue
			}
			allLo, allHi = min(allLo, x), max(allHi, x)
			if odd(l, k) {
				continue
			}
			lo, hi = min(lo, x), max(hi, x)
			if a, b := float64(l.Lo[k]), float64(l.Hi[k]); known(a) && known(b) {
				wideLo, wideHi = min(wideLo, a), max(wideHi, b)
			}
		}
	}
	if lo > hi {
		lo, hi = allLo, allHi
	}
	if lo > hi {
		return 0, 1
	}
	room := max(hi-lo, 0.02*max(math.Abs(lo), math.Abs(hi)))
	if room == 0 {
		return -1, 1
	}
	from := min(lo, max(wideLo, lo-room), max(allLo, lo-room/2))
	to := max(hi, min(wideHi, hi+room), min(allHi, hi+room/2))
	pad := max(room-(to-from), 0)/2 + 0.08*max(to-from, room)
	return from - pad, to + pad
}

// odd points are not joined to others: what stands aside, and outliers.
func odd(l *site.Line, k int) bool {
	return slices.Contains(l.Aside, k) || slices.ContainsFunc(l.Outliers, func(o site.Outlier) bool { return o.Point == k })
}

// ticks are round values between lo and hi, about count of them, and their texts: all of one
// prefix.
func ticks(unit string, lo, hi float64, count int) (at []float64, texts []string) {
	rough := (hi - lo) / float64(count)
	scale := reports.ScaleFor(unit, max(math.Abs(lo), math.Abs(hi)))
	factor := scale.Factor
	power := math.Pow(10, math.Floor(math.Log10(rough/factor)))
	step := 10 * power
	for _, m := range [...]float64{1, 2, 5} {
		if m*power >= rough/factor {
			step = m * power
			break
		}
	}
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	for i := math.Ceil(lo / factor / step); i*step*factor <= hi; i++ {
		at = append(at, i*step*factor)
		texts = append(texts, reports.Unscaled(i*step+0, digits)+scale.Prefix)
	}
	return at, texts
}
