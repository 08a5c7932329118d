package managed

import (
	"io"
	"math"
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

// number reads a number. It returns NaN for any other value, because the tools write strings for
// figures that do not exist.
func number(d *reading.Document) (float64, error) {
	if d.Next() != '0' {
		return math.NaN(), d.Skip()
	}
	return d.Number()
}
