package plot

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
)

// A label is the text for a step. x is the middle of the step's band.
type label struct {
	x      float64
	text   string
	color  color
	weight float64 // labels with more weight are placed first
}

var (
	stepColors = map[steps.State]color{steps.Regressed: worse, steps.Improved: better, steps.Changed: undecided}
	stepMarks  = map[steps.State]string{steps.Regressed: "worse ", steps.Improved: "better ", steps.Changed: "changed ", steps.Accepted: "accepted ", steps.Recovered: "recovered "}
)

// steps draws a band for each step, from the last point of the old level to the first point of the
// new one. The band is as high as the panel if the panel has no other lines; otherwise the band
// only surrounds the step. steps returns the labels for the bands.
func (f *Figure) steps(l *line, g geometry, alone bool) (labels []label) {
	if l.Course == nil {
		return nil
	}
	for _, s := range l.Course.Steps {
		c, ok := stepColors[s.State()]
		if !ok {
			c = muted
		}
		x0, x1 := g.x(l.commitOf(s.Last.Run)), g.x(l.commitOf(s.First.Run))
		x0 = min(x0, x1-3)
		top, bottom := g.top, g.bottom
		if from, to := s.From, s.To; !alone && known(from) && known(to) {
			top, bottom = min(g.inside(from), g.inside(to))-10, max(g.inside(from), g.inside(to))+10
		}
		f.shapes = append(f.shapes, box(c, 0.16, x0, top, x1, bottom), stroke(c, 1, point{x1, top}, point{x1, bottom}))
		labels = append(labels, label{(x0 + x1) / 2, stepMarks[s.State()] + size(s), c, math.Abs(math.Log(s.To / s.From))})
	}
	return labels
}

// size formats the change of a step with its interval, or both values if the relative change is
// unknown.
func size(s steps.Step) string {
	change, lo, hi := s.Shift.Center, s.Shift.Lo, s.Shift.Hi
	if !known(change) {
		return reports.Unscaled(s.From, -1) + " to " + reports.Unscaled(s.To, -1)
	}
	if !known(lo) || !known(hi) || lo == hi {
		return reports.PlainChange(change)
	}
	return reports.PlainChange(change) + " [" + reports.PlainChange(lo) + ", " + reports.PlainChange(hi) + "]"
}

// labels writes as many labels as fit into two rows at the top, starting with the largest weight.
func (f *Figure) labels(all []label, g geometry) {
	slices.SortStableFunc(all, func(a, b label) int { return cmp.Compare(b.weight, a.weight) })
	var taken [2][][2]float64
	for _, l := range all {
		half := float64(len([]rune(l.text)))*charWidth/2 + 4
		x := min(max(l.x, left+half), right-half)
		for row := range taken {
			if slices.ContainsFunc(taken[row], func(t [2]float64) bool { return x+half > t[0] && x-half < t[1] }) {
				continue
			}
			taken[row] = append(taken[row], [2]float64{x - half, x + half})
			y := g.top + 10 + 16*float64(row)
			s := words(l.color, 12, middle, x, y, l.text)
			s.bold = true
			f.shapes = append(f.shapes, box(background, 0.85, x-half, y-8, x+half, y+8), s)
			break
		}
	}
}
