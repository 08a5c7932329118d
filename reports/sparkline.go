package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Curve is a series of values over time. A writer draws it as wide as the available space. NaN is
// a gap.
type Curve struct {
	Values []float64
	Unit   string
}

// Shown draws the curve in at most width characters, or with one character for each value if width
// is 0, followed by its extremes. A single value far from both neighbors does not flatten the
// curve. It is drawn at the end of the scale, and the result mentions the number of such values.
// The result is empty if there are no values.
func (c Curve) Shown(width int) string {
	least, most, all := math.Inf(1), math.Inf(-1), slices.DeleteFunc(slices.Clone(c.Values), math.IsNaN)
	if len(all) == 0 {
		return ""
	}
	for _, v := range all {
		least, most = min(least, v), max(most, v)
	}
	lo, hi := steadyRange(all)
	off := 0
	for _, v := range all {
		if v < lo || v > hi {
			off++
		}
	}
	scale := ScaleFor(c.Unit, lo, hi)
	words := c.end(scale, least) + ".." + c.end(scale, most)
	if off > 0 {
		words += fmt.Sprintf(" (%d outside the scale %s..%s)", off, scale.Format(lo), scale.Format(hi))
	}
	values := c.Values
	if room := width - len([]rune(words)) - 2; width > 0 && len(values) > max(room, 8) {
		values = gather(values, max(room, 8))
	}
	return spark(values, lo, hi) + "  " + words
}

// end shows an extreme of the curve on the scale of the drawing. A value that has no place there, such
// as one that is a billion times larger than the others, gets a scale of its own.
func (c Curve) end(scale Scale, v float64) string {
	const digits = 1e6
	if size := math.Abs(v) / scale.Factor; size >= digits || size > 0 && size < 1/digits {
		scale = ScaleFor(c.Unit, v)
	}
	return scale.Format(v)
}

// Sparkline draws values with one character each, on the same scale as [Curve.Shown].
func Sparkline(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	lo, hi := steadyRange(values)
	return spark(values, lo, hi)
}

// steadyRange returns the range of values without single outliers. To find outliers, it takes the
// range of the medians of three consecutive values. A value is an outlier if it is outside this
// range by more than the range's width, or by more than 5 % of its upper end if the range is
// narrower.
func steadyRange(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	if len(values) < 7 { // too few to find outliers
		return slices.Min(values), slices.Max(values)
	}
	for i := range values[2:] {
		three := slices.Sorted(slices.Values(values[i : i+3]))
		lo, hi = min(lo, three[1]), max(hi, three[1])
	}
	room := max(hi-lo, math.Abs(hi)/20)
	inside := slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return v < lo-room || v > hi+room })
	return slices.Min(inside), slices.Max(inside)
}

// gather divides values into n parts and returns the median of each part.
func gather(values []float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		part := slices.DeleteFunc(slices.Clone(values[i*len(values)/n:(i+1)*len(values)/n]), math.IsNaN)
		if out[i] = math.NaN(); len(part) > 0 {
			slices.Sort(part)
			out[i] = part[len(part)/2]
		}
	}
	return out
}

// spark draws values on a scale, with one character each.
func spark(values []float64, lo, hi float64) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	level := levels[0] // used if all values are equal
	if slices.ContainsFunc(values, func(v float64) bool { return v < lo || v > hi }) {
		level = levels[3] // used if all values are equal except outliers
	}
	var b strings.Builder
	for _, v := range values {
		switch {
		case math.IsNaN(v):
			b.WriteByte(' ')
		case lo == hi && v == hi:
			b.WriteRune(level)
		default:
			at := float64(len(levels)) * ((v - lo) / (hi - lo)) // divide first, because the product may overflow
			b.WriteRune(levels[int(max(0, min(at, float64(len(levels)-1))))])
		}
	}
	return b.String()
}
