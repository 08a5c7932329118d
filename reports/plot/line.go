package plot

import (
	"slices"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/environments"
	"github.com/perftrack/perftrack/runner/record"
)

// A series holds what all lines of one benchmark share: the commits on the x axis and the
// environments.
type series struct {
	commits      []record.Commit
	environments []environments.Environment
}

// A line holds the points of a series in one environment and one unit.
type line struct {
	*steps.UnitPoints
	environment int   // index in series.environments, or -1
	commit      []int // for each point, the index of its commit in series.commits
	outliers    []steps.PointOutlier
	at          []int // for each run in Course.Runs, the index of its point
}

// read returns the x axis and the lines of a series.
func read(s steps.Series) (*series, []line) {
	d := &series{}
	at := map[string]int{}
	var runs []record.RunInfo
	for _, p := range s.Points {
		runs = append(runs, *p.Run)
		c := p.Run.Commit
		if _, ok := at[c.SHA]; !ok {
			at[c.SHA] = len(d.commits)
			d.commits = append(d.commits, c)
		}
	}
	d.environments = environments.Of(runs)
	var lines []line
	for _, u := range s.ByUnit() {
		l := line{UnitPoints: u, outliers: u.Outliers(), environment: slices.IndexFunc(d.environments, func(e environments.Environment) bool { return e.ID == u.Environment })}
		for _, p := range u.Points {
			l.commit = append(l.commit, at[p.Run.Commit.SHA])
		}
		if u.Course != nil {
			l.at = u.Positions()
		}
		lines = append(lines, l)
	}
	return d, lines
}

func (l *line) value(k int) float64 { return l.Summaries[k].Center }

func (l *line) carried(k int) bool { return l.Points[k].CarriedFrom != "" }

// aside reports whether point k does not count as history because its run is partial, failed or
// dirty.
func (l *line) aside(k int) bool { return !l.carried(k) && !l.Points[k].Run.Baseline() }

// outlier returns the index in l.outliers of point k, or -1 if the point is not an outlier.
func (l *line) outlier(k int) int {
	return slices.IndexFunc(l.outliers, func(o steps.PointOutlier) bool { return o.At == k })
}

// unjoined reports whether the curve leaves out point k.
func (l *line) unjoined(k int) bool { return l.aside(k) || l.outlier(k) >= 0 }

// commitOf returns the position on the x axis of a run in l.Course.Runs, as an index in
// series.commits.
func (l *line) commitOf(run string) float64 {
	i := slices.IndexFunc(l.Course.Runs, func(p steps.Point) bool { return p.Run == run })
	return float64(l.commit[l.at[i]])
}
