package dynamic

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// Dart is the console output of Dart's benchmark_harness. Each line is one mean, so a program that is
// run several times gives as many samples.
var Dart = reading.Format{
	Name:        "benchmark-harness",
	Description: "console output of Dart's benchmark_harness: times",
	Tool:        "BenchmarkBase.report(), or dart run benchmark_harness:bench",
	Yields:      reading.Samples,
	Line: func(line []byte) bool {
		_, ok := parseRunTime(line)
		return ok
	},
	Marks: []string{"(RunTime): "},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		lines, s := bounds.NewLines(r, fileName), reading.NewSheet(fileName, emit)
		for {
			line, _, err := lines.Next()
			switch {
			case errors.Is(err, io.EOF):
				return s.Close()
			case err != nil:
				return err
			}
			row, ok := parseRunTime(line)
			if !ok {
				continue
			}
			row.Line = lines.Number
			if err := s.Result(row); err != nil {
				return err
			}
		}
	},
}

// parseRunTime parses a line such as "Template(RunTime): 0.15 us."
func parseRunTime(line []byte) (row reading.Row, ok bool) {
	name, rest, found := bytes.Cut(line, []byte("(RunTime): "))
	figure, unit, spaced := strings.Cut(strings.TrimSuffix(strings.TrimSpace(string(rest)), "."), " ")
	if !found || !spaced || len(name) == 0 || unit != "us" && unit != "ns" && unit != "ms" || !bounds.IsDecimal(figure) {
		return row, false
	}
	v, err := strconv.ParseFloat(figure, 64)
	if err != nil {
		return row, false
	}
	return reading.Row{Name: string(name), Values: []reading.Value{reading.UnitOf(unit).Value(v)}}, true
}
