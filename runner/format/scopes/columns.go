package scopes

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// A role is the meaning of a column in a table of methods.
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

// A column is a header cell together with its meaning.
type column struct {
	title string
	role  role
	measure
}

// roleWords lists the words in a header cell for each role, in order of precedence: "Avg Time" is
// an average, "% of Total" is a share, and "Total Time" is a total.
var roleWords = []struct {
	words      []string
	time, size role // the role in a column with a unit of time or size; both are equal if the role has no unit
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

// columnOf determines the meaning of a header cell such as "Avg Time (ms)", "avg_ms" or "% of
// Total".
func columnOf(title string) column {
	c := column{title: title}
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool {
		return !unicode.IsLetter(r) && r != '%' && r != '#'
	})
	// The unit is the last word. Its case matters: Mb is not MB.
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

// columnsOf determines the columns of any header; checkColumns checks whether they are usable.
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

// isMethods reports whether the columns clearly belong to a table of methods.
func isMethods(cols []column) bool {
	measured := func(c column) bool {
		return c.name != "" && (c.role == totalTime || c.role == averageTime || c.role == totalSize || c.role == averageSize)
	}
	return has(cols, methodName) && has(cols, calls) && slices.ContainsFunc(cols, measured)
}

// checkColumns returns an error if a table with these columns cannot be read.
func checkColumns(cols []column) error {
	for i, c := range cols {
		switch {
		case c.role == unknown:
			return fmt.Errorf("unknown column %s: known columns are name, calls, total, avg, min, max, self, alloc, percent and rank", bounds.Quote(c.title))
		case c.role >= totalTime && c.name == "":
			return fmt.Errorf("column %s has no unit: add one, as in \"total (ms)\"", bounds.Quote(c.title))
		case c.role != percent && has(cols[:i], c.role):
			return fmt.Errorf("duplicate column %s", bounds.Quote(c.title))
		}
	}
	switch {
	case !has(cols, methodName):
		return errors.New("the table has no name column")
	case !has(cols, calls):
		return errors.New("the table has no column for calls")
	case !has(cols, totalTime, averageTime, totalSize, averageSize):
		return errors.New("the table has no column for times or allocations")
	}
	return nil
}

// A row is one row in a table of methods.
type row struct {
	name    string
	calls   int
	figures map[role]figure // by the role of the column, in ns or bytes; averages are per call
}

// readRow parses the cells of a row. If the row has the right number of cells and a valid name,
// r.name is set even if there is an error.
func readRow(cols []column, cells []string) (r row, err error) {
	if len(cells) != len(cols) {
		return r, fmt.Errorf("row has %d cells, but the table has %d columns", len(cells), len(cols))
	}
	fail := func(c column, cause error) {
		if err == nil {
			err = fmt.Errorf("column %s %w", bounds.Quote(c.title), cause)
		}
	}
	r.figures = make(map[role]figure)
	for i, c := range cols {
		var cause error
		switch c.role {
		case methodName:
			r.name, cause = cleanName(cells[i])
		case calls:
			if r.calls, cause = wholeNumber(cells[i]); cause == nil && r.calls == 0 {
				cause = errors.New("is 0, although the method has a time or allocations")
			}
		case rank:
			_, cause = wholeNumber(cells[i])
		case percent:
			cause = checkPercent(cells[i])
		default:
			r.figures[c.role], cause = c.figure(cells[i])
		}
		if cause != nil {
			fail(c, cause)
		}
	}
	return r, err
}

// cleanName removes markup from a name. It replaces spaces with "_", as go test does, because names
// in the benchmark format cannot contain spaces.
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
		return "", fmt.Errorf("%s has only one backtick: it is cut short", bounds.Quote(s))
	}
	if err := bounds.CheckText("name", []byte(s), bounds.MaxName); err != nil {
		return "", err
	}
	for _, c := range s {
		if unicode.IsControl(c) {
			return "", fmt.Errorf("%s contains the control character %U", bounds.Quote(s), c)
		}
	}
	return strings.Join(strings.FieldsFunc(s, unicode.IsSpace), "_"), nil
}
