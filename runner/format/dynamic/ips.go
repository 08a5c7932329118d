package dynamic

import (
	"io"
	"math"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// IPS is the JSON of Ruby's benchmark-ips.
var IPS = reading.Format{
	Name:        "benchmark-ips",
	Description: "JSON of Ruby's benchmark-ips: iterations per second",
	Tool:        "x.json! FILE",
	Yields:      reading.Summaries,
	Shape:       []string{"[].name:string", "[].ips:number", "[].cycles:number"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			return d.Array(func() error { return readIPS(d) })
		})
	},
}

// readIPS reads an entry. Its error is the standard deviation of the rates of short intervals, whose
// number the file does not have.
func readIPS(d *reading.Document) error {
	name, ips, central, sd := "", math.NaN(), math.NaN(), math.NaN()
	err := d.Object(func(key string) (err error) {
		switch key {
		case "name":
			name, err = d.Text()
		case "ips":
			ips, err = d.Number()
		case "central_tendency":
			central, err = d.Number()
		case "stddev":
			sd, err = d.Number()
		default:
			return d.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	row := reading.Row{Line: d.Line(), Name: name}
	if math.IsNaN(ips) {
		ips = central
	}
	if math.IsNaN(ips) {
		return d.LeaveOut(row.Line, name, "it has no rate")
	}
	row.Values = []reading.Value{{V: ips, Unit: "ops/s", From: "i/s"}}
	spread := reading.NoSpread()
	spread.SD = sd
	return d.Summary(row, spread)
}
