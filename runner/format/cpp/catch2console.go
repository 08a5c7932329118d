package cpp

import (
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

// Catch2Console is the table of benchmarks that a program with Catch2 prints, versions 2 and 3.
var Catch2Console = reading.Format{
	Name:        "catch2-console",
	Description: "table of Catch2: mean, bounds and standard deviation of each benchmark",
	Tool:        "a program with Catch2, without options",
	Yields:      reading.Summaries,
	Line:        catch2Header.Match,
	Marks:       []string{"benchmark name", "low mean", "std dev", "Catch"},
	Read:        readCatch2Console,
	Report:      func(head []byte) bool { return reading.Fills(head, ofCatch2Console) },
}

// ofCatch2Console reports whether Catch2 prints a line for each table: a rule, a header or figures.
func ofCatch2Console(line []byte) bool {
	return catch2Rule.Match(line) || catch2Header.Match(line) || catch2First.Match(line) || catch2Figures.Match(line) || catch2Failed.Match(line)
}

// Lines of the table. The headers of the columns differ between versions: version 3 says "est run
// time" for "estimated". With --benchmark-no-analysis, a benchmark is one line with its mean.
var (
	catch2Header  = regexp.MustCompile(`^benchmark name\s+samples\s+iterations\s+\S`)
	catch2First   = regexp.MustCompile(`^(\S.*?)?\s+([0-9]+)\s+[0-9]+\s+(\S+) (ns|us|ms|s|m)\s*$`)
	catch2Figures = regexp.MustCompile(`^\s+(\S+) (ns|us|ms|s|m)\s+(\S+) (ns|us|ms|s|m)\s+(\S+) (ns|us|ms|s|m)\s*$`)
	catch2Failed  = regexp.MustCompile(`^(\S.*?)?\s+Benchmark failed \((.*)\)\s*$`)
	catch2Rule    = regexp.MustCompile(`^(-{20,}|={20,}|\.{20,})$`)
)

// Limits on a name or a title, beyond which the program printed other text. Catch2 wraps lines at the
// width of a terminal.
const (
	maxNameLines = 64
	maxNameLine  = 1 << 10 // bytes
)

func readCatch2Console(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	c := &catch2Console{Sheet: reading.NewSheet(fileName, emit)}
	lines := bounds.NewLines(r, fileName)
	for {
		line, _, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF):
			if err := c.endBenchmark(); err != nil {
				return err
			}
			return c.Close()
		case err != nil:
			return err
		}
		if err := c.line(string(withoutColors(line)), lines.Number); err != nil {
			return err
		}
	}
}

// A catch2Console reads the output, which has two parts for each test case: a title of the names of
// the test case and its sections between two rules, and a table.
type catch2Console struct {
	*reading.Sheet
	state      catch2State
	title      []string // names of the test case and its sections
	titleLines int
	single     bool     // the table has one line for each benchmark
	name       []string // lines of the name of the next benchmark
	lines      int      // lines with figures of the current benchmark
	bench      catch2Benchmark
}

type catch2State int

const (
	outside catch2State = iota
	inTitle
	inHeader // of the table, before its rule
	inTable
)

func (c *catch2Console) line(text string, number int) error {
	switch {
	case catch2Header.MatchString(text):
		c.state, c.single = inHeader, strings.HasSuffix(strings.TrimSpace(text), "mean")
		c.name = nil
		return nil
	case catch2Rule.MatchString(text):
		return c.rule(text[0])
	}
	switch c.state {
	case inTitle:
		if c.titleLines++; c.titleLines > maxNameLines || len(text) > maxNameLine {
			c.state, c.title = outside, nil // the rule was the program's own
			return nil
		}
		c.addTitle(text)
	case inTable:
		return c.row(text, number)
	}
	return nil
}

// rule reads a line of dashes, dots or equals signs.
func (c *catch2Console) rule(char byte) error {
	switch {
	case char == '.':
		c.state = outside
		return nil
	case c.state == inHeader:
		c.state = inTable
		return nil
	}
	err := c.endBenchmark()
	c.name = nil
	switch {
	case char == '=':
		c.state, c.title = outside, nil
	case c.state == inTitle:
		c.state = outside
	default:
		c.state, c.title, c.titleLines = inTitle, nil, 0
	}
	return err
}

// addTitle adds a line of a title. Sections are indented; a line without an indent continues the name
// of the test case.
func (c *catch2Console) addTitle(text string) {
	name := strings.TrimSpace(text)
	if len(c.title) > 0 && !strings.HasPrefix(text, " ") {
		c.title[len(c.title)-1] += " " + name
		return
	}
	c.title = append(c.title, name)
}

// row reads a line of the table.
func (c *catch2Console) row(text string, number int) error {
	if m := catch2Failed.FindStringSubmatch(text); m != nil {
		name := c.fullName(m[1])
		if err := c.endBenchmark(); err != nil {
			return err
		}
		return c.Fail(number, name, "it failed: %s", m[2])
	}
	if m := catch2First.FindStringSubmatch(text); m != nil {
		return c.first(m, number)
	}
	if m := catch2Figures.FindStringSubmatch(text); m != nil {
		return c.figures(m[1:])
	}
	if strings.TrimSpace(text) == "" {
		return c.endBenchmark()
	}
	if len(c.name) == maxNameLines || len(text) > maxNameLine {
		c.state, c.name = outside, nil // other text follows the table
		return nil
	}
	c.name = append(c.name, strings.TrimSpace(text))
	return nil
}

// first reads the line with the number of samples: m has the end of the name, the number, and the
// estimated time or the mean.
func (c *catch2Console) first(m []string, number int) error {
	if err := c.endBenchmark(); err != nil {
		return err
	}
	unknown := math.NaN()
	c.bench = catch2Benchmark{line: number, name: c.fullName(m[1]), mean: unknown, low: unknown, high: unknown, sd: unknown}
	c.bench.samples, _ = strconv.Atoi(m[2]) // too large a number means unknown
	c.lines = 0
	if !c.single {
		return nil
	}
	c.bench.mean = nanoseconds(m[3], m[4])
	return c.endBenchmark()
}

// fullName returns the name of a benchmark that ends with last, and forgets its earlier lines.
func (c *catch2Console) fullName(last string) string {
	name := strings.Join(append(c.name, last), " ")
	c.name = nil
	return reading.Join(append(c.title[:len(c.title):len(c.title)], name)...)
}

// figures reads the second or third line of a benchmark.
func (c *catch2Console) figures(m []string) error {
	switch c.lines++; {
	case c.bench.line == 0:
	case c.lines == 1:
		c.bench.mean, c.bench.low, c.bench.high = nanoseconds(m[0], m[1]), nanoseconds(m[2], m[3]), nanoseconds(m[4], m[5])
	case c.lines == 2:
		c.bench.sd = nanoseconds(m[0], m[1])
		return c.endBenchmark()
	}
	return nil
}

// endBenchmark emits the current benchmark, if there is one. An interrupted program leaves one without
// a mean.
func (c *catch2Console) endBenchmark() error {
	b := c.bench
	c.bench = catch2Benchmark{}
	switch {
	case b.line == 0:
		return nil
	case math.IsNaN(b.mean):
		return c.LeaveOut(b.line, b.name, "its mean is missing")
	}
	return c.Summary(b.row())
}

// nanoseconds converts a time of the table, or returns NaN. Catch2 chooses the unit by the size of the
// number, so the unit says nothing about the file.
func nanoseconds(number, unit string) float64 {
	v, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return math.NaN()
	}
	return reading.UnitOf(unit).Value(v).V
}
