package steps

import (
	"math"

	"github.com/perftrack/perftrack/compare/stat"
)

// An Outlier is a run at least as far from its level as the smallest step, with a modified z-score,
// based on the median absolute deviation, of more than 3.5 (Iglewicz and Hoaglin, How to Detect and
// Handle Outliers, 1993). In a line without noise it is a run with a value not confirmed by other
// runs; see Options.Repeats.
type Outlier struct {
	Point
	Change float64 // change from the level's center, as a fraction
	// Open is set at the end of the line, where no later run shows yet whether this is an outlier
	// or the start of a new level.
	Open bool
}

// FromZero reports whether the level is 0, so that the change cannot be expressed as a fraction.
func (o Outlier) FromZero() bool { return math.IsInf(o.Change, 0) || math.IsNaN(o.Change) }

// outlierRuns is the smallest number of runs in a line with outliers.
const outlierRuns = 5

// outliers returns the runs far from their span.
func (l *Line) outliers(spans []span) []Outlier {
	if l.opt.Exact {
		return l.exactOutliers(spans)
	}
	if len(l.runs) < outlierRuns {
		return nil
	}
	off := make([]float64, len(l.runs))
	for _, s := range spans {
		for i := s.first; i < s.end; i++ {
			off[i] = l.y[i] - s.at(i)
		}
	}
	absolute := make([]float64, len(off))
	for i := range off {
		absolute[i] = math.Abs(off[i])
	}
	limit := max(l.least, 3.5*stat.NormalMAD*stat.Median(absolute))
	isOut := func(i int) bool { return math.Abs(off[i]) >= limit }
	open := len(off) // from here on all runs are outliers on the same side
	for open > 0 && isOut(open-1) && off[open-1]*off[len(off)-1] > 0 {
		open--
	}
	closed := 0
	for i := range open {
		if isOut(i) {
			closed++
		}
	}
	if 4*closed > len(off) { // too many for outliers: the unit simply varies
		return nil
	}
	var out []Outlier
	for _, s := range spans {
		level := math.NaN() // unknown
		for i := s.first; i < s.end; i++ {
			if !isOut(i) {
				continue
			}
			if s.drift != nil {
				level = math.Exp(s.at(i))
			} else if math.IsNaN(level) {
				level = stat.Median(l.values(s.first, s.end))
			}
			out = append(out, Outlier{l.runs[i], l.runs[i].Value/level - 1, i >= open})
		}
	}
	return out
}
