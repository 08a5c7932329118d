package github

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// A prefix is a unit as people write it, and how much of the measured one it is.
type prefix struct {
	factor float64
	name   string
}

var (
	seconds = []prefix{{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}}
	octets  = []prefix{{1, "B"}, {1 << 10, "KiB"}, {1 << 20, "MiB"}, {1 << 30, "GiB"}, {1 << 40, "TiB"}}
	through = []prefix{{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}} // per second
	plain   = []prefix{{1, ""}, {1e6, "M"}, {1e9, "G"}}
	decimal = []prefix{{1e-9, "n"}, {1e-6, "µ"}, {1e-3, "m"}, {1, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}}
)

// amounts shows the centers of both sides as HTML: "52.0 → 71.0 µs", "3 → 5", or "3" if they
// look alike. Both have the same unit unless that would take many digits.
func amounts(r *compare.Row) string {
	if r.Base.N == 0 || r.Head.N == 0 {
		return ""
	}
	before, unit := amount(r, r.Base, r.Head)
	after, other := amount(r, r.Head, r.Base)
	switch {
	case unit != other:
		return spaced(before, unit) + " →\n" + spaced(after, other)
	case before == after:
		return spaced(before, unit)
	}
	return before + " →\n" + spaced(after, unit)
}

func spaced(number, unit string) string { return strings.TrimSuffix(number+" "+unit, " ") }

func amount(r *compare.Row, side, beside compare.Summary) (number, unit string) {
	digits := 3
	if wide := math.Abs(side.Hi-side.Lo) / 2; wide > 0.05*math.Abs(side.Center) {
		digits = 2
	}
	scale := math.Abs(side.Center)
	if larger := math.Abs(beside.Center); larger > scale && (larger < 100*scale || scale == 0) {
		scale = larger
	}
	return amountOf(side.Center, scale, digits, r.Unit)
}

// amountOf shows a value with so many significant digits as HTML, with the prefix that suits
// another value. A count has its digits, and no unit.
func amountOf(x, scale float64, digits int, unit string) (number, ofUnit string) {
	p, rest, whole := prefixOf(unit, scale)
	text := significant(x/p.factor, digits, whole)
	if rest == unit { // a unit of its own stands apart from the prefix
		return text + p.name, unitText(rest)
	}
	return text, unitText(p.name + rest)
}

// prefixOf returns the prefix that suits a value of a unit, as measured, what of the unit stands
// behind it, and whether values are bytes or counts then.
func prefixOf(unit string, scale float64) (p prefix, rest string, whole bool) {
	num, per, _ := strings.Cut(unit, "/")
	known, rest, measured := decimal, unit, 1.0
	switch k := kindOf(unit); {
	case k == durations:
		known, rest, measured = seconds, "", inSeconds[num]
	case k == memory:
		known, rest = octets, ""
	case k == allocations:
		known, rest = plain, ""
	case unit == "B/s":
		known, rest = through, ""
	case strings.HasSuffix(num, "FLOPS") || strings.HasSuffix(num, "FLOP"):
		known = decimal[3:4] // has a prefix already
	}
	if rest == "" && per != "" && per != "op" {
		rest = "/" + per
	}
	p = known[0]
	for _, q := range known[1:] {
		if scale*measured >= 0.9995*q.factor || scale == 0 && q.factor == 1 {
			p = q
		}
	}
	whole = p.factor == 1 && (rest == "" || rest == "/"+per) && known[0].factor == 1
	p.factor /= measured
	return p, rest, whole
}

// inSeconds are the units of time that benchmarks print, without those that are tidied.
var inSeconds = map[string]float64{"sec": 1, "s": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6}

var plainUnit = regexp.MustCompile(`^[A-Za-zµ%]{0,12}(/[A-Za-z]{1,12})?$`)

// unitText is a unit as HTML. One that anybody made up is code.
func unitText(unit string) string {
	if plainUnit.MatchString(unit) {
		return unit
	}
	return inline(unit)
}

// significant shows a number with so many significant digits, and with all before the point. A
// whole number of what is counted has no others.
func significant(x float64, digits int, counted bool) string {
	size := math.Abs(x)
	switch {
	case size >= 1e15 || size != 0 && size < 1e-6:
		return strconv.FormatFloat(x, 'e', digits-1, 64)
	case counted && x == math.Trunc(x), x == 0:
		return reports.WithCommas(strconv.FormatFloat(x, 'f', 0, 64))
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', digits-1, 64), "e") // after rounding
	power, _ := strconv.Atoi(exponent)
	after := max(0, digits-1-power)
	return reports.WithCommas(strconv.FormatFloat(x, 'f', after, 64))
}
