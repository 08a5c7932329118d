package rust

import (
	"io"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// CriterionMessages is the JSON of cargo-criterion: a document for each benchmark, with all samples.
var CriterionMessages = reading.Format{
	Name:        "criterion-messages",
	Description: "JSON messages of cargo-criterion: iterations and time of each sample",
	Tool:        "cargo criterion --message-format=json",
	Yields:      reading.Samples,
	Shape:       []string{"reason:string", "iteration_count[]:number", "measured_values[]:number"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return readDocuments(r, fileName, emit, message)
	},
}

// message reads a message. Only those about a complete benchmark have samples.
func message(d *reading.Document) error {
	var reason, id, unit string
	var m measured
	err := d.Object(func(key string) (err error) {
		switch key {
		case "reason":
			reason, err = d.Text()
		case "id":
			id, err = d.Text()
		case "unit":
			unit, err = d.Text()
		case "iteration_count":
			m.iterations, err = list(d.JSON)
		case "measured_values":
			m.totals, err = list(d.JSON)
		case "throughput":
			err = d.Array(func() error {
				var t struct {
					Amount float64 `json:"per_iteration"`
					Unit   string  `json:"unit"`
				}
				err := d.Into(&t)
				if len(m.throughput) < maxThroughputs {
					m.throughput = append(m.throughput, perIteration{t.Amount, t.Unit})
				}
				return err
			})
		default:
			err = d.Skip()
		}
		return err
	})
	if err != nil || reason != "benchmark-complete" {
		return err
	}
	return m.emit(d.Sheet, d.Line(), id, reading.UnitOf(unit))
}

// maxThroughputs is the number of throughputs that a benchmark can have: one in bytes, one in elements.
const maxThroughputs = 2
