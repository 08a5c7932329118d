package reports

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// SummaryCell shows a center with its interval. It is empty where there is no sample.
func SummaryCell(s compare.Summary, scale Scale, notes *Footnotes) Cell {
	if s.N == 0 {
		return Cell{}
	}
	return Cell{Text: scale.Format(s.Center), Range: Interval(s), Notes: FootnotesOf(s.Notes, notes)}
}

// FootnotesOf adds the caveats to the footnotes of a report and returns their numbers.
func FootnotesOf(list []compare.Caveat, notes *Footnotes) []int {
	var out []int
	for _, c := range list {
		out = append(out, notes.Add(Note{Text: c.Text, Detail: c.Detail}))
	}
	return out
}

// ShiftCell shows an estimated change with its interval. It is empty where there is no
// estimate; the change of a count is exact and has no interval.
func ShiftCell(unit string, s stat.Shift, exact bool) Cell {
	size := func(x float64) string { return Change(unit, x, s.Absolute) }
	switch {
	case math.IsNaN(s.Center):
		return Cell{}
	case exact:
		return Cell{Text: size(s.Center), Range: "(exact)"}
	case math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0):
		return Cell{Text: size(s.Center), Range: "[∞]"}
	}
	return Cell{Text: size(s.Center), Range: fmt.Sprintf("[%s, %s]", size(s.Lo), size(s.Hi))}
}

// fewDigits is half the width of an interval that has two digits after the point. Nobody
// asks for more of what was estimated.
const fewDigits = 0.0002

// EstimateCell shows what the pairs of a trial say of a change: "+5.1 %" with "[+4.2, +6.0]".
// It is empty where there is no estimate. The change of a count that repeats is exact and
// has no interval, unless it hardly varies; neither has one of too few rounds.
func EstimateCell(unit string, s stat.Shift, exact bool) Cell {
	known := !math.IsInf(s.Lo, 0) && !math.IsInf(s.Hi, 0) && s.Lo == s.Lo && s.Hi == s.Hi
	width := math.Abs(s.Center)
	if known && s.Lo < s.Hi {
		width = max((s.Hi-s.Lo)/2, fewDigits)
	}
	size := func(x float64) string { return signedPercent(x, width) }
	percent := " %"
	if s.Absolute {
		size, percent = func(x float64) string { return difference(unit, x) }, ""
	}
	cell := Cell{Text: size(s.Center) + percent}
	switch {
	case math.IsNaN(s.Center):
		return Cell{}
	case exact && (s.Lo == s.Hi || !known):
		cell.Range = "(exact)"
	case known:
		cell.Range = fmt.Sprintf("[%s, %s]", size(s.Lo), size(s.Hi))
	}
	return cell
}

// difference shows a difference of two values in their unit: "+1", "-0.250".
func difference(unit string, x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < maxDigits {
		return fmt.Sprintf("%+.0f", x)
	}
	return Change(unit, x, true)
}
