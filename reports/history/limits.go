package history

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// judged are the limits of one unit at a point, and what its samples say of each. Scopes have
// none.
func judged(s steps.Series, p record.HistoryPoint, samples record.Samples) (limit.List, []compare.Judged) {
	if s.Kind != record.Bench {
		return nil, nil
	}
	return s.Limits.Judge(s.Name, samples, p.Run.Exact(samples.Unit))
}

// addLimits adds a column for each limit: what the runs of each commit say of it.
func addLimits(t *reports.Table, s steps.Series, rows []commitRow) {
	var all limit.List
	states := map[limit.Limit]map[int]limit.State{} // by row
	for i, r := range rows {
		for _, p := range r {
			for _, samples := range p.Benchmark.Samples {
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

// both is what two runs of a commit say of a limit together.
func both(a, b limit.State) limit.State {
	switch {
	case a == limit.Unknown:
		return b
	case b == limit.Unknown || a == b:
		return a
	}
	return limit.Undecided
}

// remarkUnits names the limits of the benchmark in units that none of its runs has.
func remarkUnits(r *reports.Report, s steps.Series) {
	if s.Kind != record.Bench || len(s.Points) == 0 {
		return
	}
	for _, l := range s.Limits.List {
		found := slices.ContainsFunc(s.Points, func(p record.HistoryPoint) bool {
			return slices.ContainsFunc(p.Benchmark.Samples, func(x record.Samples) bool { return l.Bounds(s.Name, x.Unit) })
		})
		note := reports.Note{Text: "a limit in a unit that no run shown here has", Detail: l.String()}
		if l.Names(s.Name) && !found && !slices.Contains(r.Remarks, note) {
			r.Remarks = append(r.Remarks, note)
		}
	}
}

// limitFields are the limits of one unit at a point.
func limitFields(s *steps.Series, p *record.HistoryPoint, samples record.Samples) []reports.Object {
	return reports.JudgedFields(judged(*s, *p, samples))
}

// limitRecord has the limits of one unit at a point and their states for one line.
func limitRecord(s steps.Series, p record.HistoryPoint, samples record.Samples) []any {
	return reports.JudgedRecord(judged(s, p, samples))
}

// remarkLimits names the limits that the newest run of an environment misses.
func remarkLimits(r *reports.Report, s steps.Series, points []record.HistoryPoint) {
	for _, p := range slices.Backward(points) {
		if !p.Run.Baseline() {
			continue
		}
		for _, samples := range p.Benchmark.Samples {
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
