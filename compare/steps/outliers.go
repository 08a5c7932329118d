package steps

import (
	"math"

	"github.com/perftrack/perftrack/compare"
)

// An Outlier is a run that lies off its level by more than 3.5 times the
// noise, measured by the median absolute deviation (Iglewicz and Hoaglin, How
// to Detect and Handle Outliers, 1993), and far enough to be a step.
type Outlier struct {
	Point
	Change float64 // from the level's center, as a fraction
	// Open is set at the end of the line, where no later run says whether the
	// value is an outlier or the first of a new level.
	Open bool
}

// outlierRuns is how many runs it takes to call one of them an outlier.
const outlierRuns = 5

// outliers returns the runs that lie far off what the spans say of them.
func (l *Line) outliers(spans []span) []Outlier {
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
	limit := max(l.least, 3.5*compare.NormalMAD*compare.Median(absolute))
	isOut := func(i int) bool { return math.Abs(off[i]) >= limit }
	open := len(off) // from there on all are outliers to one side
	for open > 0 && isOut(open-1) && off[open-1]*off[len(off)-1] > 0 {
		open--
	}
	closed := 0
	for i := range open {
		if isOut(i) {
			closed++
		}
	}
	if 4*closed > len(off) { // that is how this unit is
		return nil
	}
	var out []Outlier
	for _, s := range spans {
		level := compare.Median(l.values(s.first, s.end))
		for i := s.first; i < s.end; i++ {
			if s.drift != nil {
				level = math.Exp(s.at(i))
			}
			if isOut(i) {
				out = append(out, Outlier{l.runs[i], l.runs[i].Value/level - 1, i >= open})
			}
		}
	}
	return out
}
