package runs

import (
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "run": runs with all of their samples.
func document(limits compare.Limits, runs []*record.Run) reports.Object {
	out := []reports.Object{}
	for _, r := range runs {
		benchmarks := []reports.Object{}
		for _, group := range groups(r) {
			for _, b := range group {
				benchmarks = append(benchmarks, benchmarkFields(limits, r, b))
			}
		}
		out = append(out, append(reports.RunFields(r, r.ID()), [2]any{"benchmarks", benchmarks}))
	}
	return reports.Object{{"runs", out}}
}

// benchmarkFields are the samples of one benchmark. The arrays of its rounds and of
// the samples of each unit have one element a sample, in the order of measurement.
func benchmarkFields(limits compare.Limits, r *record.Run, b *record.Benchmark) reports.Object {
	rounds, iterations := []int{}, []int{}
	for _, round := range b.Rounds {
		rounds, iterations = append(rounds, round.N), append(iterations, round.Iters)
	}
	return slices.Concat(reports.BenchmarkFields(&b.BenchmarkID), reports.Object{
		{"rounds", rounds},
		{"iterations", iterations},
		{"units", reports.Objects(&b.Samples, func(s *record.Samples) reports.Object { return unitFields(limits, r, b, s) })},
	})
}

// unitFields are one unit of one benchmark. Its samples are in "unit"; a round that did
// not report it has null.
func unitFields(limits compare.Limits, r *record.Run, b *record.Benchmark, s *record.Samples) reports.Object {
	exact := r.Exact(s.Unit)
	summary, unit := compare.Summarize(*s, exact, reports.Confidence)
	factor, _ := benchunit.Tidy(1, s.Unit)
	samples := make([]float64, len(s.Values))
	for i, v := range s.Values {
		samples[i] = v * factor
	}
	return reports.Object{
		{"unit", unit},
		{"unit_stored", s.Unit},
		{"better", r.Better(s.Unit)}, // +1 higher, -1 lower, 0 unknown
		{"exact", exact},             // declared so
		{"summary", reports.SummaryFields(&summary)},
		{"samples", samples},
		{"limits", reports.Optional(limitFields(limits, r, b, s))}, // that the configuration sets
	}
}
