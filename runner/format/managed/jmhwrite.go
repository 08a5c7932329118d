package managed

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// name returns the name of an entry: parameters, threads and some modes are part of it, because they
// change what is measured. Modes thrpt and avgt differ in the unit.
func (e *jmhEntry) name() string {
	name := e.benchmark + e.params
	if e.mode != "" && e.mode != "thrpt" && e.mode != "avgt" {
		name += reading.Param("mode", e.mode)
	}
	if e.threads > 1 {
		name += reading.Param("threads", strconv.FormatFloat(e.threads, 'f', -1, 64))
	}
	return name
}

// percentile matches the names of secondary metrics that JMH derives from the primary one, in mode sample.
var percentile = regexp.MustCompile(`p[01]\.[0-9]+$`)

// emit emits an entry. Secondary metrics with the unit of the primary one are benchmarks of their own,
// named as in JMH's table. Those of one operation belong to the benchmark, and the rest, such as
// counts of garbage collections, depend on how long it ran.
func (j *jmh) emit() error {
	e := &j.e
	var more []reading.Value
	var allocated *jmhMetric
	for i := range e.secondary {
		m := &e.secondary[i]
		of, perOp := strings.CutSuffix(m.unit, "/op")
		switch {
		case m.unit == "B/op" && m.name == "gc.alloc.rate.norm":
			allocated = m
		case perOp && of == "#" && !math.IsNaN(m.score):
			more = append(more, reading.Value{V: m.score, Unit: m.name + "/op"})
		}
	}
	if err := j.write(e.name(), &e.primary, allocated, more); err != nil {
		return err
	}
	for i := range e.secondary {
		if m := &e.secondary[i]; m.unit == e.primary.unit && !percentile.MatchString(m.name) {
			if err := j.write(e.name()+":"+m.name, m, nil, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// write emits the samples of a metric or, without raw data, its summary.
func (j *jmh) write(name string, m, allocated *jmhMetric, more []reading.Value) error {
	unit := reading.UnitOf(m.unit)
	row := reading.Row{Line: j.e.line, Name: name, Values: more}
	if unit.Go == "ns/op" && j.e.mode == "sample" {
		for _, p := range []struct {
			name string
			v    float64
		}{{"p50-ns/op", m.p50}, {"p99-ns/op", m.p99}} {
			if !math.IsNaN(p.v) {
				row.Values = append(row.Values, reading.Value{V: unit.Value(p.v).V, Unit: p.name})
				if err := j.Declare(p.name, "lower"); err != nil {
					return err
				}
			}
		}
	}
	if m.raw.N == 0 || m.others > 0 {
		return j.summarize(row, unit, m, allocated)
	}
	if allocated == nil || allocated.raw.N != m.raw.N || m.raw.Batch > 1 {
		if allocated != nil && !math.IsNaN(allocated.score) {
			row.Values = append(row.Values, reading.Value{V: allocated.score, Unit: "B/op"})
		}
		return j.Samples(row, unit, &m.raw)
	}
	rest := row.Values
	for i, v := range m.raw.Values {
		row.Values = append([]reading.Value{unit.Value(v), {V: allocated.raw.Values[i], Unit: "B/op"}}, rest...)
		if err := j.Result(row); err != nil {
			return err
		}
		rest = nil // as in Samples
	}
	return nil
}

func (j *jmh) summarize(row reading.Row, unit reading.Unit, m, allocated *jmhMetric) error {
	if math.IsNaN(m.score) {
		return j.LeaveOut(row.Line, row.Name, "it has no score")
	}
	spread := reading.NoSpread()
	spread.Low, spread.High = unit.Value(m.low).V, unit.Value(m.high).V
	spread.N = reading.Count(max(j.e.forks, 1) * j.e.iterations)
	row.Values = append([]reading.Value{unit.Value(m.score)}, row.Values...)
	if allocated != nil && !math.IsNaN(allocated.score) {
		row.Values = append(row.Values, reading.Value{V: allocated.score, Unit: "B/op"})
	}
	return j.Summary(row, spread)
}
