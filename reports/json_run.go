package reports

import (
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// A RunDocument has kind "run": runs with all of their samples.
type RunDocument struct {
	Head
	Runs []MeasuredRun `json:"runs"`
}

// A MeasuredRun is one run and what it measured.
type MeasuredRun struct {
	HeaderDocument
	Benchmarks []MeasuredBenchmark `json:"benchmarks"`
}

// A MeasuredBenchmark lists the samples of one benchmark. The arrays of its
// rounds and of the samples of each unit have one element a sample, in the
// order of measurement.
type MeasuredBenchmark struct {
	NamedBenchmark
	Rounds     []int            `json:"rounds"`
	Iterations []int            `json:"iterations"`
	Units      []MeasuredSeries `json:"units"`
}

// A MeasuredSeries is one unit of one benchmark. Samples are in "unit"; null
// stands where a round did not report it.
type MeasuredSeries struct {
	Unit       string          `json:"unit"`
	UnitStored string          `json:"unit_stored"`
	Better     int             `json:"better"` // +1 higher, -1 lower, 0 unknown
	Exact      bool            `json:"exact"`  // declared so
	Summary    SummaryDocument `json:"summary"`
	Samples    []Number        `json:"samples"`
}

func newRunDocument(runs []*record.Run) RunDocument {
	d := RunDocument{Head: Head{SchemaVersion, "run"}, Runs: []MeasuredRun{}}
	for _, r := range runs {
		m := MeasuredRun{HeaderDocument: headerDocument(r, r.ID()), Benchmarks: []MeasuredBenchmark{}}
		for _, group := range groups(r) {
			for _, b := range group {
				m.Benchmarks = append(m.Benchmarks, measured(r, b))
			}
		}
		d.Runs = append(d.Runs, m)
	}
	return d
}

func measured(r *record.Run, b *record.Benchmark) MeasuredBenchmark {
	m := MeasuredBenchmark{NamedBenchmark: named(b.BenchmarkID), Rounds: []int{}, Iterations: []int{}, Units: []MeasuredSeries{}}
	for _, round := range b.Rounds {
		m.Rounds = append(m.Rounds, round.N)
		m.Iterations = append(m.Iterations, round.Iters)
	}
	for _, s := range b.Samples {
		m.Units = append(m.Units, measuredSeries(s, r.Better(s.Unit), r.Exact(s.Unit)))
	}
	return m
}

func measuredSeries(s record.Samples, better int, exact bool) MeasuredSeries {
	sum, unit := compare.Summarize(s, exact, confidence)
	factor, _ := benchunit.Tidy(1, s.Unit)
	samples := slices.Clone(s.Values)
	for i := range samples {
		samples[i] *= factor
	}
	return MeasuredSeries{
		Unit: unit, UnitStored: s.Unit, Better: better, Exact: exact,
		Summary: summaryDocument(sum), Samples: numbers(samples),
	}
}
