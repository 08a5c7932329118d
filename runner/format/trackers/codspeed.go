package trackers

import (
	"io"
	"math"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// CodSpeed is the result file that the plugins of CodSpeed write for its instrument of wall time.
var CodSpeed = reading.Format{
	Name:        "codspeed",
	Description: "results of CodSpeed's plugins in wall time: times",
	Tool:        "CodSpeed's plugins: results/PID.json, or .codspeed/PID.json",
	Yields:      reading.Summaries,
	Shape:       []string{"creator.name:string", "instrument.type:string", "benchmarks[].stats.mean_ns:number"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			return d.Object(func(key string) error {
				switch key {
				case "creator":
					var c struct{ Name, Version string }
					err := d.Into(&c)
					d.Fact("creator", c.Name)
					d.Fact("creator-version", c.Version)
					return err
				case "benchmarks":
					return d.Array(func() error { return readCodSpeed(d) })
				}
				return d.Skip()
			})
		})
	},
}

// readCodSpeed reads a benchmark. Its name alone may not be unique; its URI is.
func readCodSpeed(d *reading.Document) error {
	var name, uri string
	mean, sd, rounds := math.NaN(), math.NaN(), 0.0
	err := d.Object(func(key string) (err error) {
		switch key {
		case "name":
			name, err = d.Text()
		case "uri":
			uri, err = d.Text()
		case "stats":
			return d.Object(func(key string) (err error) {
				switch key {
				case "mean_ns":
					mean, err = d.Number()
				case "stdev_ns":
					sd, err = d.Number()
				case "rounds":
					rounds, err = d.Number()
				default:
					return d.Skip()
				}
				return err
			})
		default:
			return d.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	row := reading.Row{Line: d.Line(), Name: uri}
	if uri == "" {
		row.Name = name
	}
	if math.IsNaN(mean) {
		return d.LeaveOut(row.Line, row.Name, "it has no mean")
	}
	row.Values = []reading.Value{{V: mean, Unit: "ns/op", From: "ns"}}
	spread := reading.NoSpread()
	spread.SD, spread.N = sd, reading.Count(rounds)
	return d.Summary(row, spread)
}
