package scopes

import (
	"errors"
	"fmt"
	"strings"
)

// A tableState is the part of a table expected next.
type tableState int

const (
	outside  tableState = iota
	rule                // the line of dashes below the header
	rows                // the rows of methods
	skipping            // the remaining rows of an unrelated or malformed table
)

// tables reads the tables in a text line by line and adds them to methods. It reads markdown tables
// and, if plain is set, tables with columns aligned by spaces or tabs.
type tables struct {
	methods *methods
	plain   bool // also read tables without |

	state    tableState
	number   int  // number of the table, from 1
	markdown bool // the table uses |
	tabs     bool // the columns of the plain table are separated by tabs
	cols     []column
	read     int // number of rows read from the table, including bad ones
	found    int // number of tables of methods
}

// maxTitles is the maximum number of bytes in the header of a table.
const maxTitles = 4 << 10

// line processes one line. used is false if the line is not part of a table.
func (ts *tables) line(text string, number int, complete bool) (used bool) {
	trimmed := strings.TrimSpace(text)
	isRow := strings.HasPrefix(trimmed, "|")
	if trimmed == "" || ts.state != outside && strings.HasPrefix(trimmed, "#") && ts.markdown {
		ts.end(number)
		return trimmed == ""
	}
	fail := func(err error) {
		ts.methods.syntaxError(number, err)
		if ts.state != rows {
			ts.state = skipping
		}
	}
	switch ts.state {
	case outside:
		switch {
		case isRow:
			ts.begin(trimmed, complete, fail)
		case ts.plain:
			return ts.beginPlain(text, fail)
		default:
			return false
		}
	case rule:
		ts.state = rows
		switch {
		case isRule(trimmed) && (!ts.markdown || len(splitRow(trimmed)) == len(ts.cols)):
		case ts.markdown:
			ts.state = rule
			fail(errors.New("the table has no line of dashes with the same number of cells below its header"))
		default: // a plain table may omit the line of dashes
			ts.row(text, number, complete, fail)
		}
	case rows:
		ts.row(text, number, complete, fail)
	}
	return true
}

// begin parses the header of a markdown table.
func (ts *tables) begin(text string, complete bool, fail func(error)) {
	ts.number++
	ts.markdown, ts.read = true, 0
	if len(text) > maxTitles {
		fail(fmt.Errorf("table header is larger than %d KiB", maxTitles>>10))
		return
	}
	ts.cols = columnsOf(splitRow(text))
	switch {
	case isRule(text):
		fail(errors.New("the table has no header"))
	case !complete:
		fail(errors.New("the input ends within a table header"))
	case !has(ts.cols, methodName) || !has(ts.cols, calls, totalTime, averageTime, totalSize, averageSize):
		ts.state = skipping // a table of something else
	default:
		ts.found++
		if err := checkColumns(ts.cols); err != nil {
			fail(err)
			return
		}
		ts.state = rule
	}
}

// beginPlain parses the header of a table without |. It returns false if the line is not such a
// header.
func (ts *tables) beginPlain(text string, fail func(error)) bool {
	if lower := strings.ToLower(text); len(text) > maxTitles || !strings.Contains(lower, "call") && !strings.Contains(lower, "count") {
		return false // avoids examining every word of a long text
	}
	titles, tabs := plainTitles(text)
	cols := columnsOf(titles)
	if !isMethods(cols) && (has(cols, unknown) || !has(cols, methodName) || !has(cols, calls)) {
		return false // the line is a sentence
	}
	ts.number++
	ts.found++
	ts.markdown, ts.tabs, ts.cols, ts.read = false, tabs, cols, 0
	if err := checkColumns(cols); err != nil {
		fail(err)
		return true
	}
	ts.state = rule
	return true
}

func (ts *tables) row(text string, number int, complete bool, fail func(error)) {
	trimmed := strings.TrimSpace(text)
	var cells []string
	switch {
	case ts.markdown:
		if !strings.HasPrefix(trimmed, "|") || !endsRow(trimmed) {
			ts.read++
			fail(cutShort(complete, "table row must have | at both ends"))
			return
		}
		cells = splitRow(trimmed)
	case isRule(trimmed):
		return // a rule above a line of totals, or below the table
	case !complete:
		// The last number may have lost digits.
		ts.read++
		fail(errors.New("the last row has no line break and may be cut short: add a line break if it is complete"))
		return
	default:
		cells = plainCells(text, ts.tabs)
	}
	ts.read++
	r, err := readRow(ts.cols, cells)
	ts.methods.add(r, err, number, ts.number)
}

func cutShort(complete bool, what string) error {
	if !complete {
		return errors.New("the input ends in the middle of a row")
	}
	return errors.New(what)
}

// end ends the current table, if there is one. It is called between tables and at the end of the
// input.
func (ts *tables) end(number int) {
	if ts.state == rule || ts.state == rows && ts.read == 0 {
		ts.methods.syntaxError(number, errors.New("the table has no rows"))
	}
	ts.state = outside
}

// isRule reports whether a line is only a separator of dashes and similar characters.
func isRule(line string) bool {
	return strings.ContainsAny(line, "-=─═") && strings.Trim(line, "-=─═|+: \t┼├┤") == ""
}

// endsRow reports whether a row ends with a | that is not part of the text.
func endsRow(row string) bool {
	return len(row) > 1 && strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`)
}

// splitRow returns the cells of a markdown row. In the text of a cell, \| means |.
func splitRow(row string) []string {
	row = strings.TrimPrefix(row, "|")
	if endsRow("|" + row) {
		row = row[:len(row)-1]
	}
	var cells []string
	var cell strings.Builder
	for i := 0; i < len(row); i++ {
		switch {
		case strings.HasPrefix(row[i:], `\|`):
			cell.WriteByte('|')
			i++
		case row[i] == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(row[i])
		}
	}
	return append(cells, strings.TrimSpace(cell.String()))
}

// plainTitles splits the header of a plain table: at tabs if it has any, or else at two or more
// spaces, or else at every space except before a unit in parentheses or brackets.
func plainTitles(line string) (titles []string, tabs bool) {
	line = strings.TrimSpace(line)
	if strings.Contains(line, "\t") {
		return trimAll(strings.Split(line, "\t")), true
	}
	for _, t := range strings.Split(line, "  ") {
		if t = strings.TrimSpace(t); t != "" {
			titles = append(titles, t)
		}
	}
	if cols := columnsOf(titles); has(cols, methodName) && has(cols, calls) && len(titles) > 2 {
		return titles, false
	}
	titles = titles[:0]
	for _, word := range strings.Fields(line) {
		if n := len(titles); n > 0 && strings.ContainsAny(word[:1], "([") {
			titles[n-1] += " " + word
			continue
		}
		titles = append(titles, word)
	}
	return titles, false
}

// plainCells splits a row of a plain table. If there are no tabs, it splits at every space, because
// a full column is followed by only one space.
func plainCells(line string, tabs bool) []string {
	if tabs {
		return trimAll(strings.Split(strings.TrimRight(line, " "), "\t"))
	}
	var cells []string
	for _, word := range strings.Fields(line) {
		if n := len(cells); n > 0 && word == "%" {
			cells[n-1] += word
			continue
		}
		cells = append(cells, word)
	}
	return cells
}

func trimAll(cells []string) []string {
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

// hasTable reports whether head contains the header of a table of methods.
func hasTable(head string, plain bool) bool {
	for line := range strings.Lines(head) {
		if methodColumns(strings.TrimSpace(line), plain) != nil {
			return true
		}
	}
	return false
}

// maxHeader is the number of bytes in the header of a table. A longer line, such as a JSON document, is
// not worth splitting.
const maxHeader = 4 << 10

// methodColumns returns the columns of a table of methods if line is its header, and nil for any
// other line. A header without | is recognized only if plain is set.
func methodColumns(line string, plain bool) []column {
	if len(line) > maxHeader {
		return nil
	}
	var titles []string
	if strings.HasPrefix(line, "|") {
		titles = splitRow(line)
	} else if plain {
		titles, _ = plainTitles(line)
	}
	if cols := columnsOf(titles); isMethods(cols) {
		return cols
	}
	return nil
}

func noTable(what string) error {
	return fmt.Errorf("this %s has no table of methods: expected columns such as Method, Calls, Total (ms), Avg (ms)", what)
}
