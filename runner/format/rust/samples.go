package rust

import (
	"math"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// measured are the samples of one benchmark of Criterion: sample i took totals[i] for iterations[i]
// iterations.
type measured struct {
	iterations, totals []float64
	throughput         []perIteration
}

// perIteration is the amount of data that one iteration handles.
type perIteration struct {
	amount float64
	unit   string // bytes, bits or elements
}

// list reads a list of numbers into memory. Criterion takes 100 samples.
func list(j *reading.JSON) (values []float64, err error) {
	err = j.Array(func() error {
		if len(values) == bounds.MaxSamples {
			return j.Errorf("more than %d samples, the limit for one benchmark", bounds.MaxSamples)
		}
		v, err := j.Number()
		values = append(values, v)
		return err
	})
	return values, err
}

// emit emits the samples. A unit's value is the time of all iterations of a sample.
func (m *measured) emit(s *reading.Sheet, line int, name string, unit reading.Unit) error {
	switch {
	case len(m.totals) != len(m.iterations):
		return s.Bad(line, "%s has %d times for %d samples", bounds.Quote(name), len(m.totals), len(m.iterations))
	case len(m.totals) == 0:
		return s.LeaveOut(line, name, "it has no samples")
	}
	for i, n := range m.iterations {
		if n < 1 || math.IsNaN(n) {
			return s.Bad(line, "%s has a sample of %v iterations", bounds.Quote(name), n)
		}
		value := unit.Value(m.totals[i] / n)
		row := reading.Row{Line: line, Name: name, Iters: reading.Count(n), Values: []reading.Value{value}}
		if unit.Go == "ns/op" && value.V > 0 {
			row.Values = append(row.Values, m.rates(value.V)...)
		}
		if err := s.Result(row); err != nil {
			return err
		}
	}
	return nil
}

// rates returns the throughput at a time in nanoseconds.
func (m *measured) rates(ns float64) (values []reading.Value) {
	for _, t := range m.throughput {
		switch t.unit {
		case "bytes":
			values = append(values, reading.Value{V: t.amount / ns * 1e3, Unit: "MB/s"})
		case "bits":
			values = append(values, reading.Value{V: t.amount / ns * 1e3 / 8, Unit: "MB/s"})
		case "elements":
			values = append(values, reading.Value{V: t.amount / ns * 1e9, Unit: "elements/s"})
		}
	}
	return values
}
