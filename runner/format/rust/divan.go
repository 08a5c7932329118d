package rust

import (
	"bytes"
	"io"
	"math"
	"regexp"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Divan is the table of divan. Its rows are a tree, and a benchmark is named by all nodes above it.
var Divan = reading.Format{
	Name:        "divan",
	Description: "table of divan: mean time of each benchmark, with throughput and allocations",
	Tool:        "cargo bench, with divan",
	Yields:      reading.Summaries,
	Line: func(line []byte) bool {
		return bytes.Contains(line, []byte("slowest")) && divanHeader.MatchString(plain(string(line)))
	},
	Marks: []string{"fastest", "slowest", "median", "mean", "samples", "iters"},
	Read: func(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
		return readLines(r, fileName, emit, &divan{})
	},
}

// divanHeader is the first line of a tree, which begins with the name of the benchmark program.
var divanHeader = regexp.MustCompile(`^(\S.*?) +fastest +│ slowest +│ median +│ mean +│ samples +│ iters *$`)

// The columns of the table.
const (
	columnFastest = iota
	columnSlowest
	columnMedian
	columnMean
	columnSamples
	columnIters
	divanColumns
)

// A divan reads the table line by line. Figures other than times are in lines below a benchmark.
type divan struct {
	path   []string // names of the nodes above the line
	row    reading.Row
	spread reading.Spread
	below  []string // units of the next lines: of those after the heading "alloc:"
}

// maxDivanDepth is the maximum number of nodes above a benchmark.
const maxDivanDepth = 32

func (d *divan) line(s *reading.Sheet, number int, line string) error {
	if m := divanHeader.FindStringSubmatch(line); m != nil {
		d.path = []string{m[1]}
		return d.flush(s)
	}
	if len(d.path) == 0 {
		return nil
	}
	if line == "" { // the end of the tree
		d.path = nil
		return d.flush(s)
	}
	cells, ok := divanCells(line)
	if !ok {
		return nil // something that the program printed
	}
	depth, name := divanNode(cells[columnFastest])
	if depth == 0 {
		d.figure(cells)
		return nil
	}
	if err := d.flush(s); err != nil {
		return err
	}
	if depth > len(d.path) || depth > maxDivanDepth {
		return s.Bad(number, "the row is deeper than the tree")
	}
	name, fastest, _ := divanName(name)
	d.path = append(d.path[:depth], name)
	switch fastest {
	case "(ignored)":
		return s.LeaveOut(number, strings.Join(d.path, "::"), "it is ignored")
	case "":
		return nil
	}
	cells[columnFastest] = fastest
	return d.benchmark(s, number, cells)
}

// divanCells splits a line into columns. The first has the lines of the tree, too.
func divanCells(line string) (cells []string, ok bool) {
	parts := strings.Split(line, "│")
	if len(parts) < divanColumns {
		return nil, false
	}
	at := len(parts) - divanColumns + 1
	cells = append(cells, strings.Join(parts[:at], "│"))
	for _, part := range parts[at:] {
		cells = append(cells, strings.TrimSpace(part))
	}
	return cells, true
}

// divanNode returns the depth of a node in the tree, 0 if there is none, and the text after its branch.
func divanNode(cell string) (depth int, text string) {
	for depth = 1; ; depth++ {
		for _, branch := range []string{"├─ ", "╰─ "} {
			if text, ok := strings.CutPrefix(cell, branch); ok {
				return depth, text
			}
		}
		rest, ok := strings.CutPrefix(cell, "│  ")
		if !ok {
			rest, ok = strings.CutPrefix(cell, "   ")
		}
		if !ok {
			return 0, ""
		}
		cell = rest
	}
}

var divanFastest = regexp.MustCompile(`^(.*?) {2,}(\(ignored\)|[0-9.]+ \S+) *$`)

// divanName splits the first column of a node.
func divanName(text string) (name, fastest string, ok bool) {
	if m := divanFastest.FindStringSubmatch(text); m != nil {
		return m[1], m[2], true
	}
	return strings.TrimSpace(text), "", false
}

// benchmark keeps the times of a benchmark, because other figures may follow.
func (d *divan) benchmark(s *reading.Sheet, number int, cells []string) error {
	name := strings.Join(d.path, "::")
	var values [divanColumns]float64
	var unit reading.Unit
	for _, column := range []int{columnFastest, columnSlowest, columnMean} {
		amount, text, _ := strings.Cut(cells[column], " ")
		u, ok := duration(text)
		if !ok {
			return s.Bad(number, "%s: %q is not a time", name, cells[column])
		}
		values[column], unit = u.Value(decimal(amount)).V, u
	}
	d.row = reading.Row{Line: number, Name: name, Iters: reading.Count(decimal(cells[columnIters]))}
	d.row.Values = []reading.Value{{V: values[columnMean], Unit: "ns/op", From: unit.From}}
	d.spread = reading.NoSpread()
	d.spread.Low, d.spread.High, d.spread.N = values[columnFastest], values[columnSlowest], reading.Count(decimal(cells[columnSamples]))
	return nil
}

// figure adds the mean of a line below a benchmark: a throughput, or a number of allocations.
func (d *divan) figure(cells []string) {
	if d.row.Name == "" {
		return
	}
	if heading := strings.Trim(cells[columnFastest], "│ "); strings.HasSuffix(heading, ":") {
		d.below = []string{"", ""} // the counts and bytes of others than allocations are not kept
		if heading == "alloc:" {
			d.below = []string{"allocs/op", "B/op"}
		}
		return
	}
	amount, text, _ := strings.Cut(cells[columnMean], " ")
	v := decimal(amount)
	if len(d.below) > 0 {
		unit := d.below[0]
		d.below = d.below[1:]
		switch {
		case math.IsNaN(v):
		case unit == "allocs/op" && text == "":
			d.row.Values = append(d.row.Values, reading.Value{V: v, Unit: unit})
		case unit == "B/op":
			if u := reading.UnitOf(text + "/op"); u.Go == unit {
				d.row.Values = append(d.row.Values, u.Value(v))
			}
		}
		return
	}
	if value, ok := throughputValue(v, text); ok && !math.IsNaN(v) {
		d.row.Values = append(d.row.Values, value)
	}
}

func (d *divan) flush(s *reading.Sheet) error {
	row := d.row
	d.row, d.below = reading.Row{}, nil
	if row.Name == "" {
		return nil
	}
	return s.Summary(row, d.spread)
}

func (d *divan) end(s *reading.Sheet) error { return d.flush(s) }
