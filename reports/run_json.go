package reports

import (
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// runDocument has kind "run": runs with all of their samples.
func runDocument(runs []*record.Run) Object {
	out := []Object{}
	for _, r := range runs {
		benchmarks := []Object{}
		for _, group := range groups(r) {
			for _, b := range group {
				benchmarks = append(benchmarks, benchmarkFields(r, b))
			}
		}
		out = append(out, append(RunFields(r, r.ID()), [2]any{"benchmarks", benchmarks}))
	}
	return Object{{"runs", out}}
}

// benchmarkFields are the samples of one benchmark. The arrays of its rounds and of
// the samples of each unit have one element a sample, in the order of measurement.
func benchmarkFields(r *record.Run, b *record.Benchmark) Object {
	rounds, iterations := []int{}, []int{}
	for _, round := range b.Rounds {
		rounds, iterations = append(rounds, round.N), append(iterations, round.Iters)
	}
	return slices.Concat(BenchmarkFields(&b.BenchmarkID), Object{
		{"rounds", rounds},
		{"iterations", iterations},
		{"units", Objects(&b.Samples, func(s *record.Samples) Object { return unitFields(r, s) })},
	})
}

// unitFields are one unit of one benchmark. Samples are in "unit"; null stands where a
// round did not report it.
func unitFields(r *record.Run, s *record.Samples) Object {
	exact := r.Exact(s.Unit)
	summary, unit := compare.Summarize(*s, exact, Confidence)
	factor, _ := benchunit.Tidy(1, s.Unit)
	samples := make([]float64, len(s.Values))
	for i, v := range s.Values {
		samples[i] = v * factor
	}
	return Object{
		{"unit", unit},
		{"unit_stored", s.Unit},
		{"better", r.Better(s.Unit)}, // +1 higher, -1 lower, 0 unknown
		{"exact", exact},             // declared so
		{"summary", SummaryFields(&summary)},
		{"samples", samples},
	}
}
