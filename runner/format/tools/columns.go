package tools

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// columns says what the columns of a CSV mean. A column that is missing is -1.
type columns struct {
	header                []string
	name, pkg, iterations int
	value, unit, sd, n    int // of the layout with a column for the unit
	measures              []measure
	ignored               []string // headers
	numeric               []bool   // for each column, whether it has numbers
}

// A measure is a column whose header names a unit.
type measure struct {
	column int
	prefix string // such as min-
	unit   reading.Unit
}

// errOwn refuses perftrack's own CSV: it has medians of many runs and none of their samples.
var errOwn = errors.New("this is the CSV of perftrack, which has no samples: import what `perftrack export` writes without --to csv")

var (
	nameHeaders = []string{"name", "benchmark", "bench", "test", "command"}
	pkgHeaders  = []string{"package", "pkg", "suite", "module"}
)

// newColumns interprets a header.
func newColumns(header []string) (*columns, error) {
	c := &columns{name: -1, pkg: -1, iterations: -1, value: -1, unit: -1, sd: -1, n: -1, numeric: make([]bool, len(header))}
	for i, cell := range header {
		cell = strings.TrimSpace(cell)
		c.header = append(c.header, cell)
		c.column(i, cell)
	}
	switch {
	case slices.Contains(header, "run_id") && slices.Contains(header, "center"):
		return nil, errOwn
	case c.name < 0:
		return nil, fmt.Errorf("no column is called name or benchmark")
	case (c.value < 0) != (c.unit < 0):
		return nil, errors.New("a column called value needs one called unit")
	case c.value < 0 && len(c.measures) == 0:
		return nil, errors.New("no header names a unit, such as ns/op or time (ms)")
	}
	for _, place := range []*int{&c.sd, &c.n} {
		if *place >= 0 && c.value < 0 { // such a column belongs to a value
			c.ignored = append(c.ignored, c.header[*place])
			*place = -1
		}
	}
	for _, i := range []int{c.iterations, c.value, c.sd, c.n} {
		if i >= 0 {
			c.numeric[i] = true
		}
	}
	units := map[string]string{} // headers
	for _, m := range c.measures {
		c.numeric[m.column] = true
		unit := m.prefix + m.unit.Go
		if before, ok := units[unit]; ok {
			return nil, fmt.Errorf("the columns %s and %s are both in %s", bounds.Quote(before), bounds.Quote(c.header[m.column]), m.unit.Go)
		}
		units[unit] = c.header[m.column]
	}
	return c, nil
}

func (c *columns) column(i int, header string) {
	is := func(place *int, names ...string) bool {
		if *place >= 0 || !slices.Contains(names, strings.ToLower(header)) {
			return false
		}
		*place = i
		return true
	}
	switch {
	case is(&c.name, nameHeaders...), is(&c.pkg, pkgHeaders...), is(&c.iterations, "iterations", "iters"):
	case is(&c.value, "value"), is(&c.unit, "unit"), is(&c.sd, "stddev", "sd"), is(&c.n, "n", "samples"):
	default:
		if m, ok := measureOf(header); ok {
			m.column = i
			c.measures = append(c.measures, m)
		} else {
			c.ignored = append(c.ignored, header)
		}
	}
}

// center are the words before a unit that say nothing more than the unit.
var center = []string{"", "time", "mean", "avg", "average", "value", "real", "real time", "elapsed", "duration", "memory", "throughput"}

// ambiguous are words that name something else than a unit, unless they are in brackets.
var ambiguous = []string{"m", "h", "min", "day", "B"}

// measureOf interprets a header that names a unit: ns/op, ms, or time (ms) and min [us].
func measureOf(header string) (m measure, ok bool) {
	what, text, bracketed := strings.Cut(strings.NewReplacer("[", "(", "]", ")").Replace(header), "(")
	if text, ok = strings.CutSuffix(text, ")"); !bracketed || !ok {
		m.unit = reading.UnitOf(header)
		return m, known(header) && !slices.Contains(ambiguous, header)
	}
	m.unit = reading.UnitOf(text)
	if first, _, _ := strings.Cut(strings.ToLower(what), " "); first == "total" || first == "sum" {
		return m, false // not of one operation
	}
	if what = strings.ToLower(strings.TrimSpace(what)); !slices.Contains(center, what) {
		m.prefix = strings.Join(strings.Fields(what), "-") + "-"
	}
	return m, known(text)
}

// known reports whether text is a unit for certain: one that is converted, or of an operation or a
// second.
func known(text string) bool {
	unit := reading.UnitOf(text)
	return unit.From != "" && !strings.ContainsAny(unit.From, " \t") || strings.HasSuffix(text, "/op") || strings.HasSuffix(text, "/s") || text == "B"
}
