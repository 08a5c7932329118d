package documents

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
)

// NewRows returns the state of each unit of a benchmark, except for units that are derived from the
// time and have no steps.
func NewRows(h History, at Lookup) []Row {
	rows := []Row{}
	for _, u := range h.byUnit() {
		if u.Derived() {
			continue
		}
		r := newRow(u, at)
		if !h.First {
			r.Branch = cmp.Or(h.Branch, "another branch")
		}
		rows = append(rows, r)
	}
	return rows
}

func newRow(u *steps.UnitPoints, at Lookup) Row {
	r := Row{Environment: at.Environment(u.Environment), Unit: u.Tidied, Better: u.Better(), State: "too-few", Marks: []Mark{}, ChangeAt: -1, Last: -1}
	if u.Course == nil {
		return r
	}
	runs := u.Course.Runs
	values := make([]float64, len(runs))
	for i, p := range runs {
		values[i] = p.Value
	}
	var places []int
	r.Spark, places = spark(values)
	r.Runs = len(runs)
	newest := u.Positions()[len(runs)-1]
	sum := u.Summaries[newest]
	r.Last = at.Commit(u.Points[newest].Run.Commit.SHA)
	r.Level, r.Lo, r.Hi = numberOrNil(sum.Center), numberOrNil(sum.Lo), numberOrNil(sum.Hi)
	r.Noise = numberOrNil(u.Course.Noise())
	index := make(map[string]int, len(runs))
	for i, p := range runs {
		index[p.Run] = i
	}
	for _, step := range u.Course.Steps {
		sign := 0
		switch step.Verdict {
		case compare.Regressed:
			sign = 1
		case compare.Improved:
			sign = -1
		}
		r.Marks = append(r.Marks, Mark{places[index[step.First.Run]], sign})
	}
	stand := u.Course.Stand
	if r.State = string(stand.State); stand.Since.Run != "" {
		r.Change, r.ChangeAt = numberOrNil(stand.Change), at.Commit(stand.Since.Commit)
	}
	return r
}

// medianOf returns the median, or nil if there are no values.
func medianOf(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	return numberOrNil(stat.Median(values))
}
