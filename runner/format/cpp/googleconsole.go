package cpp

import (
	"bytes"
	"errors"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// GoogleBenchmarkConsole is the table that a program with google-benchmark prints. Its figures are
// rounded, so the JSON is better.
var GoogleBenchmarkConsole = reading.Format{
	Name:        "google-benchmark-console",
	Description: "table of google-benchmark: real and CPU time, rates, counters, rounded",
	Tool:        "a program with google-benchmark, without options",
	Yields:      reading.Either,
	Line:        func(line []byte) bool { _, ok := parseGoogleRow(line); return ok },
	Marks:       []string{"UserCounters...", "Iterations", "CPU"},
	Read:        readGoogleConsole,
	Report:      func(head []byte) bool { return reading.Fills(head, ofGoogleConsole) },
}

// ofGoogleConsole reports whether google-benchmark prints a line: a row of the table, a rule, or a fact
// about the machine.
func ofGoogleConsole(line []byte) bool {
	if _, ok := parseGoogleRow(line); ok {
		return true
	}
	for _, begin := range []string{"-----", "Benchmark ", "Running ", "Run on (", "CPU Caches:", "Load Average:", "***WARNING***"} {
		if bytes.HasPrefix(line, []byte(begin)) {
			return true
		}
	}
	return googleMissing.Match(line)
}

func readGoogleConsole(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	g := &googleConsole{Sheet: reading.NewSheet(fileName, emit), sampled: map[string]bool{}}
	lines := bounds.NewLines(r, fileName)
	for {
		line, _, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			if err := g.flush(); err != nil {
				return err
			}
			return g.Close()
		case err != nil:
			return err
		}
		if err := g.line(withoutColors(line), lines.Number); err != nil {
			return err
		}
	}
}

type googleConsole struct {
	*reading.Sheet
	columns []string        // counters in the header of a table made with --benchmark_counters_tabular
	sampled map[string]bool // benchmarks with samples, whose aggregates say nothing new
	mean    *googleRow      // the last row, if its name ends in _mean
	median  bool            // a row with the median followed
}

// A googleRow is one line of the table.
type googleRow struct {
	name      string
	line      int
	real, cpu float64
	unit      string
	iters     int
	counters  string // the rest of the line
}

// The part of a line after the name; a name may contain spaces.
var googleFigures = regexp.MustCompile(`\s([0-9][0-9.e+-]*) (ns|us|ms|s)\s+([0-9][0-9.e+-]*) (ns|us|ms|s)\s+([0-9]+)(?:\s+(\S.*?))?\s*$`)

var googleHeader = regexp.MustCompile(`^Benchmark\s+Time\s+CPU\s+Iterations`)

var googleMissing = regexp.MustCompile(`^(\S.*?)\s+(ERROR OCCURRED|SKIPPED): '(.*)'\s*$`)

func parseGoogleRow(line []byte) (row googleRow, ok bool) {
	if !bytes.Contains(line, []byte("s ")) { // fast path for most other lines
		return row, false
	}
	line = withoutColors(line)
	m := googleFigures.FindSubmatchIndex(line)
	if m == nil || m[0] == 0 || line[0] == ' ' {
		return row, false
	}
	text := func(i int) string { return string(line[m[2*i]:m[2*i+1]]) }
	row = googleRow{name: strings.TrimSpace(string(line[:m[0]])), unit: text(2)}
	var errs [3]error
	row.real, errs[0] = strconv.ParseFloat(text(1), 64)
	row.cpu, errs[1] = strconv.ParseFloat(text(3), 64)
	row.iters, errs[2] = strconv.Atoi(text(5))
	if m[12] >= 0 {
		row.counters = text(6)
	}
	return row, text(4) == row.unit && errors.Join(errs[:]...) == nil
}

// line reads a line of the output. Lines that are no rows, such as those of the program itself, do not
// count.
func (g *googleConsole) line(line []byte, number int) error {
	if googleHeader.Match(line) {
		g.columns = nil
		for _, column := range bytes.Fields(line)[4:] {
			if string(column) != "UserCounters..." {
				g.columns = append(g.columns, string(column))
			}
		}
		return nil
	}
	if m := googleMissing.FindSubmatch(line); m != nil {
		if string(m[2]) == "SKIPPED" {
			return g.LeaveOut(number, string(m[1]), "it was skipped: %s", m[3])
		}
		return g.Fail(number, string(m[1]), "it failed: %s", m[3])
	}
	row, ok := parseGoogleRow(line)
	if !ok {
		return nil
	}
	row.line = number
	return g.row(row)
}

// row reads a row. A row whose name ends in _mean is an aggregate if one with _median follows.
func (g *googleConsole) row(row googleRow) error {
	if g.mean != nil {
		base := strings.TrimSuffix(g.mean.name, "_mean")
		switch of, aggregate, _ := cutLast(row.name, "_"); {
		case of != base:
		case aggregate == "median":
			g.median = true
			return nil
		case aggregate == "stddev" && g.median:
			return g.summarize(row)
		}
		if err := g.flush(); err != nil {
			return err
		}
	}
	if base, aggregate, ok := cutLast(row.name, "_"); ok && g.sampled[base] {
		switch aggregate {
		case "mean", "median", "stddev":
			return nil
		}
	}
	if strings.HasSuffix(row.name, "_mean") {
		g.mean, g.median = &row, false
		return nil
	}
	return g.sample(row)
}

func (g *googleConsole) sample(row googleRow) error {
	if len(g.sampled) < maxSampled {
		g.sampled[row.name] = true
	}
	if row.real == 0 {
		return g.rounded(row)
	}
	return g.Result(g.of(row))
}

// rounded leaves out a row whose time is too short for the digits of its unit.
func (g *googleConsole) rounded(row googleRow) error {
	return g.LeaveOut(row.line, row.name, "its time is printed as 0 %s: write JSON, which keeps all digits", row.unit)
}

// summarize emits the aggregates of a benchmark without samples.
func (g *googleConsole) summarize(sd googleRow) error {
	mean := *g.mean
	g.mean = nil
	mean.name = strings.TrimSuffix(mean.name, "_mean")
	if mean.real == 0 {
		return g.rounded(mean)
	}
	spread := reading.NoSpread()
	spread.N, mean.iters = mean.iters, 1
	spread.SD = reading.UnitOf(sd.unit).Value(sd.real).V
	return g.Summary(g.of(mean), spread)
}

// flush emits a row that was no aggregate after all.
func (g *googleConsole) flush() error {
	if g.mean == nil {
		return nil
	}
	row := *g.mean
	g.mean = nil
	return g.sample(row)
}

// of returns the row with the names that the JSON has, so that both have the same history.
func (g *googleConsole) of(row googleRow) reading.Row {
	unit := reading.UnitOf(row.unit)
	out := reading.Row{Line: row.line, Name: row.name, Iters: row.iters}
	out.Values = append(out.Values, unit.Value(row.real), reading.Value{V: unit.Value(row.cpu).V, Unit: "cpu-ns/op"})
	for i, text := range strings.Fields(row.counters) {
		name, figure, named := cutLast(text, "=")
		if !named && i < len(g.columns) {
			name, figure = g.columns[i], text
		}
		v, ok := prefixed(figure, name == "bytes_per_second")
		switch {
		case !ok || name == "":
			return out // the label of the benchmark
		case name == "bytes_per_second":
			out.Values = append(out.Values, reading.UnitOf("B/s").Value(v))
		case name == "items_per_second":
			out.Values = append(out.Values, reading.Value{V: v, Unit: "items/s"})
		default:
			out.Values = append(out.Values, reading.Value{V: v, Unit: name})
		}
	}
	return out
}

var counterFigure = regexp.MustCompile(`^(-?[0-9.]+(?:e[+-]?[0-9]+)?)([kMGTPEZYmunpfaz]?)(i?)(?:/s|s)?$`)

// prefixed parses a counter such as 4.34G/s or 2Mi. binary means that G is 1024³, as older versions
// print it for bytes per second.
func prefixed(text string, binary bool) (float64, bool) {
	m := counterFigure.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseFloat(m[1], 64)
	base := 1000.0
	if binary || m[3] != "" {
		base = 1024
	}
	switch i := strings.Index("kMGTPEZY", m[2]); {
	case m[2] == "":
	case i >= 0:
		v *= math.Pow(base, float64(i+1))
	default:
		v /= math.Pow(base, float64(strings.Index("munpfaz", m[2])+1))
	}
	return v, err == nil
}

// cutLast cuts s around the last separator.
func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}

var colors = regexp.MustCompile("\x1b\\[[0-9;]*m")

// withoutColors removes the codes for colors on a terminal.
func withoutColors(line []byte) []byte {
	if bytes.IndexByte(line, '\x1b') < 0 {
		return line
	}
	return colors.ReplaceAll(line, nil)
}
