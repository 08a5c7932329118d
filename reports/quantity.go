package reports

import (
	"math"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare/units"
)

// A Quantity is a value with its unit, formatted for people: "52.00 µs", "3.906 KiB", "1,204".
type Quantity struct {
	Value  float64
	Unit   string // a tidied unit such as sec/op; "" for a count
	Digits int    // number of significant digits; 0 means 4
}

// String returns the number and the unit, or "-" if the value is unknown.
func (q Quantity) String() string {
	switch {
	case math.IsNaN(q.Value):
		return "-"
	case math.IsInf(q.Value, 0):
		return "∞"
	}
	number, unit := q.In(q.Value)
	return strings.TrimSuffix(number+" "+unit, " ")
}

// Signed returns the quantity with a plus or minus sign, unless it is 0.
func (q Quantity) Signed() string {
	switch {
	case q.Value < 0:
		return "-" + Quantity{-q.Value, q.Unit, q.Digits}.String()
	case q.Value > 0:
		return "+" + q.String()
	}
	return q.String()
}

// In returns the number and the unit of q with the prefix that suits the value scale. A unit per
// operation is reduced to its numerator.
func (q Quantity) In(scale float64) (number, unit string) {
	p, rest := prefixOf(q.Unit, math.Abs(scale))
	number = significant(q.Value/p.factor, max(q.Digits, 0), p.whole)
	if rest == q.Unit { // the unit keeps its name
		return number + p.name, rest
	}
	return number, p.name + rest
}

// ScaleOf returns the size and the name of the unit in which [Quantity.In] shows a value.
func ScaleOf(unit string, value float64) (size float64, name string) {
	p, rest := prefixOf(unit, math.Abs(value))
	if rest == unit {
		return p.factor, strings.TrimSpace(p.name + " " + unit)
	}
	return p.factor, p.name + rest
}

// A prefix is a prefixed unit, such as "ms". factor is its size in the measured unit.
type prefix struct {
	factor float64
	name   string
	whole  bool // values are counts
}

var (
	seconds    = []prefix{{1e-9, "ns", false}, {1e-6, "µs", false}, {1e-3, "ms", false}, {1, "s", false}}
	octets     = []prefix{{1, "B", true}, {1 << 10, "KiB", false}, {1 << 20, "MiB", false}, {1 << 30, "GiB", false}, {1 << 40, "TiB", false}}
	throughput = []prefix{{1, "B", true}, {1e3, "kB", false}, {1e6, "MB", false}, {1e9, "GB", false}, {1e12, "TB", false}}
	counts     = []prefix{{1, "", true}, {1e6, "M", false}, {1e9, "G", false}}
	decimals   = []prefix{{1e-9, "n", false}, {1e-6, "µ", false}, {1e-3, "m", false}, {1, "", false}, {1e3, "k", false}, {1e6, "M", false}, {1e9, "G", false}}
	unscaled   = []prefix{{1, "", false}}
)

// inSeconds maps the units of time to their lengths in seconds.
var inSeconds = map[string]float64{"sec": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}

// prefixOf returns a suitable prefix for a value in the given unit, and the rest of the unit's
// name.
func prefixOf(unit string, scale float64) (p prefix, rest string) {
	num, per, _ := strings.Cut(unit, "/")
	second, isTime := inSeconds[num[strings.LastIndexByte(num, '-')+1:]]
	all, size, own := decimals, 1.0, true
	switch {
	case isTime:
		all, size, own = seconds, second, false
	case unit == "B/s":
		all, own = throughput, false
	case num == "B" || num == "bytes":
		all, own = octets, false
	case unit == "" || num == "allocs":
		all, own = counts, false
	case prefixed(unit) || units.IsRatio(unit):
		all = unscaled
	}
	p = all[0]
	for _, q := range all[1:] {
		if scale*size >= 0.9995*q.factor || scale == 0 && q.factor == 1 {
			p = q
		}
	}
	p.factor /= size
	switch {
	case own:
		return p, unit
	case per != "" && per != "op":
		return p, "/" + per
	}
	return p, ""
}

// significant shows x with the given number of significant digits, and with all digits before the
// decimal point. If count is set, whole numbers are shown without decimals.
func significant(x float64, digits int, count bool) string {
	if digits == 0 {
		digits = 4
	}
	switch size := math.Abs(x); {
	case size >= maxDigits || size != 0 && size < 1e-6:
		return strconv.FormatFloat(x, 'e', digits-1, 64)
	case x == 0, count && x == math.Trunc(x):
		return WithCommas(strconv.FormatFloat(x, 'f', 0, 64))
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e") // the exponent after rounding
	power, _ := strconv.Atoi(exponent)
	return WithCommas(strconv.FormatFloat(x, 'f', max(0, digits-1-power), 64))
}
