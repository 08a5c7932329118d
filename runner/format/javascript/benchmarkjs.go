package javascript

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// BenchmarkJS is the console output of Benchmark.js, and of bench-node, which prints no margin of
// error.
var BenchmarkJS = reading.Format{
	Name:        "benchmarkjs",
	Description: "console output of Benchmark.js or bench-node: operations per second",
	Tool:        "console.log(String(event.target)), or bench-node",
	Yields:      reading.Summaries,
	Line: func(line []byte) bool {
		_, _, ok := parseCycle(line)
		return ok
	},
	Marks: []string{" x ", "ops/sec", "runs sampled"},
	Read:  readBenchmarkJS,
}

func readBenchmarkJS(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	lines, s := bounds.NewLines(r, fileName), reading.NewSheet(fileName, emit)
	for {
		line, _, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			return s.Close()
		case err != nil:
			return err
		}
		row, spread, ok := parseCycle(line)
		if !ok {
			continue
		}
		row.Line = lines.Number
		if err := s.Summary(row, spread); err != nil {
			return err
		}
	}
}

// parseCycle parses a line such as "fib(20) x 11,465 ops/sec ±1.12% (91 runs sampled)".
func parseCycle(line []byte) (row reading.Row, spread reading.Spread, ok bool) {
	end := bytes.LastIndex(line, []byte(" runs sampled)"))
	at := bytes.LastIndex(line[:max(end, 0)], []byte(" x "))
	if at <= 0 {
		return row, spread, false
	}
	row.Name = strings.TrimSpace(string(line[:at]))
	rate, rest, found := strings.Cut(string(line[at+3:end]), " ops/sec ")
	ops, err := strconv.ParseFloat(strings.ReplaceAll(rate, ",", ""), 64)
	percent, runs, opened := strings.Cut(rest, "(")
	n, nErr := strconv.Atoi(runs)
	if row.Name == "" || !found || !opened || err != nil || nErr != nil || !isRate(rate) {
		return row, spread, false
	}
	spread = reading.NoSpread()
	spread.N = n
	if percent = strings.TrimSpace(percent); percent != "" {
		percent = strings.TrimPrefix(strings.TrimPrefix(percent, "±"), "+-")
		p, err := strconv.ParseFloat(strings.TrimSuffix(percent, "%"), 64)
		if err != nil {
			return row, spread, false
		}
		margin(&spread, ops, p)
	}
	row.Values = []reading.Value{{V: ops, Unit: "ops/s", From: "ops/sec"}}
	return row, spread, true
}

// isRate reports whether text has only the characters of a rate with separators.
func isRate(text string) bool { return text != "" && strings.Trim(text, "0123456789,.") == "" }

// BenchmarkJSON is the JSON of a suite of Benchmark.js, or of a list of its benchmarks.
var BenchmarkJSON = reading.Format{
	Name:        "benchmarkjs-json",
	Description: "JSON of a suite of Benchmark.js, or of its benchmarks: times",
	Tool:        "JSON.stringify(suite), or of suite.map(b => ({name: b.name, stats: b.stats}))",
	Yields:      reading.Samples,
	Shape:       []string{"[].name:string", "[].stats.rme:number", "[].stats.sample:array"},
	Detect: func(h *reading.Head) bool {
		return h.Has("[].stats.rme:number") && h.Has("[].stats.sample:array") || h.Has("*.stats.rme:number") && h.Has("*.stats.sample:array")
	},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
			if d.Next() != '{' {
				return d.Array(func() error { return readBenchmark(d) })
			}
			return d.Object(func(key string) error { // a suite has its benchmarks under their numbers
				if _, err := strconv.Atoi(key); err == nil && d.Next() == '{' {
					return readBenchmark(d)
				}
				return d.Skip()
			})
		})
	},
}

// readBenchmark reads a benchmark of Benchmark.js, whose times are in seconds.
func readBenchmark(d *reading.Document) error {
	name, failed, t := "", false, newTimes()
	err := d.Object(func(key string) (err error) {
		switch key {
		case "name":
			name, err = d.Text()
		case "error":
			failed = d.Next() != 'n'
			return d.Skip()
		case "stats":
			return d.Object(func(key string) (err error) {
				switch key {
				case "sample":
					return t.read(d.JSON)
				case "mean":
					t.mean, err = d.Number()
				case "deviation":
					t.sd, err = d.Number()
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
	row := reading.Row{Line: d.Line(), Name: name}
	switch {
	case err != nil:
		return err
	case failed || t.samples.N == 0 && (t.mean == 0 || math.IsNaN(t.mean)):
		return d.Fail(row.Line, name, "it failed or did not run")
	}
	return t.emit(d.Sheet, row, reading.UnitOf("s"))
}
