package runs

import (
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// document describes the document of kind "run": runs with all their samples.
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

// benchmarkFields describes the samples of one benchmark. The arrays rounds and iterations, and
// samples in each unit, have one element for each sample, in the order of measurement.
func benchmarkFields(limits compare.Limits, r *record.Run, b *record.Benchmark) reports.Object {
	rounds, iterations, series := []int{}, []int{}, b.Series()
	for _, round := range b.Rounds {
		rounds, iterations = append(rounds, round.N), append(iterations, round.Iters)
	}
	return slices.Concat(reports.BenchmarkFields(&b.BenchmarkID), reports.Object{
		{"rounds", rounds},
		{"iterations", iterations},
		{"units", reports.Objects(&series, func(s *record.Samples) reports.Object { return unitFields(limits, r, b, s) })},
	})
}

// unitFields describes a benchmark in one unit. The values in samples are in the same unit, with
// null for a round without a sample.
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
		{"unit_file", reports.Optional(r.From(s.Unit))}, // in the imported file, if its values were converted; several are separated by commas
		{"better", r.Better(s.Unit)},                    // as the run declares it: +1 if higher is better, -1 if lower is, 0 if unknown
		{"exact", exact},                                // whether the program declared the unit exact
		{"summary", reports.SummaryFields(&summary)},
		{"samples", samples},
		{"limits", reports.Optional(limitFields(limits, r, b, s))}, // limits from the configuration
	}
}
