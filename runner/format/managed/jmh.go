package managed

import (
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// JMH is the JSON of the Java Microbenchmark Harness. Each iteration of each fork is a sample; in mode
// sample, whose file has a histogram of calls for each iteration, a sample is the mean of a histogram.
var JMH = reading.Format{
	Name:        "jmh",
	Description: "JSON of JMH: the iterations of all forks, allocations, groups",
	Tool:        "java -jar benchmarks.jar -rf json",
	Yields:      reading.Either,
	Shape:       []string{"[].benchmark:string", "[].mode:string", "[].primaryMetric.scoreUnit:string"},
	Read:        readJMH,
}

func readJMH(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		j := &jmh{Document: d}
		return j.Array(j.entry)
	})
}

// A jmh reads one entry at a time.
type jmh struct {
	*reading.Document
	e jmhEntry
}

type jmhEntry struct {
	line                       int
	benchmark, mode            string
	jmhVersion, jdkVersion, vm string
	threads, forks, iterations float64
	params                     string
	primary                    jmhMetric
	secondary                  []jmhMetric
}

// A jmhMetric is the primary metric, or a secondary one: a part of a group, a counter of the benchmark,
// or a figure of a profiler.
type jmhMetric struct {
	name, unit       string
	score, low, high float64
	p50, p99         float64 // of all calls, in mode sample
	raw              reading.Series
	others           int // elements of the raw data that are no numbers
}

// maxSecondary is the number of secondary metrics kept of an entry.
const maxSecondary = 64

func (j *jmh) entry() error {
	j.e = jmhEntry{}
	if err := j.Object(j.member); err != nil {
		return err
	}
	e := &j.e
	e.line = j.Line()
	j.Fact("jmh-version", e.jmhVersion)
	j.Fact("jdk-version", e.jdkVersion)
	j.Fact("jvm", e.vm)
	if err := j.Ready(); err != nil {
		return err
	}
	return j.emit()
}

func (j *jmh) member(key string) (err error) {
	e := &j.e
	switch key {
	case "benchmark":
		e.benchmark, err = j.Text()
	case "mode":
		e.mode, err = j.Text()
	case "jmhVersion":
		e.jmhVersion, err = j.Text()
	case "jdkVersion":
		e.jdkVersion, err = j.Text()
	case "vmName":
		e.vm, err = j.Text()
	case "threads":
		e.threads, err = j.Number()
	case "forks":
		e.forks, err = j.Number()
	case "measurementIterations":
		e.iterations, err = j.Number()
	case "params":
		err = j.Object(func(key string) error {
			value, err := j.Text()
			if len(e.params) < maxParams {
				e.params += reading.Param(key, value)
			}
			return err
		})
	case "primaryMetric":
		e.primary, err = j.metric("")
	case "secondaryMetrics":
		err = j.Object(func(key string) error {
			if len(e.secondary) == maxSecondary {
				return j.Skip()
			}
			m, err := j.metric(key)
			e.secondary = append(e.secondary, m)
			return err
		})
	default:
		err = j.Skip()
	}
	return err
}

// maxParams is the length from which parameters are no longer added to a name, which is then too long.
const maxParams = 64 << 10

func (j *jmh) metric(name string) (m jmhMetric, err error) {
	unknown := math.NaN()
	m = jmhMetric{name: strings.TrimPrefix(name, "·"), score: unknown, low: unknown, high: unknown, p50: unknown, p99: unknown}
	err = j.Object(func(key string) (err error) {
		switch key {
		case "score":
			m.score, err = number(j.Document)
		case "scoreUnit":
			m.unit, err = j.Text()
		case "scoreConfidence":
			m.low, m.high, err = j.pair()
		case "scorePercentiles":
			err = j.percentiles(&m)
		case "rawData":
			err = j.Array(func() error {
				others, err := j.Numbers(&m.raw)
				m.others += others
				return err
			})
		case "rawDataHistogram":
			err = j.Array(func() error {
				return j.Array(func() error { return j.histogram(&m) })
			})
		default:
			err = j.Skip()
		}
		return err
	})
	return m, err
}

// pair reads an array of two numbers.
func (j *jmh) pair() (low, high float64, err error) {
	figures := [2]float64{math.NaN(), math.NaN()}
	n := 0
	err = j.Array(func() error {
		v, err := number(j.Document)
		if n < len(figures) {
			figures[n] = v
		}
		n++
		return err
	})
	return figures[0], figures[1], err
}

func (j *jmh) percentiles(m *jmhMetric) error {
	return j.Object(func(key string) (err error) {
		switch key {
		case "50.0":
			m.p50, err = number(j.Document)
		case "99.0":
			m.p99, err = number(j.Document)
		default:
			err = j.Skip()
		}
		return err
	})
}

// histogram adds the mean of an iteration: an array of pairs of a time and the number of calls that
// took so long.
func (j *jmh) histogram(m *jmhMetric) error {
	var sum, calls float64
	err := j.Array(func() error {
		v, n, err := j.pair()
		sum, calls = sum+v*n, calls+n
		return err
	})
	switch mean := sum / calls; {
	case err != nil:
		return err
	case calls == 0:
		return nil // a fork that was stopped before a call ended
	case math.IsNaN(mean):
		m.others++
	default:
		m.raw.Add(mean)
	}
	return nil
}

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
	spread.N = int(min(max(max(j.e.forks, 1)*j.e.iterations, 0), math.MaxInt32))
	row.Values = append([]reading.Value{unit.Value(m.score)}, row.Values...)
	if allocated != nil && !math.IsNaN(allocated.score) {
		row.Values = append(row.Values, reading.Value{V: allocated.score, Unit: "B/op"})
	}
	return j.Summary(row, spread)
}

// number reads a number. It returns NaN for any other value, because the tools write strings for
// figures that do not exist.
func number(d *reading.Document) (float64, error) {
	if d.Next() != '0' {
		return math.NaN(), d.Skip()
	}
	return d.Number()
}
