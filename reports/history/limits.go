package history

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// judged returns the limits on a benchmark in the unit of samples, and the result of each limit at
// point p. For scopes it returns nil.
func judged(s steps.Series, p record.HistoryPoint, samples record.Samples) (limit.List, []compare.Judged) {
	if s.Kind != record.Bench {
		return nil, nil
	}
	return s.Limits.Judge(s.Name, samples, p.Run.Exact(samples.Unit))
}

// addLimits adds a column for each limit with the result at each commit.
func addLimits(t *reports.Table, s steps.Series, rows []commitRow) {
	var all limit.List
	states := map[limit.Limit]map[int]limit.State{} // by index of the row
	for i, r := range rows {
		for _, p := range r {
			for _, samples := range p.Benchmark.Series() {
				of, found := judged(s, p, samples)
				for k, l := range of {
					if states[l] == nil {
						states[l] = map[int]limit.State{}
						all = append(all, l)
					}
					states[l][i] = both(states[l][i], found[k].State)
				}
			}
		}
	}
	for _, l := range all {
		cells := make([]reports.Cell, len(rows))
		for i := range rows {
			cells[i] = reports.Cell{Text: string(states[l][i]), Tone: reports.LimitTone(states[l][i])}
		}
		t.Columns = append(t.Columns, reports.Column{Title: l.Text, Unit: true})
		t.AddColumn(cells)
	}
}

// both combines the states of a limit in two runs of one commit. It returns undecided if the states
// differ.
func both(a, b limit.State) limit.State {
	switch {
	case a == limit.Unknown:
		return b
	case b == limit.Unknown || a == b:
		return a
	}
	return limit.Undecided
}

// remarkUnits adds a remark for each limit on the benchmark in a unit missing from all runs.
func remarkUnits(r *reports.Report, s steps.Series) {
	if s.Kind != record.Bench || len(s.Points) == 0 {
		return
	}
	for _, l := range s.Limits.List {
		found := slices.ContainsFunc(s.Points, func(p record.HistoryPoint) bool {
			return slices.ContainsFunc(p.Benchmark.Series(), func(x record.Samples) bool { return l.Bounds(s.Name, x.Unit) })
		})
		note := reports.Note{Text: "this limit's unit is missing in all runs shown", Detail: l.String()}
		if l.Names(s.Name) && !found && !slices.Contains(r.Remarks, note) {
			r.Remarks = append(r.Remarks, note)
		}
	}
}

// limitFields describes the limits on a benchmark in one unit and their results at a point.
func limitFields(s *steps.Series, p *record.HistoryPoint, samples record.Samples) []reports.Object {
	return reports.JudgedFields(judged(*s, *p, samples))
}

// limitRecord returns the cells of a CSV line that hold the limits on a benchmark in one unit and
// their states at a point.
func limitRecord(s steps.Series, p record.HistoryPoint, samples record.Samples) []any {
	return reports.JudgedRecord(judged(s, p, samples))
}

// remarkLimits adds a remark for each limit that the newest run in an environment misses.
func remarkLimits(r *reports.Report, s steps.Series, points []record.HistoryPoint) {
	for _, p := range slices.Backward(points) {
		if !p.Run.Baseline() {
			continue
		}
		for _, samples := range p.Benchmark.Series() {
			of, found := judged(s, p, samples)
			for i, l := range of {
				if found[i].State == limit.Missed {
					r.Remarks = append(r.Remarks, reports.Note{Text: "the newest run in environment " + p.Run.EnvironmentID + " misses a limit", Detail: l.String()})
				}
			}
		}
		return
	}
}
