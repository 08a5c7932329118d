package trackers

import (
	"io"
	"math"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// Bencher is the Bencher Metric Format: for each benchmark its measures, with a value and perhaps
// bounds.
var Bencher = reading.Format{
	Name:        "bencher",
	Description: "Bencher Metric Format: measures with bounds",
	Tool:        "any program for bencher run --adapter json, or bencher mock",
	Yields:      reading.Either,
	Shape:       []string{"*.*.value:number"},
	Detect: func(h *reading.Head) bool {
		return h.Has("*.*.value:number") && h.Only("*:object", "*.*:object", "*.*.value:number", "*.*.lower_value", "*.*.upper_value")
	},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			return d.Object(func(name string) error { return readMetrics(d, name) })
		})
	},
}

// A measure is one that every Bencher project has.
type measure struct {
	unit   reading.Unit
	better string
}

var measures = map[string]measure{
	"latency":    {unit: reading.UnitOf("ns")},
	"throughput": {unit: reading.UnitOf("ops/s")},
	"build-time": {reading.Unit{Go: "build-ns/op", Factor: 1e9, From: "s"}, "lower"},
	"file-size":  {reading.UnitOf("bytes"), "lower"},
}

// readMetrics reads the measures of a benchmark. They are one result.
func readMetrics(d *reading.Document, name string) error {
	row := reading.Row{Name: name}
	first, bounded := reading.NoSpread(), false
	err := d.Object(func(key string) error {
		if len(row.Values) > bounds.MaxKeys {
			return d.Errorf("%s has more than %d measures", bounds.Quote(name), bounds.MaxKeys)
		}
		m, known := measures[key]
		if !known {
			m.unit = reading.UnitOf(key)
		}
		value, spread, err := readMetric(d, m.unit)
		if err != nil {
			return err
		}
		if m.better != "" {
			if err := d.Declare(m.unit.Go, m.better); err != nil {
				return err
			}
		}
		bounded = bounded || !math.IsNaN(spread.Low) || !math.IsNaN(spread.High)
		if err := inside(d, &reading.Row{Line: d.Line(), Name: name, Values: []reading.Value{value}}, &spread); err != nil {
			return err
		}
		row.Values = append(row.Values, value)
		if len(row.Values) == 1 {
			first = spread
		} else {
			row.Values = append(row.Values, spread.Values(value.Unit)...)
		}
		return nil
	})
	if err != nil {
		return err
	}
	row.Line = d.Line()
	switch {
	case len(row.Values) == 0:
		return d.LeaveOut(row.Line, name, "it has no measures")
	case bounded:
		return d.Summary(row, first)
	}
	return d.Result(row)
}

func readMetric(d *reading.Document, unit reading.Unit) (value reading.Value, spread reading.Spread, err error) {
	v := math.NaN()
	spread = reading.NoSpread()
	err = d.Object(func(key string) (err error) {
		switch key {
		case "value":
			v, err = d.Number()
		case "lower_value":
			spread.Low, err = d.Number()
		case "upper_value":
			spread.High, err = d.Number()
		default:
			return d.Skip()
		}
		return err
	})
	spread.Low, spread.High = unit.Value(spread.Low).V, unit.Value(spread.High).V
	return unit.Value(v), spread, err
}
