package scopes

import (
	"errors"
	"fmt"
	"strings"
)

// A tableState is what the reader of a table expects next.
type tableState int

const (
	outside  tableState = iota
	rule                // the line of dashes under the header
	rows                // of methods
	skipping            // the rest of a table of something else, or of a broken one
)

// tables reads the tables of a text line by line into methods: markdown tables, and
// where plain is set those that are aligned with blanks or tabs.
type tables struct {
	methods *methods
	plain   bool // also read tables without |

	state    tableState
	number   int  // of the table, from 1
	markdown bool // the table has |
	tabs     bool // the plain table is split by tabs
	cols     []column
	read     int // rows of the table, the bad ones included
	found    int // tables of methods
}

// maxTitles is how many bytes the header of a table may have.
const maxTitles = 4 << 10

// line takes one line. used is false for one that is no part of a table.
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
			fail(errors.New("table without a line of dashes, as many cells as its header has, under the header"))
		default: // a plain table needs none
			ts.row(text, number, complete, fail)
		}
	case rows:
		ts.row(text, number, complete, fail)
	}
	return true
}

// begin reads the header of a markdown table.
func (ts *tables) begin(text string, complete bool, fail func(error)) {
	ts.number++
	ts.markdown, ts.read = true, 0
	if len(text) > maxTitles {
		fail(fmt.Errorf("table header of more than %d KiB", maxTitles>>10))
		return
	}
	ts.cols = columnsOf(splitRow(text))
	switch {
	case isRule(text):
		fail(errors.New("table without a header"))
	case !complete:
		fail(errors.New("the input ends in the header of a table"))
	case !has(ts.cols, methodName) || !has(ts.cols, calls, totalTime, averageTime, totalSize, averageSize):
		ts.state = skipping // of something else
	default:
		ts.found++
		if err := checkColumns(ts.cols); err != nil {
			fail(err)
			return
		}
		ts.state = rule
	}
}

// beginPlain reads the header of a table without |, if the line is one.
func (ts *tables) beginPlain(text string, fail func(error)) bool {
	if lower := strings.ToLower(text); len(text) > maxTitles || !strings.Contains(lower, "call") && !strings.Contains(lower, "count") {
		return false // saves understanding every word of a long text
	}
	titles, tabs := plainTitles(text)
	cols := columnsOf(titles)
	if !isMethods(cols) && (has(cols, unknown) || !has(cols, methodName) || !has(cols, calls)) {
		return false // a sentence
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
			fail(cutShort(complete, "row of a table that does not begin and end with |"))
			return
		}
		cells = splitRow(trimmed)
	case isRule(trimmed):
		return // above a line of totals, or under the table
	case !complete:
		// The last number could have had more digits.
		ts.read++
		fail(errors.New("the input ends in a row without a line break: it may be cut short; end the line if it is not"))
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

// end is called between tables and at the end of the input.
func (ts *tables) end(number int) {
	if ts.state == rule || ts.state == rows && ts.read == 0 {
		ts.methods.syntaxError(number, errors.New("table without rows"))
	}
	ts.state = outside
}

// isRule reports whether a line only separates: dashes and the like.
func isRule(line string) bool {
	return strings.ContainsAny(line, "-=─═") && strings.Trim(line, "-=─═|+: \t┼├┤") == ""
}

// endsRow reports whether the last | of a row is there, and is no text.
func endsRow(row string) bool {
	return len(row) > 1 && strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`)
}

// splitRow returns the cells of a markdown row; \| is a | of the text.
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

// plainTitles splits the header of a plain table at tabs, else at two blanks or more,
// else at every blank that does not stand before a unit in brackets.
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

// plainCells splits a row of a plain table. Without tabs every blank separates: a full
// column leaves only one to the next.
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

// hasTable reports whether head shows the header of a table of methods.
func hasTable(head string, plain bool) bool {
	for line := range strings.Lines(head) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "|"):
			if isMethods(columnsOf(splitRow(line))) {
				return true
			}
		case plain:
			if titles, _ := plainTitles(line); isMethods(columnsOf(titles)) {
				return true
			}
		}
	}
	return false
}

func noTable(what string) error {
	return fmt.Errorf("no table of methods in this %s: expected columns such as Method, Calls, Total (ms), Avg (ms)", what)
}
