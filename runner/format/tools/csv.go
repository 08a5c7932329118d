package tools

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// CSV is a table with a header, separated by commas or semicolons, in one of two layouts:
//
//	name,ns/op,B/op            a column for each unit
//	benchmark,value,unit       a line for each figure
//
// Each line is a sample, so a benchmark with several lines has several samples.
var CSV = reading.Format{
	Name:        "csv",
	Description: "CSV with a header: name and units, or name, value and unit",
	Tool:        "any program or spreadsheet",
	Yields:      reading.Either,
	Detect:      detectCSV,
	Marks:       []string{"name,", "benchmark,", "ns/op,", "value,unit"},
	Read:        readCSV,
	Report:      csvReport,
}

func detectCSV(h *reading.Head) bool {
	for _, line := range h.Lines() {
		header, err := decoderOf(string(line), strings.NewReader(string(line))).Read()
		if err != nil {
			return false
		}
		_, err = newColumns(header)
		return err == nil || errors.Is(err, errOwn)
	}
	return false
}

// csvReport reports whether the first lines have figures. In a folder, a CSV may be data of any kind.
func csvReport(head []byte) bool {
	figures, mistakes := 0, 0
	lines := bytes.SplitN(head, []byte("\n"), reportLines+2)
	text := bytes.Join(lines[:min(len(lines), reportLines+1)], []byte("\n"))
	_ = readCSV(bytes.NewReader(text), "", func(rec benchfmt.Record) error { // the last line may be cut off
		switch rec.(type) {
		case *reading.Located:
			figures++
		case *benchfmt.SyntaxError:
			mistakes++
		}
		return nil
	})
	return figures > 0 && mistakes == 0
}

// reportLines is the number of lines after the header that have to be without mistakes.
const reportLines = 20

// decoderOf returns a decoder for a file with the given first line.
func decoderOf(first string, r io.Reader) *csv.Reader {
	dec := csv.NewReader(r)
	dec.ReuseRecord, dec.TrimLeadingSpace = true, true
	if strings.Count(first, ";") > strings.Count(first, ",") {
		dec.Comma = ';'
	}
	return dec
}

func readCSV(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	in := reading.NewBounded(r)
	t := &table{Sheet: reading.NewSheet(fileName, emit), fileName: fileName}
	if err := t.Ready(); err != nil { // the file has no facts
		return err
	}
	first, rest, err := firstLine(in, fileName)
	if err != nil {
		return err
	}
	t.csv = decoderOf(first, io.MultiReader(strings.NewReader(first), rest))
	for {
		cells, err := t.csv.Read()
		in.Mark(t.csv.InputOffset())
		switch {
		case errors.Is(err, io.EOF):
			return t.end()
		case err != nil:
			return t.wrap(err)
		case t.columns == nil:
			t.line = 1
			err = t.header(cells)
		default:
			err = t.row(cells)
		}
		if err != nil {
			return err
		}
	}
}

// firstLine returns the first line with its line break, and a reader of the rest.
func firstLine(r io.Reader, fileName string) (line string, rest io.Reader, err error) {
	head := make([]byte, reading.HeadSize)
	n, err := io.ReadFull(r, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", nil, err
	}
	text := strings.TrimPrefix(string(head[:n]), "\uFEFF")
	end := strings.IndexByte(text, '\n') + 1
	if end == 0 {
		if err == nil {
			return "", nil, fmt.Errorf("%s:1: the header is longer than the limit of %d bytes", fileName, reading.HeadSize)
		}
		end = len(text)
	}
	return text[:end], io.MultiReader(strings.NewReader(text[end:]), r), nil
}

// A table reads the lines of a file.
type table struct {
	*reading.Sheet
	fileName string
	csv      *csv.Reader
	columns  *columns
	line     int       // of the last row
	numbers  []float64 // of a row by column, NaN where there is none
}

// wrap adds the position to an error of the decoder.
func (t *table) wrap(err error) error {
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		if errors.Is(syntax.Err, csv.ErrFieldCount) {
			return fmt.Errorf("%s:%d: the line has another number of columns than the header", t.fileName, syntax.Line)
		}
		return fmt.Errorf("%s:%d: invalid CSV: %w", t.fileName, syntax.Line, syntax.Err)
	}
	return fmt.Errorf("%s:%d: %w", t.fileName, t.line+1, err)
}

func (t *table) end() error {
	if t.columns == nil {
		return fmt.Errorf("%s:1: the file is empty: a CSV begins with a header", t.fileName)
	}
	return t.Close()
}

func (t *table) header(cells []string) error {
	c, err := newColumns(cells)
	if err != nil {
		return fmt.Errorf("%s:1: %w", t.fileName, err)
	}
	t.columns = c
	for _, name := range c.ignored {
		if err := t.LeaveOut(1, "column "+bounds.Quote(name), "its header names no unit"); err != nil {
			return err
		}
	}
	return nil
}

// row reads a line. An empty cell means that there is no figure.
func (t *table) row(cells []string) error {
	t.line, _ = t.csv.FieldPos(0)
	c := t.columns
	row := reading.Row{Line: t.line, Name: cells[c.name]}
	if c.pkg >= 0 {
		row.Package = cells[c.pkg]
	}
	t.numbers = t.numbers[:0]
	for i, cell := range cells {
		v := math.NaN()
		if text := strings.TrimSpace(cell); c.numeric[i] && text != "" {
			var err error
			if v, err = strconv.ParseFloat(text, 64); err != nil || !bounds.IsDecimal(text) {
				return t.Bad(t.line, "%s is not a number in column %s", bounds.Quote(text), bounds.Quote(c.header[i]))
			}
		}
		t.numbers = append(t.numbers, v)
	}
	row.Iters = t.count(c.iterations)
	for _, m := range c.measures {
		if v := t.numbers[m.column]; !math.IsNaN(v) {
			value := m.unit.Value(v)
			value.Unit = m.prefix + value.Unit
			row.Values = append(row.Values, value)
		}
	}
	if c.value >= 0 {
		return t.long(row, strings.TrimSpace(cells[c.unit]))
	}
	if len(row.Values) == 0 {
		return t.LeaveOut(t.line, row.Name, "the line has no figures")
	}
	return t.Result(row)
}

// number returns the number in a column, or NaN.
func (t *table) number(column int) float64 {
	if column < 0 {
		return math.NaN()
	}
	return t.numbers[column]
}

// count returns the number in a column that counts something, or 0.
func (t *table) count(column int) int { return reading.Count(t.number(column)) }

// long emits a line of the layout with a column for the unit. With a column for the standard deviation
// or the number of samples, it is a summary.
func (t *table) long(row reading.Row, unitText string) error {
	c := t.columns
	v := t.number(c.value)
	switch {
	case math.IsNaN(v):
		return t.LeaveOut(row.Line, row.Name, "the line has no figures")
	case unitText == "":
		return t.Bad(row.Line, "%s has no unit", bounds.Quote(row.Name))
	}
	unit := reading.UnitOf(unitText)
	row.Values = append([]reading.Value{unit.Value(v)}, row.Values...)
	if c.sd < 0 && c.n < 0 {
		return t.Result(row)
	}
	spread := reading.NoSpread()
	spread.SD, spread.N = unit.Value(t.number(c.sd)).V, t.count(c.n)
	return t.Summary(row, spread)
}
