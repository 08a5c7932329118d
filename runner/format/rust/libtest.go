package rust

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Libtest is the text of the benchmarks built into Rust, which is also Criterion's output with
// --output-format bencher.
var Libtest = reading.Format{
	Name:        "libtest",
	Description: "text of Rust's own benchmarks, and of Criterion with --output-format bencher",
	Tool:        "cargo bench, cargo bench -- --output-format bencher",
	Yields:      reading.Summaries,
	Line: func(line []byte) bool {
		return bytes.Contains(line, []byte("bench:")) && libtestLine.MatchString(plain(string(line)))
	},
	Marks: []string{"bench:", "ns/iter"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return readLines(r, fileName, emit, &libtest{})
	},
}

// libtestLine matches: test NAME ... bench: 1,234.50 ns/iter (+/- 5) = 12 MB/s.
var libtestLine = regexp.MustCompile(`^test (.+?) +\.\.\. bench: +([0-9,.]+) (\S+)/iter \(\+/- ([0-9,.]+)\)(?: = ([0-9,.]+) (\S+))?$`)

// A libtest reads the output line by line. Libtest and Criterion give the number after +/- different
// meanings. Only libtest prints how many tests it runs, and their result.
type libtest struct{ own bool }

func (l *libtest) line(s *reading.Sheet, number int, line string) error {
	switch {
	case strings.HasPrefix(line, "running ") && strings.HasSuffix(strings.TrimSuffix(line, "s"), " test"):
		l.own = true
		return nil
	case strings.HasPrefix(line, "test result: "):
		l.own = false
		return nil
	case !strings.HasPrefix(line, "test "):
		return nil
	case strings.HasSuffix(line, " ... FAILED"):
		return s.Fail(number, strings.TrimSuffix(line[len("test "):], " ... FAILED"), "it failed")
	}
	m := libtestLine.FindStringSubmatch(line)
	if m == nil {
		if strings.Contains(line, " ... bench: ") {
			return s.Bad(number, "not a result of libtest: expected a time for each iteration")
		}
		return nil
	}
	unit, ok := duration(m[3])
	if !ok {
		return s.LeaveOut(number, m[1], "%q is not a unit of time", m[3])
	}
	median, around := unit.Value(decimal(m[2])), unit.Value(decimal(m[4])).V
	row := reading.Row{Line: number, Name: m[1], Values: []reading.Value{median}}
	if m[5] != "" {
		if v, ok := throughputValue(decimal(m[5]), m[6]); ok {
			row.Values = append(row.Values, v)
		}
	}
	spread := reading.NoSpread()
	if l.own { // the distance of the fastest sample from the slowest, so that all are within it
		spread.Low, spread.High = max(median.V-around, 0), median.V+around
	} else {
		spread.SD = around
	}
	return s.Summary(row, spread)
}

// decimal returns a number that may have commas for thousands, or NaN.
func decimal(text string) float64 {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

func (*libtest) end(*reading.Sheet) error { return nil }
