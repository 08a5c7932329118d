// Package plot draws the history of a benchmark as a picture: a panel for each unit, a line with
// its own colour and mark for each environment, never joined, with the 95 % intervals, steps,
// outliers and points that were carried over, as the page of the site draws them.
//
// [New] lays it out (layout.go, axis.go) as shapes, which svg.go and png.go write.
package plot

import (
	"cmp"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
)

// A Figure is a picture, laid out.
type Figure struct {
	title         string
	width, height float64
	shapes        []shape
}

// A panel is the lines of one unit of a series.
type panel struct {
	title string
	lines []site.Line
	data  *series
}

// A series is what the lines of its panels refer to by place.
type series struct {
	commits      []site.Commit
	environments []site.Environment
}

// New draws series: those of a history, with the points in the order of the commits.
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
			if !slices.Contains(units, l.Unit) {
				units = append(units, l.Unit)
			}
		}
		for _, unit := range units {
			p := panel{title: unit, data: d, lines: slices.DeleteFunc(slices.Clone(lines), func(l site.Line) bool { return l.Unit != unit })}
			if len(all) > 1 {
				p.title += ", " + name
			}
			panels = append(panels, p)
		}
	}
	return layOut(title, panels)
}

// read returns the lines of a series, and the commits and environments that they are of.
func read(s steps.Series) (*series, []site.Line) {
	d := &series{}
	at := map[string]int{}
	var runs []record.RunInfo
	for _, p := range s.Points {
		runs = append(runs, p.Run)
		c := p.Run.Commit
		if _, ok := at[c.SHA]; !ok {
			at[c.SHA] = len(d.commits)
			d.commits = append(d.commits, site.Commit{SHA: c.SHA, Time: unix(c.Time)})
		}
	}
	d.environments = site.Environments(runs)
	lines := site.NewLines(site.History{Series: s, First: true, All: s.Points}, site.Places{
		Commit:    func(sha string) int { return at[sha] },
		Run:       func(id string) int { return slices.IndexFunc(runs, func(r record.RunInfo) bool { return r.ID == id }) },
		Benchmark: func(string, record.BenchmarkID) int { return 0 },
		Environment: func(id string) int {
			return slices.IndexFunc(d.environments, func(e site.Environment) bool { return e.ID == id })
		},
	})
	return d, lines
}

func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}
