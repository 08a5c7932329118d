package history

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

func anchorRecord(a steps.AnchorCommit) any {
	if a.Commit == "" {
		return nil
	}
	return a.Commit
}

func regressionRecords(all steps.Regressions) [][]any {
	out := [][]any{reports.ColumnNames(`target kind package suite name unit date after_commit up_to_commit from to
		change change_lo change_hi change_absolute now line environment_id anchor drift_runs since`)}
	for _, r := range all.List {
		s := r.Step
		line := append(reports.BenchmarkValues(r.Target, r.BenchmarkID), r.Tidied, reports.Day(r.When), s.Last.Commit, s.First.Commit, s.From, s.To)
		out = append(out, append(line, s.Shift.Center, s.Shift.Lo, s.Shift.Hi, s.Shift.Absolute, s.Now,
			r.Branch, r.Environment, anchorRecord(all.Anchor), driftRecord(s), reports.Day(r.Since)))
	}
	return out
}

// records returns the column names followed by one line for each run and unit. A line holds the
// value, the level of the run, the step or outlier at the run, if any, and the anchor of ratios.
func records(to steps.AnchorCommit, series []steps.Series) [][]any {
	out := [][]any{reports.ColumnNames(`target kind package suite name unit commit commit_time branch dirty status
		start run_id environment_id center lo hi n line level mark change change_lo change_hi after_commit state anchor drift_runs limit limit_state carried_over_from`)}
	for _, one := range series {
		for _, p := range one.Points {
			for _, s := range p.Benchmark.Series() {
				sum, unit := compare.Summarize(s, p.Run.Exact(s.Unit), reports.Confidence)
				line := append(reports.BenchmarkValues(one.Target, one.BenchmarkID), unit, p.Run.Commit.SHA, p.Run.Commit.Time, p.Run.Commit.Branch,
					p.Run.Commit.Dirty, p.Run.Status, p.Run.Start, p.Run.ID, p.Run.EnvironmentID)
				line = append(append(line, reports.SummaryValues(sum)...), one.Branch)
				marks, drift := markRecords(one, p, s.Unit)
				line = append(append(line, marks...), anchorRecord(to), drift)
				out = append(out, append(append(line, limitRecord(one, p, s)...), p.CarriedFrom))
			}
		}
	}
	return out
}

// markRecords returns the cells in the columns from level to state, and the cell in the column
// drift_runs.
func markRecords(s steps.Series, p record.HistoryPoint, unit string) (out []any, drift any) {
	out = make([]any, 7)
	for _, l := range s.In(p.Run.EnvironmentID) {
		at := slices.IndexFunc(l.Runs, func(m steps.Point) bool { return m.Run == p.Run.ID })
		if l.Unit != unit || at < 0 {
			continue
		}
		for _, v := range l.Levels {
			if v.First <= at && at < v.End {
				out[0] = v.Center
			}
		}
		if v, ok := l.DriftAt(at); ok && out[0] == nil {
			out[0] = v
		}
		for _, o := range l.Outliers {
			if o.Run == p.Run.ID {
				out[1], out[2] = "outlier", o.Change
				if o.Open {
					out[6] = "open"
				}
			}
		}
		for _, step := range l.Steps {
			if step.First.Run == p.Run.ID {
				out[1], out[2], out[3], out[4] = step.Verdict, step.Shift.Center, step.Shift.Lo, step.Shift.Hi
				out[5], out[6] = step.Last.Commit, stepState(step)
				drift = driftRecord(step)
			}
		}
	}
	return out, drift
}

func driftRecord(s steps.Step) any {
	if s.Drift == 0 {
		return nil
	}
	return s.Drift
}
