package plot

import (
	"math"

	"github.com/perftrack/perftrack/reports"
)

func known(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// span returns the range of values to show in a panel. Outliers and intervals far from all other
// values widen the range only a little; outliers beyond it are drawn as arrows at the edge.
func span(lines []line) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	wideLo, wideHi, allLo, allHi := lo, hi, lo, hi
	for i := range lines {
		l := &lines[i]
		for k := range l.Points {
			x := l.value(k)
			if !known(x) {
				continue
			}
			allLo, allHi = min(allLo, x), max(allHi, x)
			if l.unjoined(k) {
				continue
			}
			lo, hi = min(lo, x), max(hi, x)
			if a, b := l.Summaries[k].Lo, l.Summaries[k].Hi; known(a) && known(b) {
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

// ticks returns about count round values between lo and hi, and a label for each. All labels use
// the same prefix of the unit.
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
