package steps

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// UnitPoints holds the points of a series in one environment and unit, oldest first.
type UnitPoints struct {
	Environment string // an EnvironmentID
	Unit        string // as stored
	Tidied      string // as shown
	Points      []*record.HistoryPoint
	Summaries   []compare.Summary // summaries of the points, with 95 % intervals
	Course      *Course           // nil if another unit already shows the steps, or if no run may be part of a history
}

// ByUnit returns the points of the series in each environment and unit, see [WithCourses].
func (s Series) ByUnit() []*UnitPoints { return WithCourses(UnitsOf(s.Points), s.Lines) }

// WithCourses returns copies of all with the courses of their lines. The environment measured last
// comes first; within each environment, the time comes first.
func WithCourses(all []*UnitPoints, lines []UnitLine) []*UnitPoints {
	all = slices.Clone(all)
	newest := map[string]int64{}
	for i, u := range all {
		one := *u
		all[i] = &one
		for k := range lines {
			if l := &lines[k]; l.Environment == u.Environment && l.Unit == u.Unit {
				one.Course = &l.Course
			}
		}
		for _, p := range u.Points {
			newest[u.Environment] = max(newest[u.Environment], measuredUnix(&p.Run.Run))
		}
	}
	slices.SortStableFunc(all, func(x, y *UnitPoints) int {
		return cmp.Or(cmp.Compare(newest[y.Environment], newest[x.Environment]), cmp.Compare(x.Environment, y.Environment), record.CompareUnits(x.Unit, y.Unit))
	})
	return all
}

// UnitsOf returns the points in each environment and unit, without courses. The environments
// are in the order of their appearance, and the units of each in the order of [record.CompareUnits].
func UnitsOf(points []record.HistoryPoint) []*UnitPoints {
	var all []*UnitPoints
	type key struct{ environment, unit string }
	at, order := map[key]*UnitPoints{}, map[string]int{}
	for i := range points {
		p := &points[i]
		if _, known := order[p.Run.EnvironmentID]; !known {
			order[p.Run.EnvironmentID] = len(order)
		}
		for _, samples := range p.Benchmark.Series() {
			sum, tidied := compare.Summarize(samples, p.Run.Exact(samples.Unit), 0.95)
			if sum.N == 0 {
				continue
			}
			k := key{p.Run.EnvironmentID, samples.Unit}
			one := at[k]
			if one == nil {
				one = &UnitPoints{Environment: k.environment, Unit: k.unit, Tidied: tidied}
				at[k], all = one, append(all, one)
			}
			one.Points, one.Summaries = append(one.Points, p), append(one.Summaries, sum)
		}
	}
	slices.SortStableFunc(all, func(x, y *UnitPoints) int {
		return cmp.Or(cmp.Compare(order[x.Environment], order[y.Environment]), record.CompareUnits(x.Unit, y.Unit))
	})
	return all
}

// measuredUnix returns the time of the measurement in seconds since 1970, or 0 if it is unknown.
func measuredUnix(r *record.Run) int64 {
	if at, _ := r.Measured(); !at.IsZero() {
		return at.Unix()
	}
	return 0
}

// Better returns the direction (+1 or -1) from the newest run with a declaration, or 0 if no run
// declares one.
func (u *UnitPoints) Better() int {
	for _, p := range slices.Backward(u.Points) {
		if b := p.Run.Better(u.Unit); b != 0 {
			return b
		}
	}
	return 0
}

// Derived reports whether the unit follows from the time, so that only the time has steps.
func (u *UnitPoints) Derived() bool { return u.Course == nil && units.Follows(u.Tidied) }

// Positions returns the index in Points of each run of the course.
func (u *UnitPoints) Positions() []int {
	at := make([]int, 0, len(u.Course.Runs))
	i := 0
	for _, r := range u.Course.Runs { // in the order of the points
		for i < len(u.Points) && u.Points[i].Run.ID != r.Run {
			i++
		}
		at = append(at, i)
		i++
	}
	return at
}

// A PointOutlier is an outlier with its index in Points.
type PointOutlier struct {
	Outlier
	At int
}

// Outliers returns the outliers of the course, if there is one.
func (u *UnitPoints) Outliers() (out []PointOutlier) {
	if u.Course == nil {
		return nil
	}
	at := u.Positions()
	i := 0
	for _, o := range u.Course.Outliers { // in the order of the runs
		for i < len(at) && u.Course.Runs[i].Run != o.Run {
			i++
		}
		if i < len(at) {
			out = append(out, PointOutlier{o, at[i]})
		}
	}
	return out
}
