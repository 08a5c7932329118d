package history

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "history": all series with the same name, which may come
// from different suites, packages and targets.
func document(to steps.AnchorCommit, series []steps.Series) reports.Object {
	return reports.Object{
		{"anchor", reports.Optional(anchorFields(to))}, // the anchor of ratios
		{"series", reports.Objects(&series, seriesFields)},
	}
}

// anchorFields describes the anchor: values are ratios to this commit. Only runs measured side by
// side with a build of the anchor have such values. Their environments lack the keys machine and
// cpu-governor, and environment_id is computed without these keys.
func anchorFields(a steps.AnchorCommit) reports.Object {
	if a.Commit == "" {
		return nil
	}
	return reports.Object{{"commit", a.Commit}, {"left_out", a.Alone}} // number of runs not measured with the anchor
}

// seriesFields describes one benchmark over the commits of one branch, oldest first. Points with
// different values of environment_id are not comparable.
func seriesFields(s *steps.Series) reports.Object {
	return slices.Concat(reports.Object{{"target", s.Target}}, reports.BenchmarkFields(&s.BenchmarkID), reports.Object{
		{"branch", reports.Optional(s.Branch)}, // set if the benchmark has several branches
		{"points", reports.Objects(&s.Points, func(p *record.HistoryPoint) reports.Object { return pointFields(s, p) })},
		{"lines", reports.Objects(&s.Lines, lineFields)},
		{"check", reports.Optional(checkFields(s.Check))},
	})
}

// checkFields describes the most recent result on this branch proven by measuring two commits in a
// trial. The branch may have too few runs to show it as a step.
func checkFields(c *steps.Checked) reports.Object {
	if c == nil {
		return nil
	}
	return reports.Object{
		{"base_commit", c.Base.SHA},
		{"head_commit", c.Head.SHA},
		{"date", reports.Optional(reports.Day(c.Time))},
		{"bisection", c.Search},
		{"units", reports.Objects(&c.Rows, func(r *steps.CheckedRow) reports.Object {
			return reports.Object{{"unit", r.Tidied}, {"verdict", r.Verdict}, {"accepted", r.Accepted}, {"shift", reports.ShiftFields(&r.Shift)}, {"rounds", r.Rounds}, {"by_mean", reports.Optional(r.ByMean)}}
		})},
	}
}

// pointFields describes one run of the benchmark, with its center in each unit. If a run was
// carried over, it was measured at another commit with the same machine code.
func pointFields(one *steps.Series, p *record.HistoryPoint) reports.Object {
	r := &record.Run{Target: one.Target, Commit: p.Run.Commit, Env: p.Run.Env, Status: p.Run.Status, Start: p.Run.Start}
	units := []reports.Object{}
	for _, s := range p.Benchmark.Series() {
		sum, unit := compare.Summarize(s, p.Run.Exact(s.Unit), reports.Confidence)
		units = append(units, slices.Concat(reports.Object{{"unit", unit}, {"unit_stored", s.Unit}}, reports.SummaryFields(&sum),
			reports.Object{{"limits", reports.Optional(limitFields(one, p, s))}})) // limits set by the current configuration
	}
	return append(reports.RunFields(r, p.Run.ID), [2]any{"carried_over_from", reports.Optional(p.CarriedFrom)}, [2]any{"units", units})
}

// lineFields describes a series in one unit and one environment: the levels of its runs, the steps
// between levels, and the outliers. Runs within a drift are not on any level. A unit derived from
// the time has no levels.
func lineFields(l *steps.UnitLine) reports.Object {
	levels := []reports.Object{}
	for _, v := range l.Levels { // consecutive runs that differ only by noise
		first, last := l.Runs[v.First], l.Runs[v.End-1]
		levels = append(levels, reports.Object{
			{"first_run", first.Run},
			{"first_commit", first.Commit},
			{"last_run", last.Run},
			{"last_commit", last.Commit},
			{"runs", v.End - v.First},
			{"center", v.Center},
		})
	}
	return reports.Object{
		{"environment_id", l.Environment},
		{"unit", l.Tidied},
		{"unit_stored", l.Unit},
		{"levels", levels},
		{"steps", reports.Objects(&l.Steps, stepFields)},
		{"outliers", reports.Objects(&l.Outliers, outlierFields)},
	}
}

// stepFields describes a change between two levels. The commit that caused it comes after
// after_commit and is up_to_commit or an earlier one. now is the change from the old level to the
// newest level, as a fraction. If drift_runs is set, the step is a drift over that many runs, which
// no single commit caused.
func stepFields(s *steps.Step) reports.Object {
	return reports.Object{
		{"after_run", s.Last.Run},
		{"after_commit", s.Last.Commit},
		{"up_to_run", s.First.Run},
		{"up_to_commit", s.First.Commit},
		{"from", s.From},
		{"to", s.To},
		{"shift", reports.ShiftFields(&s.Shift)},
		{"verdict", s.Verdict}, // regressed, improved or changed
		{"accepted", s.Accepted},
		{"unresolved", s.Unresolved},
		{"now", s.Now},
		{"drift_runs", reports.Optional(s.Drift)},
		{"found_by_bisection", reports.Optional(s.Found.Commit)}, // the commit that caused the step
	}
}

// outlierFields describes a run far from its level. If it is open, it may be the first run of a new
// level.
func outlierFields(o *steps.Outlier) reports.Object {
	return reports.Object{{"run", o.Run}, {"commit", o.Commit}, {"change", o.Change}, {"open", o.Open}}
}

// regressionsDocument describes the document of kind "regressions": the unresolved
// regressions of all benchmarks (neither accepted nor undone), newest first.
func regressionsDocument(all steps.Regressions) reports.Object {
	short := tooShort(all.Lines)
	return reports.Object{
		{"anchor", reports.Optional(anchorFields(all.Anchor))}, // the anchor of ratios
		{"regressions", reports.Objects(&all.List, regressionFields)},
		{"searched", reports.Object{ // what was searched; here, a series is one unit of a benchmark in one environment
			{"series", len(all.Lines)},
			{"too_few", reports.Objects(&short, tooFewFields)}, // series of unknown state
			{"older", all.Older},                               // number of unresolved regressions left out because they are older than --since
		}},
	}
}

func regressionFields(r *steps.Regression) reports.Object {
	return slices.Concat(reports.Object{{"target", r.Target}}, reports.BenchmarkFields(&r.BenchmarkID), reports.Object{
		{"branch", reports.Optional(r.Branch)},
		{"environment_id", r.Environment},
		{"unit", r.Tidied},
		{"unit_stored", r.Unit},
		{"date", reports.Optional(reports.Day(r.When))},   // date of the commit
		{"since", reports.Optional(reports.Day(r.Since))}, // date of the last commit before a drift
	}, stepFields(&r.Step))
}

// tooFewFields describes series with too few runs, or with runs of too few commits, to find a step.
func tooFewFields(g *shortLines) reports.Object {
	return reports.Object{{"series", g.lines}, {"least_runs", g.least}, {"most_runs", g.most}, {"needs", g.needs}}
}
