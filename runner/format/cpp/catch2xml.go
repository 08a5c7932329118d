package cpp

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Catch2XML is the output of Catch2's XML reporter, versions 2 and 3. It has no samples: each
// benchmark is a mean with its bounds and a standard deviation.
var Catch2XML = reading.Format{
	Name:        "catch2-xml",
	Description: "XML of Catch2: BenchmarkResults with mean, bounds and standard deviation",
	Tool:        "a program with Catch2, --reporter xml",
	Yields:      reading.Summaries,
	Detect:      detectCatch2XML,
	Marks:       []string{"<Catch", "<TestCase", "<BenchmarkResults"},
	Read:        readCatch2XML,
}

func detectCatch2XML(h *reading.Head) bool {
	text := bytes.TrimSpace(h.Text)
	if !bytes.HasPrefix(text, []byte("<")) {
		return false
	}
	for _, root := range []string{"<Catch2TestRun ", "<Catch2TestRun>", "<Catch ", "<Catch>"} {
		if bytes.Contains(text, []byte(root)) {
			return true
		}
	}
	return false
}

// maxXMLDepth is the number of elements inside each other. Catch2 nests sections as tests do.
const maxXMLDepth = 256

func readCatch2XML(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	in := reading.NewBounded(r)
	dec := xml.NewDecoder(in)
	c := &catch2XML{Sheet: reading.NewSheet(fileName, emit), fileName: fileName, dec: dec}
	for {
		token, err := dec.Token()
		in.Mark(dec.InputOffset())
		switch {
		case errors.Is(err, io.EOF):
			return c.Close()
		case err != nil:
			return c.wrap(err)
		}
		switch t := token.(type) {
		case xml.StartElement:
			if c.path = append(c.path, ""); len(c.path) > maxXMLDepth {
				return c.wrap(fmt.Errorf("elements are nested deeper than the limit of %d", maxXMLDepth))
			}
			err = c.start(t)
		case xml.EndElement:
			c.path = c.path[:max(0, len(c.path)-1)]
			if t.Name.Local == "BenchmarkResults" {
				err = c.result()
			}
		}
		if err != nil {
			return err
		}
	}
}

type catch2XML struct {
	*reading.Sheet
	fileName string
	dec      *xml.Decoder
	path     []string // names of the open elements, "" for those that are no part of a name
	open     bool     // inside a benchmark
	bench    catch2Benchmark
}

// A catch2Benchmark is a benchmark with its figures in nanoseconds.
type catch2Benchmark struct {
	line                int
	name, failed        string
	samples             int
	mean, low, high, sd float64
}

// row returns the row and spread of a benchmark.
func (b *catch2Benchmark) row() (reading.Row, reading.Spread) {
	row := reading.Row{Line: b.line, Name: b.name, Values: []reading.Value{{V: b.mean, Unit: "ns/op"}}}
	return row, reading.Spread{SD: b.sd, Low: b.low, High: b.high, N: b.samples}
}

func (c *catch2XML) wrap(err error) error {
	line, _ := c.dec.InputPos()
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s:%d: invalid XML: %s", c.fileName, syntax.Line, syntax.Msg)
	}
	return fmt.Errorf("%s:%d: %w", c.fileName, line, err)
}

func (c *catch2XML) start(e xml.StartElement) error {
	switch e.Name.Local {
	case "Catch2TestRun":
		c.Fact("catch2-version", attribute(e, "catch2-version"))
	case "TestCase", "Section":
		c.path[len(c.path)-1] = attribute(e, "name")
	case "BenchmarkResults":
		line, _ := c.dec.InputPos()
		unknown := math.NaN()
		c.open = true
		c.bench = catch2Benchmark{line: line, mean: unknown, low: unknown, high: unknown, sd: unknown}
		c.bench.name = reading.Join(append(c.path, attribute(e, "name"))...)
		c.bench.samples, _ = strconv.Atoi(attribute(e, "samples")) // 0 means unknown
	case "failed":
		if c.open {
			c.bench.failed = "it failed: " + attribute(e, "message")
		}
	case "mean", "standardDeviation":
		if c.open {
			return c.figures(e)
		}
	}
	return nil
}

// figures reads the mean or the standard deviation. Without an analysis, both have no bounds.
func (c *catch2XML) figures(e xml.StartElement) error {
	value, err := strconv.ParseFloat(attribute(e, "value"), 64)
	if err != nil {
		return c.wrap(fmt.Errorf("%s has no value: %w", e.Name.Local, err))
	}
	analyzed := attribute(e, "ci") != "0"
	if e.Name.Local == "standardDeviation" {
		if analyzed {
			c.bench.sd = value
		}
		return nil
	}
	c.bench.mean = value
	low, errLow := strconv.ParseFloat(attribute(e, "lowerBound"), 64)
	high, errHigh := strconv.ParseFloat(attribute(e, "upperBound"), 64)
	if analyzed && errLow == nil && errHigh == nil {
		c.bench.low, c.bench.high = low, high
	}
	return nil
}

// result emits a benchmark at its end.
func (c *catch2XML) result() error {
	b := c.bench
	c.open = false
	switch {
	case b.failed != "":
		return c.Fail(b.line, b.name, "%s", b.failed)
	case math.IsNaN(b.mean):
		return c.LeaveOut(b.line, b.name, "it has no mean")
	}
	return c.Summary(b.row())
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
