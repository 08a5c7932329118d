package scopes

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// A role is what a column of a table of methods holds.
type role int

const (
	unknown role = iota
	rank
	methodName
	calls
	percent
	totalTime
	averageTime
	leastTime
	mostTime
	selfTime
	totalSize
	averageSize
)

// A column is one header cell, understood.
type column struct {
	title string
	role  role
	measure
}

// roleWords are the words by which a header cell tells its role, in the order in which
// they win: "Avg Time" is an average, "% of Total" a share, "Total Time" a total.
var roleWords = []struct {
	words      []string
	time, size role // by the unit; the same where a unit is not needed
}{
	{[]string{"%", "percent", "percentage", "pct", "share"}, percent, percent},
	{[]string{"avg", "average", "mean"}, averageTime, averageSize},
	{[]string{"min", "minimum"}, leastTime, unknown},
	{[]string{"max", "maximum"}, mostTime, unknown},
	{[]string{"self", "flat"}, selfTime, unknown},
	{[]string{"calls", "count", "ncalls"}, calls, calls},
	{[]string{"rank", "#"}, rank, rank},
	{[]string{"total", "time", "cum", "cumulative"}, totalTime, totalSize},
	{[]string{"alloc", "allocs", "allocated", "allocations", "memory"}, unknown, totalSize},
	{[]string{"name", "method", "scope", "function", "path"}, methodName, methodName},
}

// columnOf understands a header cell such as "Avg Time (ms)", "avg_ms" or "% of Total".
func columnOf(title string) column {
	c := column{title: title}
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '%' && r != '#'
	})
	// The unit is the last word, in its own case: Mb is not MB.
	cased := strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune(" \t_()[]", r) })
	hasUnit := false
	if n := len(cased); n > 1 {
		c.measure, hasUnit = measureCalled(cased[n-1])
	}
	for _, known := range roleWords {
		if !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(known.words, w) }) {
			continue
		}
		if c.role = known.time; hasUnit && c.bytes {
			c.role = known.size
		}
		if c.role >= totalTime && !hasUnit {
			c.measure = measure{}
		}
		break
	}
	return c
}

// columnsOf understands a header, however it is; check tells whether it can be used.
func columnsOf(titles []string) []column {
	cols := make([]column, len(titles))
	for i, t := range titles {
		cols[i] = columnOf(t)
	}
	return cols
}

func has(cols []column, roles ...role) bool {
	return slices.ContainsFunc(cols, func(c column) bool { return slices.Contains(roles, c.role) })
}

// isMethods reports whether these can only be the columns of a table of methods.
func isMethods(cols []column) bool {
	measured := func(c column) bool {
		return c.name != "" && (c.role == totalTime || c.role == averageTime || c.role == totalSize || c.role == averageSize)
	}
	return has(cols, methodName) && has(cols, calls) && slices.ContainsFunc(cols, measured)
}

// checkColumns reports why a table with these columns cannot be read.
func checkColumns(cols []column) error {
	for i, c := range cols {
		switch {
		case c.role == unknown:
			return fmt.Errorf("column %s is not known: there are name, calls, total, avg, min, max, self, alloc, percent and rank", bounds.Quote(c.title))
		case c.role >= totalTime && c.name == "":
			return fmt.Errorf("column %s has no unit: write it as in \"total (ms)\"", bounds.Quote(c.title))
		case c.role != percent && has(cols[:i], c.role):
			return fmt.Errorf("column %s stands twice", bounds.Quote(c.title))
		}
	}
	switch {
	case !has(cols, methodName):
		return errors.New("table without a column of names")
	case !has(cols, calls):
		return errors.New("table without a column of calls")
	case !has(cols, totalTime, averageTime, totalSize, averageSize):
		return errors.New("table without a column of times or allocations")
	}
	return nil
}

// A row is one line of a table of methods. A nil figure has no column.
type row struct {
	name                        string
	calls                       int
	total, average, least, most *figure // ns
	self                        *figure // ns, all calls
	totalSize, averageSize      *figure // bytes
}

// readRow reads the cells of a line. The name is there even with an error, if it could
// be read.
func readRow(cols []column, cells []string) (r row, err error) {
	if len(cells) != len(cols) {
		return r, fmt.Errorf("row of %d cells in a table of %d columns", len(cells), len(cols))
	}
	fail := func(c column, cause error) {
		if err == nil {
			err = fmt.Errorf("column %s %w", bounds.Quote(c.title), cause)
		}
	}
	for i, c := range cols {
		var cause error
		switch c.role {
		case methodName:
			r.name, cause = cleanName(cells[i])
		case calls:
			if r.calls, cause = wholeNumber(cells[i]); cause == nil && r.calls == 0 {
				cause = errors.New("is 0: a method that was not called has no time")
			}
		case rank:
			_, cause = wholeNumber(cells[i])
		case percent:
			cause = checkPercent(cells[i])
		default:
			var f figure
			f, cause = c.figure(cells[i])
			*r.place(c.role) = &f
		}
		if cause != nil {
			fail(c, cause)
		}
	}
	return r, err
}

func (r *row) place(of role) **figure {
	switch of {
	case totalTime:
		return &r.total
	case averageTime:
		return &r.average
	case leastTime:
		return &r.least
	case mostTime:
		return &r.most
	case selfTime:
		return &r.self
	case totalSize:
		return &r.totalSize
	default:
		return &r.averageSize
	}
}

// cleanName takes the decoration off a name. A space becomes "_", as go test writes it:
// the benchmark format has none in names.
func cleanName(cell string) (string, error) {
	s := strings.TrimSpace(cell)
	for _, mark := range []string{"**", "`"} {
		if len(s) > 2*len(mark) && strings.HasPrefix(s, mark) && strings.HasSuffix(s, mark) {
			s = strings.TrimSpace(s[len(mark) : len(s)-len(mark)])
		}
	}
	switch {
	case strings.Trim(s, "`*") == "":
		return "", errors.New("is missing")
	case strings.HasPrefix(s, "`") != strings.HasSuffix(s, "`"):
		return "", fmt.Errorf("%s has one backtick: it is cut short", bounds.Quote(s))
	}
	if err := bounds.CheckText("name", []byte(s), bounds.MaxName); err != nil {
		return "", err
	}
	for _, c := range s {
		if unicode.IsControl(c) {
			return "", fmt.Errorf("%s has the control character %U", bounds.Quote(s), c)
		}
	}
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), "_"), nil
}
