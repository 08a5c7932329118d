// Package plot draws the history of a benchmark as a picture that resembles the site's page: a
// panel for each unit, with a line for each environment in its own color and mark. The picture also
// shows 95 % intervals, steps, outliers and points carried over from other commits.
//
// [New] lays out the picture as shapes (layout.go, axis.go, steps.go), and svg.go and png.go write
// them.
package plot

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
)

// A Figure is a picture made of shapes.
type Figure struct {
	title         string
	width, height float64
	shapes        []shape
}

// A panel holds the lines of a series in one unit.
type panel struct {
	title string
	lines []line
	data  *series
}

// New draws the series of a history. The points of each series must be in the order of the commits.
func New(all ...steps.Series) Figure {
	title := ""
	var panels []panel
	for _, s := range all {
		name := reports.BenchmarkName(s.Target, s.BenchmarkID)
		if s.Branch != "" {
			name += ", branch " + s.Branch
		}
		title = cmp.Or(title, name)
		d, lines := read(s)
		var units []string
		for _, l := range lines {
			if !slices.Contains(units, l.Tidied) {
				units = append(units, l.Tidied)
			}
		}
		for _, unit := range units {
			p := panel{title: unit, data: d, lines: slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.Tidied != unit })}
			if len(all) > 1 {
				p.title += ", " + name
			}
			panels = append(panels, p)
		}
	}
	return layOut(title, panels)
}
