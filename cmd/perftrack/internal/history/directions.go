package history

import (
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// direct puts the directions of rules into the runs of the points. Everybody who asks a run for a
// direction then gets the answer of the rules.
func (r *reader) direct(b store.BenchmarkInfo, points []record.HistoryPoint) {
	directions := r.directions(b)
	if len(directions) == 0 {
		return
	}
	for i := range points {
		run := *points[i].Run
		run.Units = record.WithDirections(run.Units, directions)
		points[i].Run = &run
	}
}

// directions returns the directions that rules set for units of a benchmark.
func (r *reader) directions(b store.BenchmarkInfo) map[string]int {
	all := map[string]int{}
	for _, unit := range b.Units {
		if better := r.where.Config.Better(b.Name, unit); better != 0 {
			all[unit] = better
		}
	}
	return all
}
