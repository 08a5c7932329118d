package plot

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// The sizes of the parts of a picture, in pixels.
const (
	width     = 960
	left      = 96  // left edge of the plot within the picture
	right     = 916 // right edge of the plot
	tall      = 190 // height of the plot in a panel
	charWidth = 8   // maximum width of a character at font size 12
)

func layOut(title string, panels []panel) Figure {
	f := Figure{title: reports.Printable(title), width: width}
	head := words(foreground, 16, start, 20, 26, shorten(f.title, 80))
	head.bold = true
	f.shapes = append(f.shapes, head)
	y := 44.0
	if len(panels) == 0 {
		f.shapes = append(f.shapes, words(muted, 12, start, 20, y+8, "No run has measured this."))
		y += 24
	}
	for _, p := range panels {
		y = f.panel(p, y)
	}
	f.height = y + 8
	return f
}

// panel draws a panel with its top at y and returns the y coordinate of its bottom.
func (f *Figure) panel(p panel, y float64) float64 {
	head := words(foreground, 13, start, 20, y+12, shorten(reports.Printable(p.title), 110))
	head.bold = true
	f.shapes = append(f.shapes, head)
	y += 28
	for i := range p.lines {
		l := &p.lines[i]
		kind := l.environment
		f.shapes = append(f.shapes, stroke(lineColor(kind), 1.8, point{20, y + 6}, point{38, y + 6}))
		f.shapes = append(f.shapes, mark(kind, lineColor(kind), 29, y+6, 3.2, false)...)
		f.shapes = append(f.shapes, words(muted, 12, start, 46, y+6, shorten(p.says(l), 125)))
		y += 17
	}
	f.plot(p, y+6)
	return y + 6 + tall + 46
}

// says describes a line of the panel: its environment, its number of runs, and its newest level or
// the reason for a missing level.
func (p panel) says(l *line) string {
	var said []string
	if env := l.environment; env >= 0 && p.data.environments[env].Label != "" {
		said = append(said, shorten(reports.Printable(p.data.environments[env].Label), 60))
	}
	said = append(said, reports.Plural(len(l.Points), "run"))
	switch {
	case l.Derived():
		said = append(said, "derived from the time")
	case l.Course == nil:
	case l.Course.Enough && len(l.Course.Levels) > 0:
		said = append(said, "level "+format(l.Tidied, l.Course.Levels[len(l.Course.Levels)-1].Center))
	case l.Course.Needs > 0 && !l.Course.Enough:
		said = append(said, "too few to find a step, which takes "+reports.Plural(l.Course.Needs, "run"))
	}
	if len(l.outliers) > 0 {
		said = append(said, reports.Plural(len(l.outliers), "outlier"))
	}
	if slices.ContainsFunc(l.Points, func(p *record.HistoryPoint) bool { return p.CarriedFrom != "" }) {
		said = append(said, "hollow: carried over")
	}
	return strings.Join(said, " · ")
}

func format(unit string, x float64) string { return reports.ScaleFor(unit, x).Format(x) + " " + unit }

// plot draws the axes and lines of a panel, with the top of the plot at y.
func (f *Figure) plot(p panel, y float64) {
	lo, hi := span(p.lines)
	hi += (hi - lo) * 0.12 // room for the labels of steps
	last := float64(len(p.data.commits) - 1)
	g := geometry{
		x: func(c float64) float64 { return left + 12 + (right-left-24)*c/max(last, 1) },
		y: func(v float64) float64 { return y + tall*(hi-v)/(hi-lo) }, top: y, bottom: y + tall,
	}
	if last == 0 {
		g.x = func(float64) float64 { return (left + right) / 2 }
	}
	f.axes(p, g, lo, hi)
	var labels []label
	for i := range p.lines {
		labels = append(labels, f.steps(&p.lines[i], g, len(p.lines) == 1)...)
	}
	for _, l := range slices.Backward(p.lines) { // the first line is drawn last, on top
		f.line(&l, g)
	}
	f.labels(labels, g)
}

type geometry struct {
	x, y        func(float64) float64
	top, bottom float64
}

func (f *Figure) axes(p panel, g geometry, lo, hi float64) {
	at, texts := ticks(p.lines[0].Tidied, lo, hi, 5)
	for i, v := range at {
		f.shapes = append(f.shapes, stroke(rule, 1, point{left, g.y(v)}, point{right, g.y(v)}), words(muted, 12, end, left-8, g.y(v), texts[i]))
	}
	f.shapes = append(f.shapes, stroke(muted, 1, point{left, g.bottom}, point{right, g.bottom}))
	n := len(p.data.commits)
	each := max(1, int(math.Ceil(float64(n-1)/7)))
	for i := 0; i < n; i += each {
		c, x := p.data.commits[i], g.x(float64(i))
		f.shapes = append(f.shapes, stroke(muted, 1, point{x, g.bottom}, point{x, g.bottom + 5}), words(muted, 12, middle, x, g.bottom+15, cmp.Or(shorten(reports.Printable(c.SHA), 8), "unknown")))
		if !c.Time.IsZero() {
			f.shapes = append(f.shapes, words(muted, 11, middle, x, g.bottom+30, c.Time.UTC().Format(time.DateOnly)))
		}
	}
}

// line draws the curve, intervals, levels and points of a line.
func (f *Figure) line(l *line, g geometry) {
	c := lineColor(l.environment)
	x := func(k int) float64 { return g.x(float64(l.commit[k])) }
	var path, upper, lower []point
	flush := func() {
		switch {
		case len(upper) == 1:
			f.shapes = append(f.shapes, stroke(c, 1.5, upper[0], lower[0]))
		case len(upper) > 1:
			slices.Reverse(lower)
			f.shapes = append(f.shapes, area(c, 0.18, append(upper, lower...)...))
		}
		upper, lower = nil, nil
	}
	for k := range l.Points {
		v := l.value(k)
		if !known(v) || l.unjoined(k) {
			continue
		}
		path = append(path, point{x(k), g.inside(v)})
		if a, b := l.Summaries[k].Lo, l.Summaries[k].Hi; known(a) && known(b) {
			upper, lower = append(upper, point{x(k), g.inside(b)}), append(lower, point{x(k), g.inside(a)})
			continue
		}
		flush()
	}
	flush()
	if l.Course != nil {
		for _, v := range l.Course.Levels {
			s := stroke(c, 1, point{x(l.at[v.First]), g.inside(v.Center)}, point{x(l.at[v.End-1]), g.inside(v.Center)})
			s.dashed = true
			f.shapes = append(f.shapes, s)
		}
	}
	if len(path) > 1 {
		f.shapes = append(f.shapes, stroke(c, 1.75, path...))
	}
	room := (right - left) / max(float64(len(l.Points)), 1)
	for k := range l.Points {
		if known(l.value(k)) {
			f.point(l, k, x(k), g, room)
		}
	}
}

func (g geometry) inside(v float64) float64 { return min(max(g.y(v), g.top), g.bottom) }

// point draws the mark of point k. It leaves out ordinary points if they are too close together.
func (f *Figure) point(l *line, k int, x float64, g geometry, room float64) {
	c := lineColor(l.environment)
	y := g.y(l.value(k))
	if i := l.outlier(k); i >= 0 {
		f.outlier(l.outliers[i], x, y, g)
		return
	}
	y = g.inside(l.value(k))
	switch {
	case l.aside(k):
		f.shapes = append(f.shapes, mark(1, muted, x, y, 2.6, true)...)
	case l.carried(k):
		f.shapes = append(f.shapes, mark(l.environment, c, x, y, 3, true)...)
	case room >= 5:
		f.shapes = append(f.shapes, mark(l.environment, c, x, y, 2.8, false)...)
	}
}

// outlier draws an outlier as a cross, or as an arrow at the edge if it lies beyond the panel. An
// outlier in the newest run also gets a label, with the words used in the table.
func (f *Figure) outlier(o steps.PointOutlier, x, y float64, g geometry) {
	at, way := y, 0.0
	switch {
	case y < g.top:
		at, way = g.top+1, 1
	case y > g.bottom:
		at, way = g.bottom-1, -1
	}
	if way != 0 {
		f.shapes = append(f.shapes, area(undecided, 0, point{x, at}, point{x - 4.5, at + way*8}, point{x + 4.5, at + way*8}))
	} else {
		f.shapes = append(f.shapes, stroke(undecided, 1.8, point{x - 3.6, y - 3.6}, point{x + 3.6, y + 3.6}), stroke(undecided, 1.8, point{x + 3.6, y - 3.6}, point{x - 3.6, y + 3.6}))
	}
	if o.Open {
		f.shapes = append(f.shapes, words(undecided, 11, end, x-9, at+way*8, reports.NewestOff))
	}
}

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		if n <= 12 {
			return string(r[:n]) // a hash, cut without an ellipsis
		}
		return string(r[:n-1]) + "…"
	}
	return s
}
