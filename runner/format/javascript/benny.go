package javascript

import (
	"io"
	"math"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Benny is the JSON that benny saves. It has samples with the option details.
var Benny = reading.Format{
	Name:        "benny",
	Description: "JSON of benny: operations per second, or times with the option details",
	Tool:        "b.save({file: NAME, details: true})",
	Yields:      reading.Either,
	Shape:       []string{"results[].name:string", "results[].ops:number", "results[].margin:number"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			return d.Object(func(key string) error {
				switch key {
				case "version":
					text, err := d.Text()
					d.Fact("version", text)
					return err
				case "results":
					return d.Array(func() error { return readBenny(d) })
				}
				return d.Skip()
			})
		})
	},
}

func readBenny(d *reading.Document) error {
	r := rated{times: newTimes(), ops: math.NaN(), margin: math.NaN()}
	err := d.Object(func(key string) (err error) {
		switch key {
		case "name":
			r.name, err = d.Text()
		case "ops":
			r.ops, err = d.Number()
		case "margin":
			r.margin, err = d.Number()
		case "samples":
			r.runs, err = d.Number()
		case "details":
			return d.Object(only(d, "sampleResults", func() error { return r.read(d.JSON) }))
		default:
			return d.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.emit(d, reading.UnitOf("s"))
}

// BenchNode is the JSON of bench-node: of its JSON reporter, or of the results of a suite.
var BenchNode = reading.Format{
	Name:        "bench-node",
	Description: "JSON of bench-node: operations per second, or times of a suite's results",
	Tool:        "new Suite({reporter: jsonReport}), or JSON.stringify(await suite.run())",
	Yields:      reading.Either,
	Shape:       []string{"[].name:string", "[].opsSec:number", "[].runsSampled:number"},
	Detect: func(h *reading.Head) bool {
		return h.Has("[].opsSec:number") && h.Has("[].runsSampled:number") || h.Has("[].histogram.sampleData:array")
	},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			return d.Array(func() error { return readBenchNode(d) })
		})
	},
}

func readBenchNode(d *reading.Document) error {
	r := rated{times: newTimes(), ops: math.NaN(), margin: math.NaN()}
	err := d.Object(func(key string) (err error) {
		switch key {
		case "name":
			r.name, err = d.Text()
		case "opsSec":
			r.ops, err = d.Number()
		case "runsSampled":
			r.runs, err = d.Number()
		case "histogram":
			return d.Object(only(d, "sampleData", func() error { return r.read(d.JSON) }))
		default:
			return d.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.emit(d, reading.UnitOf("ns"))
}

// rated is a benchmark with a rate, and perhaps with the times of its samples.
type rated struct {
	times
	name              string
	ops, margin, runs float64
}

func (r *rated) emit(d *reading.Document, unit reading.Unit) error {
	row := reading.Row{Line: d.Line(), Name: r.name}
	switch {
	case r.samples.N > 0 && !r.damaged:
		return d.Samples(row, unit, &r.samples)
	case math.IsNaN(r.ops):
		return d.LeaveOut(row.Line, r.name, "it has no rate")
	}
	spread := reading.NoSpread()
	spread.N = reading.Count(r.runs)
	margin(&spread, r.ops, r.margin)
	row.Values = []reading.Value{{V: r.ops, Unit: "ops/s"}}
	return d.Summary(row, spread)
}
