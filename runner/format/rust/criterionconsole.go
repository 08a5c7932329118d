package rust

import (
	"bytes"
	"io"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// CriterionConsole is what Criterion prints. It has an estimate with a confidence interval for each
// benchmark. The samples are in the folder target/criterion.
var CriterionConsole = reading.Format{
	Name:        "criterion-console",
	Description: "text of Criterion: time and throughput with confidence intervals",
	Tool:        "cargo bench, with Criterion's own output",
	Yields:      reading.Summaries,
	Line: func(line []byte) bool {
		if !bytes.Contains(line, []byte("time:")) {
			return false
		}
		_, in, ok := findInterval(plain(string(line)), "time:")
		_, isTime := duration(in.unit[1])
		return ok && isTime
	},
	Marks: []string{"Benchmarking", "time:", "thrpt:"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return readLines(r, fileName, emit, &console{})
	},
}

// An interval is an estimate between its bounds: low, estimate, high.
type interval struct {
	v    [3]float64
	unit [3]string
}

// findInterval returns the text before a label, and the interval after it.
func findInterval(line, label string) (before string, in interval, ok bool) {
	before, rest, ok := strings.Cut(line, label)
	rest = strings.TrimSpace(rest)
	if !ok || !strings.HasPrefix(rest, "[") || !strings.HasSuffix(rest, "]") {
		return before, in, false
	}
	fields := strings.Fields(rest[1 : len(rest)-1])
	if len(fields) != 6 {
		return before, in, false
	}
	for i := range in.v {
		if !bounds.IsDecimal(fields[2*i]) {
			return before, in, false
		}
		in.v[i], _ = strconv.ParseFloat(fields[2*i], 64) // the sheet refuses what is not finite
		in.unit[i] = fields[2*i+1]
	}
	return before, in, true
}

// A console reads the output line by line.
type console struct {
	before string // the last line, which may be a name
	n      int    // samples of the benchmark, 0 if not printed
	row    reading.Row
	spread reading.Spread
}

var collecting = regexp.MustCompile(`^Benchmarking .*: Collecting (\d+) samples in `)

func (c *console) line(s *reading.Sheet, number int, line string) error {
	if _, in, ok := findInterval(line, "thrpt:"); ok && c.row.Name != "" {
		if v, ok := throughputValue(in.v[1], in.unit[1]); ok {
			c.row.Values = append(c.row.Values, v)
		}
		return nil
	}
	if err := c.flush(s); err != nil {
		return err
	}
	before, in, ok := findInterval(line, "time:")
	switch {
	case ok:
		return c.result(s, number, strings.TrimSpace(before), in)
	case strings.Contains(line, "time:   [") && !strings.Contains(line, "%"):
		return s.Bad(number, "the times %s are not three numbers with units", bounds.Quote(strings.TrimSpace(line)))
	}
	if m := collecting.FindStringSubmatch(line); m != nil {
		c.n, _ = strconv.Atoi(m[1]) // 0 means unknown
	}
	if strings.TrimSpace(line) != "" {
		c.before = line
	}
	return nil
}

// result keeps a benchmark, because its throughput may follow.
func (c *console) result(s *reading.Sheet, number int, name string, in interval) error {
	if name == "" { // a long name has a line of its own
		name = strings.TrimSpace(c.before)
		if id, ok := strings.CutPrefix(name, "Benchmarking "); ok {
			name = strings.TrimSuffix(id, ": Analyzing")
		}
	}
	n := c.n
	c.n, c.before = 0, ""
	var values [3]float64
	for i := range in.v {
		unit, ok := duration(in.unit[i])
		if !ok {
			return s.LeaveOut(number, name, "%s is not a unit of time", bounds.Quote(in.unit[i]))
		}
		values[i] = unit.Value(in.v[i]).V
	}
	if name == "" {
		return s.Bad(number, "a benchmark has no name")
	}
	unit, _ := duration(in.unit[1])
	c.row = reading.Row{Line: number, Name: name, Values: []reading.Value{unit.Value(in.v[1])}}
	c.spread = reading.NoSpread()
	c.spread.Low, c.spread.High, c.spread.N = values[0], values[2], n
	return nil
}

func (c *console) flush(s *reading.Sheet) error {
	if c.row.Name == "" {
		return nil
	}
	row := c.row
	c.row = reading.Row{}
	return s.Summary(row, c.spread)
}

func (c *console) end(s *reading.Sheet) error { return c.flush(s) }
