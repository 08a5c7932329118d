package managed

import (
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// BenchmarkDotNet is the JSON of BenchmarkDotNet. Each measurement of the workload is a sample. The
// brief form has the same values among its statistics, and old versions have statistics only.
var BenchmarkDotNet = reading.Format{
	Name:        "benchmarkdotnet",
	Description: "JSON of BenchmarkDotNet: the measurements of each benchmark, allocated bytes",
	Tool:        "BenchmarkDotNet with --exporters json (JsonExporter)",
	Yields:      reading.Either,
	Shape:       []string{"HostEnvironmentInfo:object", "Benchmarks[].Method:string"},
	Read:        readBenchmarkDotNet,
}

func readBenchmarkDotNet(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		b := &benchmarkDotNet{Document: d}
		return b.Object(func(key string) error {
			switch key {
			case "HostEnvironmentInfo":
				return b.host()
			case "Benchmarks":
				return b.Array(b.benchmark)
			}
			return b.Skip()
		})
	})
}

// A benchmarkDotNet reads one benchmark at a time.
type benchmarkDotNet struct {
	*reading.Document
	e dotNetEntry
}

type dotNetEntry struct {
	line                                   int
	displayInfo, namespace, class, method  string
	fullName, parameters                   string
	statistics                             bool
	n, mean, median, sd, low, high, memory float64
	original, measured                     reading.Series // nanoseconds per operation
	operations                             float64        // of a measurement
}

// host reads the facts about the machine.
func (b *benchmarkDotNet) host() error {
	var version, system, processor, arch, runtime string
	var cpus float64
	err := b.Object(func(key string) (err error) {
		switch key {
		case "BenchmarkDotNetVersion":
			version, err = b.Text()
		case "OsVersion":
			system, err = b.Text()
		case "Architecture":
			arch, err = b.Text()
		case "RuntimeVersion", "ClrVersion":
			runtime, err = b.Text()
		case "LogicalCoreCount", "ProcessorCount":
			cpus, err = number(b.Document)
		case "ProcessorName":
			processor, err = b.processor()
		default:
			err = b.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if strings.Contains(arch, "-bit") { // of old versions
		arch = ""
	}
	b.Machine(dotNetSystem(system), arch, processor, reading.Count(cpus))
	b.Fact("benchmarkdotnet-version", version)
	b.Fact("dotnet-version", runtime)
	b.Fact("os-version", system)
	return b.Ready()
}

// processor reads the name of the CPU, which is an object with a member Value in old versions.
func (b *benchmarkDotNet) processor() (name string, err error) {
	if b.Next() != '{' {
		return b.Text()
	}
	err = b.Object(func(key string) error {
		if key != "Value" {
			return b.Skip()
		}
		var err error
		name, err = b.Text()
		return err
	})
	return name, err
}

// dotNetSystem returns the name of a system from its description, which names the distribution on
// Linux.
func dotNetSystem(description string) string {
	switch {
	case description == "":
		return ""
	case strings.Contains(description, "Windows"):
		return "windows"
	case strings.Contains(description, "macOS"), strings.Contains(description, "OS X"), strings.Contains(description, "Darwin"):
		return "darwin"
	case strings.Contains(description, "FreeBSD"):
		return "freebsd"
	}
	return "linux"
}

func (b *benchmarkDotNet) benchmark() error {
	unknown := math.NaN()
	b.e = dotNetEntry{n: unknown, mean: unknown, median: unknown, sd: unknown, low: unknown, high: unknown, memory: unknown, original: b.e.original, measured: b.e.measured}
	b.e.original.Reset()
	b.e.measured.Reset()
	if err := b.Object(b.member); err != nil {
		return err
	}
	e := &b.e
	e.line = b.Line()
	row := reading.Row{Line: e.line, Name: e.name()}
	unit := reading.Unit{Go: "ns/op", Factor: 1}
	if !math.IsNaN(e.memory) {
		row.Values = append(row.Values, reading.Value{V: e.memory, Unit: "B/op"})
	}
	switch {
	case e.measured.N > 0 && e.complete(&e.measured):
		row.Iters = reading.Count(e.operations)
		return b.Samples(row, unit, &e.measured)
	case e.original.N > 0 && e.complete(&e.original):
		return b.Samples(row, unit, &e.original)
	case !e.statistics:
		return b.Fail(e.line, row.Name, "it has no statistics: it failed")
	}
	center := e.mean
	if math.IsNaN(center) {
		center = e.median
	}
	spread := reading.Spread{SD: e.sd, Low: e.low, High: e.high, N: reading.Count(e.n)}
	row.Values = append([]reading.Value{unit.Value(center)}, row.Values...)
	return b.Summary(row, spread)
}

// complete reports whether a series has as many values as the statistics count.
func (e *dotNetEntry) complete(s *reading.Series) bool {
	return math.IsNaN(e.n) || float64(s.N) == e.n
}

func (b *benchmarkDotNet) member(key string) (err error) {
	e := &b.e
	switch key {
	case "DisplayInfo":
		e.displayInfo, err = b.Text()
	case "Namespace":
		e.namespace, err = b.Text()
	case "Type":
		e.class, err = b.Text()
	case "Method":
		e.method, err = b.Text()
	case "FullName":
		e.fullName, err = b.Text()
	case "Parameters":
		e.parameters, err = b.Text()
	case "Statistics":
		e.statistics = b.Next() == '{'
		err = b.Object(b.statistic)
	case "Memory":
		err = b.Object(func(key string) (err error) {
			if key != "BytesAllocatedPerOperation" {
				return b.Skip()
			}
			e.memory, err = number(b.Document)
			return err
		})
	case "Measurements":
		err = b.Array(b.measurement)
	default:
		err = b.Skip()
	}
	return err
}

func (b *benchmarkDotNet) statistic(key string) (err error) {
	e := &b.e
	switch key {
	case "OriginalValues":
		_, err = b.Numbers(&e.original)
	case "N":
		e.n, err = number(b.Document)
	case "Mean":
		e.mean, err = number(b.Document)
	case "Median":
		e.median, err = number(b.Document)
	case "StandardDeviation":
		e.sd, err = number(b.Document)
	case "ConfidenceInterval":
		err = b.Object(func(key string) (err error) {
			switch key {
			case "Lower":
				e.low, err = number(b.Document)
			case "Upper":
				e.high, err = number(b.Document)
			default:
				err = b.Skip()
			}
			return err
		})
	default:
		err = b.Skip()
	}
	return err
}

// measurement adds a measurement if it is a result: not a pilot or warm-up run, and after the overhead
// of the loop was subtracted.
func (b *benchmarkDotNet) measurement() error {
	var mode, stage string
	var operations, nanoseconds float64
	err := b.Object(func(key string) (err error) {
		switch key {
		case "IterationMode":
			mode, err = b.Text()
		case "IterationStage":
			stage, err = b.Text()
		case "Operations":
			operations, err = number(b.Document)
		case "Nanoseconds":
			nanoseconds, err = number(b.Document)
		default:
			err = b.Skip()
		}
		return err
	})
	// Versions before 0.11 have the mode Result and no stage.
	if result := mode == "Workload" && stage == "Result" || mode == "Result" && stage == ""; result && operations > 0 {
		b.e.measured.Add(nanoseconds / operations)
		b.e.operations = operations
	}
	return err
}
