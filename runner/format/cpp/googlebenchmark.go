package cpp

import (
	"io"
	"math"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// GoogleBenchmark is the JSON of google-benchmark. Each repetition is a sample. A file with aggregates
// only (--benchmark_report_aggregates_only) has summaries.
var GoogleBenchmark = reading.Format{
	Name:        "google-benchmark",
	Description: "JSON of google-benchmark: real and CPU time, rates, counters",
	Tool:        "google-benchmark --benchmark_format=json or --benchmark_out=FILE",
	Yields:      reading.Either,
	Shape:       []string{"context:object", "benchmarks[].real_time:number", "benchmarks[].time_unit:string"},
	Read:        readGoogleBenchmark,
}

func readGoogleBenchmark(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		g := &googleBenchmark{Document: d, sampled: map[string]bool{}}
		err := g.Object(func(key string) error {
			switch key {
			case "context":
				return g.context()
			case "benchmarks":
				return g.Array(g.benchmark)
			}
			return g.Skip()
		})
		if err != nil {
			return err
		}
		return g.summarize()
	})
}

type googleBenchmark struct {
	*reading.Document
	sampled map[string]bool // benchmarks with samples, whose aggregates say nothing new
	sums    aggregates      // of the benchmark whose aggregates are being read
}

// aggregates are the rows that summarize the repetitions of one benchmark.
type aggregates struct {
	name     string
	mean, sd entry
}

// An entry is an element of the array of benchmarks.
type entry struct {
	line                    int
	name, runName, runType  string
	aggregate, timeUnit     string
	failed                  bool
	iterations, repetitions float64
	realTime, cpuTime       float64
	counters                []reading.Value
	errorMessage            string
}

// context reads the facts about the machine and the library.
func (g *googleBenchmark) context() error {
	var c struct {
		Host    string  `json:"host_name"`
		CPUs    float64 `json:"num_cpus"`
		Build   string  `json:"library_build_type"`
		Version string  `json:"library_version"`
	}
	if err := g.Into(&c); err != nil {
		return err
	}
	g.Machine("", "", "", reading.Count(c.CPUs))
	g.Fact("host", c.Host)
	g.Fact("library-build-type", c.Build)
	g.Fact("library-version", c.Version)
	return g.Ready()
}

func (g *googleBenchmark) benchmark() error {
	e := entry{realTime: math.NaN(), cpuTime: math.NaN(), timeUnit: "ns"}
	err := g.Object(func(key string) error { return g.member(&e, key) })
	if err != nil {
		return err
	}
	e.line = g.Line()
	if e.runName == "" {
		e.runName = e.name
	}
	switch {
	case e.failed:
		return g.Fail(e.line, e.name, "it failed: %s", e.errorMessage)
	case e.runType == "aggregate" || e.aggregate != "":
		return g.aggregate(e)
	}
	if len(g.sampled) < maxSampled {
		g.sampled[e.runName] = true
	}
	return g.Result(e.row(e.name))
}

// maxSampled bounds the memory for names. A file with more benchmarks is refused anyway.
const maxSampled = 20_000

// member reads a member of an entry. Numbers with other keys are counters.
func (g *googleBenchmark) member(e *entry, key string) (err error) {
	switch key {
	case "name":
		e.name, err = g.Text()
	case "run_name":
		e.runName, err = g.Text()
	case "run_type":
		e.runType, err = g.Text()
	case "aggregate_name":
		e.aggregate, err = g.Text()
	case "time_unit":
		e.timeUnit, err = g.Text()
	case "error_message":
		e.errorMessage, err = g.Text()
	case "error_occurred":
		e.failed = g.Next() == 't'
		err = g.Skip()
	case "iterations":
		e.iterations, err = g.Number()
	case "repetitions":
		e.repetitions, err = g.Number()
	case "real_time":
		e.realTime, err = g.Number()
	case "cpu_time":
		e.cpuTime, err = g.Number()
	case "bytes_per_second":
		var v float64
		v, err = g.Number()
		e.counters = append(e.counters, reading.UnitOf("B/s").Value(v))
	case "items_per_second":
		var v float64
		v, err = g.Number()
		e.counters = append(e.counters, reading.Value{V: v, Unit: "items/s"})
	case "family_index", "per_family_instance_index", "repetition_index", "threads", "cpu_coefficient", "real_coefficient", "rms", "complexity_n":
		err = g.Skip()
	default:
		if g.Next() != '0' {
			return g.Skip()
		}
		var v float64
		v, err = g.Number()
		e.counters = append(e.counters, reading.Value{V: v, Unit: key})
	}
	return err
}

// row returns the row of an entry.
func (e *entry) row(name string) reading.Row {
	unit := reading.UnitOf(e.timeUnit)
	row := reading.Row{Line: e.line, Name: name, Iters: reading.Count(e.iterations)}
	if !math.IsNaN(e.realTime) {
		row.Values = append(row.Values, unit.Value(e.realTime))
	}
	if !math.IsNaN(e.cpuTime) {
		row.Values = append(row.Values, reading.Value{V: unit.Value(e.cpuTime).V, Unit: "cpu-ns/op"})
	}
	row.Values = append(row.Values, e.counters...)
	return row
}

// aggregate keeps the mean and the standard deviation of the repetitions.
func (g *googleBenchmark) aggregate(e entry) error {
	if e.runName != g.sums.name {
		if err := g.summarize(); err != nil {
			return err
		}
		g.sums = aggregates{name: e.runName}
	}
	switch e.aggregate {
	case "mean":
		g.sums.mean = e
	case "stddev":
		g.sums.sd = e
	}
	return nil
}

// summarize emits the aggregates of a benchmark without samples.
func (g *googleBenchmark) summarize() error {
	sums := g.sums
	g.sums = aggregates{}
	if sums.mean.line == 0 || g.sampled[sums.name] {
		return nil
	}
	spread := reading.NoSpread()
	spread.N = reading.Count(sums.mean.repetitions)
	if sums.sd.line > 0 {
		spread.SD = reading.UnitOf(sums.sd.timeUnit).Value(sums.sd.realTime).V
	}
	sums.mean.iterations = 1
	return g.Summary(sums.mean.row(sums.name), spread)
}
