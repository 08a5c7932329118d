package reports

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// SummaryCell shows a center with its interval. The cell is empty if there are no samples.
func SummaryCell(s compare.Summary, scale Scale, notes *Footnotes) Cell {
	if s.N == 0 {
		return Cell{}
	}
	return Cell{Text: scale.Format(s.Center), Range: Interval(s), Notes: FootnotesOf(s.Notes, notes)}
}

// FootnotesOf adds the caveats to the footnotes of a report and returns the numbers of these
// footnotes.
func FootnotesOf(list []compare.Caveat, notes *Footnotes) []int {
	var out []int
	for _, c := range list {
		out = append(out, notes.Add(Note{Text: c.Text, Detail: c.Detail}))
	}
	return out
}

// fewDigits is the smallest half width of an interval that affects the number of digits of an
// estimate. It limits estimates to two decimals.
const fewDigits = 0.0002

// EstimateCell shows an estimated change with its interval: "+5.1 %" with "[+4.2, +6.0]". The cell
// is empty if there is no estimate. A change estimated from too few rounds has no interval. An
// exact count has one only if it varies a little.
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
