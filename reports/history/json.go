package history

import (
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "history": the series that a name means, of
// several suites, packages or targets.
func document(to steps.AnchorCommit, series []steps.Series) reports.Object {
	return reports.Object{
		{"anchor", reports.Optional(anchorFields(to))}, // where the values are ratios
		{"series", reports.Objects(&series, seriesFields)},
	}
}

// anchorFields are the commit to which values are ratios: of the runs that were
// measured beside a build of it. Their environment is without the keys machine and
// cpu-governor, and environment_id follows from what is left.
func anchorFields(a steps.AnchorCommit) reports.Object {
	if a.Commit == "" {
		return nil
	}
	return reports.Object{{"commit", a.Commit}, {"left_out", a.Alone}} // runs that were not
}

// seriesFields are one benchmark over the commits of one line of development, oldest
// first. Points of different environment_id are not comparable.
func seriesFields(s *steps.Series) reports.Object {
	return slices.Concat(reports.Object{{"target", s.Target}}, reports.BenchmarkFields(&s.BenchmarkID), reports.Object{
		{"branch", reports.Optional(s.Branch)}, // the line of development, where there are several
		{"points", reports.Objects(&s.Points, func(p *record.HistoryPoint) reports.Object { return pointFields(s, p) })},
		{"lines", reports.Objects(&s.Lines, lineFields)},
		{"check", reports.Optional(checkFields(s.Check))},
	})
}

// checkFields are what was proved last of a commit of the line, by the runs of two commits, also
// where a line has too few runs for a step.
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

// pointFields are one run of the benchmark, with the center of each unit. What was carried
// over was measured at another commit, which has the same machine code.
func pointFields(one *steps.Series, p *record.HistoryPoint) reports.Object {
	r := &record.Run{Target: one.Target, Commit: p.Run.Commit, Env: p.Run.Env, Status: p.Run.Status, Start: p.Run.Start}
	units := []reports.Object{}
	for _, s := range p.Benchmark.Samples {
		sum, unit := compare.Summarize(s, p.Run.Exact(s.Unit), reports.Confidence)
		units = append(units, slices.Concat(reports.Object{{"unit", unit}, {"unit_stored", s.Unit}}, reports.SummaryFields(&sum),
			reports.Object{{"limits", reports.Optional(limitFields(one, p, s))}})) // that the configuration sets now
	}
	return append(reports.RunFields(r, p.Run.ID), [2]any{"carried_over_from", reports.Optional(p.CarriedFrom)}, [2]any{"units", units})
}

// lineFields are one unit of a series in one environment: the levels that its runs
// show, the steps between them, and the runs far off their level. The runs of a drift
// are on no level. A unit that follows from the time of the same benchmark has none.
func lineFields(l *steps.UnitLine) reports.Object {
	levels := []reports.Object{}
	for _, v := range l.Levels { // consecutive runs that measured the same but for noise
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

// stepFields are a change between two levels, of a commit after after_commit and up to
// up_to_commit. Now is by what fraction the newest level lies above the old one. A step
// with drift_runs is a drift over so many runs: no single commit of them is the cause.
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
		{"in_force", s.InForce},
		{"now", s.Now},
		{"drift_runs", reports.Optional(s.Drift)},
		{"found_by_bisection", reports.Optional(s.Found.Commit)}, // the commit
	}
}

// outlierFields are a run far off its level. An open one may turn out to be the first of
// a new level.
func outlierFields(o *steps.Outlier) reports.Object {
	return reports.Object{{"run", o.Run}, {"commit", o.Commit}, {"change", o.Change}, {"open", o.Open}}
}

// regressionsDocument describes the document of kind "regressions": the regressions of
// all benchmarks that are in force, the newest first.
func regressionsDocument(all steps.Regressions) reports.Object {
	short := tooShort(all.Lines)
	return reports.Object{
		{"anchor", reports.Optional(anchorFields(all.Anchor))}, // where the values are ratios
		{"regressions", reports.Objects(&all.List, regressionFields)},
		{"searched", reports.Object{ // for regressions in force: series, each a benchmark's unit in one environment
			{"series", len(all.Lines)},
			{"too_few", reports.Objects(&short, tooFewFields)}, // of these nothing is known
			{"older", all.Older},                               // regressions in force from before --since
		}},
	}
}

func regressionFields(r *steps.Regression) reports.Object {
	return slices.Concat(reports.Object{{"target", r.Target}}, reports.BenchmarkFields(&r.BenchmarkID), reports.Object{
		{"branch", reports.Optional(r.Branch)},
		{"environment_id", r.Environment},
		{"unit", r.Tidied},
		{"unit_stored", r.Unit},
		{"date", reports.Optional(reports.Day(r.When))},   // of the commit
		{"since", reports.Optional(reports.Day(r.Since))}, // of that which a drift began after
	}, stepFields(&r.Step))
}

// tooFewFields are series that have too few runs for a step. They may have as many runs
// as it needs, but of too few commits.
func tooFewFields(g *shortLines) reports.Object {
	return reports.Object{{"series", g.lines}, {"least_runs", g.least}, {"most_runs", g.most}, {"needs", g.needs}}
}
