package plot

import (
	"cmp"
	"math"
	"slices"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site"
)

// A label is the words of a step, with the middle of where it lies.
type label struct {
	x      float64
	text   string
	color  color
	weight float64 // the greatest have room first
}

var (
	stepColors = map[string]color{"regressed": worse, "improved": better, "changed": undecided}
	stepMarks  = map[string]string{"regressed": "worse ", "improved": "better ", "changed": "changed ", "accepted": "accepted ", "recovered": "recovered "}
)

// steps draws bands from the last point of the old level to the first of the new one, over the
// height of the panel where the line is alone in it, else around the step.
func (f *Figure) steps(l *site.Line, g geometry, alone bool) (labels []label) {
	for _, s := range l.Steps {
		c, ok := stepColors[s.State]
		if !ok {
			c = muted
		}
		x0, x1 := g.x(float64(l.Commit[s.Last])), g.x(float64(l.Commit[s.First]))
		x0 = min(x0, x1-3)
		top, bottom := g.top, g.bottom
		if from, to := float64(s.From), float64(s.To); !alone && known(from) && known(to) {
			top, bottom = min(g.inside(from), g.inside(to))-10, max(g.inside(from), g.inside(to))+10
		}
		f.shapes = append(f.shapes, box(c, 0.16, x0, top, x1, bottom), stroke(c, 1, point{x1, top}, point{x1, bottom}))
		labels = append(labels, label{(x0 + x1) / 2, stepMarks[s.State] + size(s), c, math.Abs(math.Log(float64(s.To) / float64(s.From)))})
	}
	return labels
}

// size is a step's change with its interval, or both values where there is no change of a fraction.
func size(s site.Step) string {
	change, lo, hi := float64(s.Change), float64(s.Lo), float64(s.Hi)
	if !known(change) {
		return reports.Unscaled(float64(s.From), -1) + " to " + reports.Unscaled(float64(s.To), -1)
	}
	if !known(lo) || !known(hi) || lo == hi {
		return reports.PlainChange(change)
	}
	return reports.PlainChange(change) + " [" + reports.PlainChange(lo) + ", " + reports.PlainChange(hi) + "]"
}

// labels writes as many as have room in two rows on top, the greatest first.
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
