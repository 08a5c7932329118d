package documents

import (
	"cmp"
	"fmt"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/environments"
	"github.com/perftrack/perftrack/runner/record"
)

// NewRunRow returns the row for a run in the list of runs.
func NewRunRow(r record.RunInfo, at Lookup) RunRow {
	row := RunRow{
		ID: r.ID, Target: r.Target, Commit: at.Commit(r.Commit.SHA), Environment: at.Environment(r.EnvironmentID), Status: string(r.Status),
		Dirty: r.Commit.Dirty, Trial: r.Trial, Side: string(r.Side), Benchmarks: r.Benchmarks, Rounds: r.Rounds,
	}
	if !r.Start.IsZero() {
		row.Start = r.Start.Unix()
	}
	if !r.End.IsZero() {
		row.End = r.End.Unix()
	}
	return row
}

// NewRun returns the document of a run. ruled returns the direction that the configuration sets for
// a unit of a benchmark, or 0.
func NewRun(id string, r *record.Run, at Lookup, ruled func(bench, unit string) int) *Run {
	out := &Run{ID: id, Facts: environments.SettingPairs(r.Env), Failures: [][2]string{}, Values: []Value{}}
	if r.Commit.Branch != "" {
		out.Facts = append(out.Facts, [2]string{"branch", r.Commit.Branch})
	}
	if r.Tool != "" {
		out.Facts = append(out.Facts, [2]string{"perftrack", r.Tool})
	}
	for _, f := range r.Facts {
		if k, _ := record.Lookup(f.Key); k.Parts == 0 { // the other facts are for programs only
			out.Facts = append(out.Facts, [2]string{f.Key, f.Value})
		}
	}
	out.Facts = append(out.Facts, protocolFacts(&r.Protocol)...)
	for _, f := range r.Failures {
		out.Failures = append(out.Failures, [2]string{f.Benchmark, f.Reason})
	}
	for _, b := range r.Benchmarks {
		for _, s := range b.Series() {
			sum, tidied := compare.Summarize(s, r.Exact(s.Unit), reports.Confidence)
			if sum.N == 0 {
				continue
			}
			out.Values = append(out.Values, Value{
				Benchmark: at.Benchmark(r.Target, b.BenchmarkID), Unit: tidied, Better: cmp.Or(ruled(b.Name, s.Unit), r.Better(s.Unit)),
				Center: Number(sum.Center), Lo: Number(sum.Lo), Hi: Number(sum.Hi), N: sum.N,
			})
		}
	}
	return out
}

// protocolFacts returns the interesting facts about a run's plan.
func protocolFacts(p *record.Protocol) (facts [][2]string) {
	add := func(key, value string) {
		if value != "" {
			facts = append(facts, [2]string{key, value})
		}
	}
	add("procedure", p.Procedure)
	add("decision", p.Decision)
	if p.Selection != nil {
		add("selection", cmp.Or(p.Selection.String(), "all"))
	}
	if p.Part != nil {
		add("part", fmt.Sprintf("%d/%d", p.Part.N, p.Part.Of))
	}
	return facts
}
