package site

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

// NewRows returns how each unit of a benchmark stands that has steps of its own.
func NewRows(h History, at Places) []Row {
	rows := []Row{}
	for _, s := range h.stretches() {
		if s.course == nil && compare.Follows(s.tidied) {
			continue
		}
		r := s.row(at)
		if !h.First {
			r.Branch = cmp.Or(h.Branch, "another branch")
		}
		rows = append(rows, r)
	}
	return rows
}

func (s *stretch) row(at Places) Row {
	r := Row{Environment: at.Environment(s.environment), Unit: s.tidied, Better: s.better(), State: "too-few", Marks: []Mark{}, ChangeAt: -1, Last: -1}
	if s.course == nil {
		return r
	}
	runs := s.course.Runs
	values := make([]float64, len(runs))
	for i, p := range runs {
		values[i] = p.Value
	}
	var places []int
	r.Spark, places = spark(values)
	r.Runs = len(runs)
	newest := s.places()[len(runs)-1]
	sum := s.sums[newest]
	r.Last = at.Commit(s.points[newest].Run.Commit.SHA)
	r.Level, r.Lo, r.Hi = numberOrNil(sum.Center), numberOrNil(sum.Lo), numberOrNil(sum.Hi)
	r.Noise = numberOrNil(s.course.Noise())
	index := make(map[string]int, len(runs))
	for i, p := range runs {
		index[p.Run] = i
	}
	for _, step := range s.course.Steps {
		sign := 0
		switch step.Verdict {
		case compare.Regressed:
			sign = 1
		case compare.Improved:
			sign = -1
		}
		r.Marks = append(r.Marks, Mark{places[index[step.First.Run]], sign})
	}
	stand := s.course.Stand
	if r.State = string(stand.State); stand.Since.Run != "" {
		r.Change, r.ChangeAt = numberOrNil(stand.Change), at.Commit(stand.Since.Commit)
	}
	return r
}

// medianOf returns the median of what is known, nil without any.
func medianOf(values []float64) *float64 {
	if len(values) == 0 {
		return nil
	}
	slices.Sort(values)
	return numberOrNil(stat.Median(values))
}
