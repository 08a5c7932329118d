package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Curve is values in the order of time that a writer draws as wide as it has room; NaN is a
// gap.
type Curve struct {
	Values []float64
	Unit   string
}

// Shown draws the curve in at most width characters, with its extremes behind it; 0 is as many
// as there are values. One value that is far off from both that are beside it does not flatten
// the others: it is drawn at the end of the scale, and counted. It is empty without a value.
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
	scale := ScaleFor(c.Unit, least, most)
	words := scale.Format(least) + ".." + scale.Format(most)
	if off > 0 {
		words += fmt.Sprintf(" (%d beyond the scale of %s..%s)", off, scale.Format(lo), scale.Format(hi))
	}
	values := c.Values
	if room := width - len([]rune(words)) - 2; width > 0 && len(values) > max(room, 8) {
		values = gather(values, max(room, 8))
	}
	return spark(values, lo, hi) + "  " + words
}

// Sparkline draws values in as many characters, on the scale of [Curve.Shown].
func Sparkline(values []float64) string {
	if len(values) == 0 {
		return ""
	}
	lo, hi := steadyRange(values)
	return spark(values, lo, hi)
}

// steadyRange is the range of values that are not alone far off: that of the medians of each
// three in a row, and as much again on both sides.
func steadyRange(values []float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	if len(values) < 7 { // of so few, nobody knows which is off
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

// gather makes so many values of more, each the median of those in its place.
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

// spark draws values on a scale, a character each.
func spark(values []float64, lo, hi float64) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	level := levels[0] // of values that are all the same
	if slices.ContainsFunc(values, func(v float64) bool { return v < lo || v > hi }) {
		level = levels[3] // there is something to both sides
	}
	var b strings.Builder
	for _, v := range values {
		switch {
		case math.IsNaN(v):
			b.WriteByte(' ')
		case lo == hi && v == hi:
			b.WriteRune(level)
		default:
			at := float64(len(levels)) * ((v - lo) / (hi - lo)) // eight times the largest number is none
			b.WriteRune(levels[int(max(0, min(at, float64(len(levels)-1))))])
		}
	}
	return b.String()
}
