package cpp

import (
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// Nanobench is the JSON that nanobench's template json() renders. Each epoch is a sample. A program
// that renders several benchmarks writes several documents.
var Nanobench = reading.Format{
	Name:        "nanobench",
	Description: "JSON of nanobench: the epochs of each benchmark, instructions and cycles",
	Tool:        "bench.render(ankerl::nanobench::templates::json(), out)",
	Yields:      reading.Either,
	Shape:       []string{"results[].median(elapsed):number", "results[].epochs:number"},
	Read:        readNanobench,
}

func readNanobench(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		n := &nanobench{Document: d}
		for more := true; more; {
			err := n.Object(func(key string) error {
				if key == "results" {
					return n.Array(n.result)
				}
				return n.Skip()
			})
			if err != nil {
				return err
			}
			if err := n.Ready(); err != nil {
				return err
			}
			if more, err = n.More(); err != nil {
				return err
			}
		}
		return nil
	})
}

type nanobench struct {
	*reading.Document
	bench  nanobenchResult
	epochs []nanobenchEpoch
}

type nanobenchResult struct {
	line              int
	title, name, unit string
	batch, median     float64
	instructions      float64 // median
	cycles            float64
	epochs            float64
}

// A nanobenchEpoch is a sample: figures of one iteration, times in seconds. Counters that the machine
// does not have are 0.
type nanobenchEpoch struct{ iterations, elapsed, instructions, cycles float64 }

func (n *nanobench) result() error {
	n.bench = nanobenchResult{unit: "op", batch: 1, median: math.NaN()}
	n.epochs = n.epochs[:0]
	if err := n.Object(n.member); err != nil {
		return err
	}
	b := &n.bench
	b.line = n.Line()
	if b.batch <= 0 || math.IsNaN(b.batch) {
		return n.Bad(b.line, "%s has a batch of %v", bounds.Quote(b.name), b.batch)
	}
	for _, unit := range []string{"ns", "instructions", "cycles"} {
		if err := n.Declare(unit+b.per(), "lower"); err != nil {
			return err
		}
	}
	for _, e := range n.epochs {
		row := b.row(e)
		row.Iters = reading.Count(e.iterations)
		if err := n.Result(row); err != nil {
			return err
		}
	}
	if len(n.epochs) > 0 {
		return nil
	}
	spread := reading.NoSpread()
	spread.N = reading.Count(b.epochs)
	return n.Summary(b.row(nanobenchEpoch{1, b.median, b.instructions, b.cycles}), spread)
}

func (n *nanobench) member(key string) (err error) {
	b := &n.bench
	switch key {
	case "title":
		b.title, err = n.Text()
	case "name":
		b.name, err = n.Text()
	case "unit":
		b.unit, err = n.Text()
	case "batch":
		b.batch, err = n.Number()
	case "epochs":
		b.epochs, err = n.Number()
	case "median(elapsed)":
		b.median, err = n.Number()
	case "median(instructions)":
		b.instructions, err = n.Number()
	case "median(cpucycles)":
		b.cycles, err = n.Number()
	case "measurements":
		err = n.Array(n.measurement)
	default:
		err = n.Skip()
	}
	return err
}

// measurement reads an epoch. More than a benchmark may have are not kept, and are refused later.
func (n *nanobench) measurement() error {
	e := nanobenchEpoch{elapsed: math.NaN()}
	err := n.Object(func(key string) (err error) {
		switch key {
		case "iterations":
			e.iterations, err = n.Number()
		case "elapsed":
			e.elapsed, err = n.Number()
		case "instructions":
			e.instructions, err = n.Number()
		case "cpucycles":
			e.cycles, err = n.Number()
		default:
			err = n.Skip()
		}
		return err
	})
	if len(n.epochs) <= bounds.MaxSamples {
		n.epochs = append(n.epochs, e)
	}
	return err
}

// row returns the figures of an epoch. Like nanobench's own table, it divides them by the batch: with
// the unit byte and a batch of 1000, they are the figures of one byte.
func (b *nanobenchResult) row(e nanobenchEpoch) reading.Row {
	row := reading.Row{Line: b.line, Name: b.name}
	if b.title != "benchmark" { // the title of a program that sets none
		row.Name = reading.Join(b.title, b.name)
	}
	time := reading.Unit{Go: "ns" + b.per(), Factor: 1e9 / b.batch, From: "s"}
	row.Values = append(row.Values, time.Value(e.elapsed))
	if e.instructions > 0 {
		row.Values = append(row.Values, reading.Value{V: e.instructions / b.batch, Unit: "instructions" + b.per()})
	}
	if e.cycles > 0 {
		row.Values = append(row.Values, reading.Value{V: e.cycles / b.batch, Unit: "cycles" + b.per()})
	}
	return row
}

// per returns the end of the units, such as /op.
func (b *nanobenchResult) per() string { return "/" + strings.Join(strings.Fields(b.unit), "_") }
