package trackers

import (
	"cmp"
	"io"
	"math"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

// BencherExport is what Bencher answers to a query of a project's history: the metrics of each
// benchmark and measure, in the order of their reports.
var BencherExport = reading.Format{
	Name:        "bencher-export",
	Description: "history of a Bencher project: perf JSON, a run for each report",
	Tool:        "bencher perf, or Bencher's API at /v0/projects/PROJECT/perf",
	Yields:      reading.Either,
	Shape:       []string{"results[].benchmark:object", "results[].measure:object", "results[].metrics:array"},
	Marks:       []string{"\"testbed\"", "\"metrics\""},
	Read:        readBencherExport,
}

func readBencherExport(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		b := &bencherExport{history: history{Document: d}}
		if err := b.Ready(); err != nil {
			return err
		}
		return b.Object(func(key string) error {
			if key != "results" {
				return b.Skip()
			}
			return b.Array(b.result)
		})
	})
}

type bencherExport struct {
	history
	metrics []bencherMetric // of the current result
}

// A bencherNamed is a branch, a testbed, a benchmark or a measure.
type bencherNamed struct{ name, slug, units string }

type bencherMetric struct {
	line             int
	sha              string
	start            time.Time // of the report
	value, low, high float64
}

func (b *bencherExport) result() error {
	var branch, testbed, benchmark, measure bencherNamed
	b.held, b.metrics = 0, b.metrics[:0]
	err := b.Object(func(key string) error {
		switch key {
		case "branch":
			return b.named(&branch)
		case "testbed":
			return b.named(&testbed)
		case "benchmark":
			return b.named(&benchmark)
		case "measure", "metric_kind":
			return b.named(&measure)
		case "metrics":
			return b.Array(b.metric)
		}
		return b.Skip()
	})
	if err != nil {
		return err
	}
	b.Fact(record.KeyMachine, fact(testbed.name, "unknown"))
	unit := bencherUnit(cmp.Or(measure.slug, measure.name), measure.units)
	for _, m := range b.metrics {
		if ok, err := b.at(m.line, m.sha, fact(branch.name, ""), m.start); err != nil {
			return err
		} else if !ok {
			continue
		}
		row := reading.Row{Line: m.line, Name: benchmark.name, Values: []reading.Value{unit.Value(m.value)}}
		spread := reading.NoSpread()
		spread.Low, spread.High = unit.Value(m.low).V, unit.Value(m.high).V
		if err := b.row(row, spread, !math.IsNaN(m.low) || !math.IsNaN(m.high)); err != nil {
			return err
		}
	}
	return nil
}

func (b *bencherExport) named(n *bencherNamed) error {
	return b.Object(func(key string) (err error) {
		switch key {
		case "name":
			n.name, err = b.Text()
		case "slug":
			n.slug, err = b.Text()
		case "units":
			n.units, err = b.Text()
		default:
			return b.Skip()
		}
		return err
	})
}

func (b *bencherExport) metric() error {
	m := bencherMetric{value: math.NaN(), low: math.NaN(), high: math.NaN()}
	err := b.Object(func(key string) (err error) {
		switch key {
		case "start_time":
			var text string
			text, err = b.Text()
			m.start, _ = time.Parse(time.RFC3339, text)
			m.start = m.start.Truncate(time.Second)
		case "version":
			return b.version(&m)
		case "metric":
			return b.value(&m)
		default:
			return b.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if m.line == 0 {
		m.line = b.Line()
	}
	b.metrics = append(b.metrics, m)
	return b.hold(m.sha)
}

func (b *bencherExport) version(m *bencherMetric) error {
	return b.Object(func(key string) (err error) {
		if key != "hash" {
			return b.Skip()
		}
		m.sha, err = b.Text()
		m.line = b.Line()
		return err
	})
}

func (b *bencherExport) value(m *bencherMetric) error {
	return b.Object(func(key string) (err error) {
		switch key {
		case "value":
			m.value, err = b.Number()
		case "lower_value", "lower_bound":
			m.low, err = b.Number()
		case "upper_value", "upper_bound":
			m.high, err = b.Number()
		default:
			return b.Skip()
		}
		return err
	})
}

// bencherUnit returns the unit of a measure. Bencher's own latency and throughput have Go's. The unit
// of any other measure is its name, because several measures of a benchmark count the same thing,
// such as misses.
func bencherUnit(measure, units string) reading.Unit {
	if _, in, ok := strings.Cut(units, "("); ok {
		units = strings.TrimSuffix(strings.TrimSpace(in), ")")
	}
	if unit := reading.UnitOf(units); measure == "latency" && unit.Go == "ns/op" || measure == "throughput" && unit.Go == "ops/s" {
		return unit
	}
	unit := reading.UnitOf(fact(measure, "value"))
	unit.Factor, unit.From = 1, ""
	if len(units) <= bounds.MaxUnit {
		unit.From = units
	}
	return unit
}
