package scopes

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/perftrack/perftrack/runner/format/bounds"
)

// A figure is a number in a table with its step, the value of one unit in its last digit. Most
// tables round and some truncate, so the true value is within one step.
type figure struct{ value, step float64 }

// per returns the figure divided by n.
func (f figure) per(n int) figure { return figure{f.value / float64(n), f.step / float64(n)} }

// contradicts reports whether no value could be printed as both figures.
func (f figure) contradicts(other figure) bool {
	noise := 1e-9 * max(f.value, other.value) // floating-point error
	return math.Abs(f.value-other.value) > f.step+other.step+noise
}

// A measure is a unit in a column header.
type measure struct {
	name  string
	bytes bool
	// A time unit is 10^exponent ns, so that "414.730" ms becomes exactly 414730000 ns. A size unit
	// is 2^exponent bytes, because profilers use multiples of 1024 for both MB and MiB.
	exponent int
}

var measures = []measure{
	{"ns", false, 0}, {"us", false, 3}, {"µs", false, 3}, {"μs", false, 3}, {"ms", false, 6}, {"s", false, 9}, {"sec", false, 9},
	{"B", true, 0}, {"bytes", true, 0}, {"KB", true, 10}, {"KiB", true, 10}, {"kB", true, 10},
	{"MB", true, 20}, {"MiB", true, 20}, {"GB", true, 30}, {"GiB", true, 30},
}

func measureCalled(name string) (measure, bool) {
	for _, m := range measures {
		if m.name == name {
			return m, true
		}
	}
	return measure{}, false
}

// figure parses a cell with a number and converts it to ns or bytes.
func (m measure) figure(cell string) (figure, error) {
	digits, err := plainNumber(cell)
	if err != nil {
		return figure{}, err
	}
	mantissa, exponent := digits, 0
	if i := strings.IndexAny(digits, "eE"); i >= 0 {
		if exponent, err = strconv.Atoi(digits[i+1:]); err != nil {
			return figure{}, fmt.Errorf("%s is out of range", bounds.Quote(cell))
		}
		mantissa = digits[:i]
	}
	_, fraction, _ := strings.Cut(mantissa, ".")
	if !m.bytes {
		exponent += m.exponent
	}
	value, err := strconv.ParseFloat(fmt.Sprintf("%se%d", mantissa, exponent), 64)
	if err != nil {
		return figure{}, fmt.Errorf("%s is out of range", bounds.Quote(cell))
	}
	f := figure{value, math.Pow10(exponent - len(fraction))}
	if m.bytes {
		f.value, f.step = math.Ldexp(f.value, m.exponent), math.Ldexp(f.step, m.exponent)
	}
	if math.IsInf(f.value, 0) {
		return figure{}, fmt.Errorf("%s is out of range", bounds.Quote(cell))
	}
	return f, nil
}

// plainNumber returns the number in a cell without thousands separators. It rejects "0,5" and
// "12,34", where the comma is a decimal comma, because reading them as 5 or 1234 would be silently
// wrong.
func plainNumber(cell string) (string, error) {
	s := strings.TrimSpace(cell)
	if s == "" {
		return "", errors.New("is missing")
	}
	digits, minus := strings.CutPrefix(s, "-")
	whole, rest := digits, ""
	if i := strings.IndexAny(digits, ".eE"); i >= 0 {
		whole, rest = digits[:i], digits[i:]
	}
	groups := strings.Split(whole, ",")
	ok := len(groups) == 1 || groups[0] != "" && len(groups[0]) <= 3 && groups[0][0] != '0'
	for _, g := range groups[1:] {
		ok = ok && len(g) == 3
	}
	digits = strings.Join(groups, "") + rest
	switch {
	case !ok || !bounds.IsDecimal(digits) || digits[0] == '-':
		return "", fmt.Errorf("%s is not a number such as 1,234.5", bounds.Quote(s))
	case minus && strings.Trim(digits, "0.") != "": // -0.000 counts as zero
		return "", fmt.Errorf("%s is negative", bounds.Quote(s))
	}
	return digits, nil
}

// wholeNumber parses a cell with a whole number, such as the number of calls.
func wholeNumber(cell string) (int, error) {
	digits, err := plainNumber(cell)
	if err != nil {
		return 0, err
	}
	if strings.Trim(digits, "0123456789") != "" {
		return 0, fmt.Errorf("%s is not a whole number", bounds.Quote(cell))
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		return 0, fmt.Errorf("%s is out of range", bounds.Quote(cell))
	}
	return n, nil
}

// checkPercent checks a cell with a percentage. It is not stored, because it follows from other
// cells.
func checkPercent(cell string) error {
	s := strings.TrimSpace(cell)
	if !utf8.ValidString(s) {
		return errors.New("is not valid UTF-8")
	}
	_, err := plainNumber(strings.TrimSuffix(s, "%"))
	return err
}
