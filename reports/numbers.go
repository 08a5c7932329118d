package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/units"
)

// ScaleFor returns the scale on which benchstat shows the centers of a row. A unit whose name
// already has a prefix, such as GFLOPS, gets no second one: 12.30, not 12.30G.
func ScaleFor(unit string, centers ...float64) Scale {
	if !prefixed(unit) && !units.IsRatio(unit) {
		return Scale{benchunit.CommonScale(centers, benchunit.ClassOf(unit))}
	}
	smallest := math.Inf(1)
	for _, c := range centers {
		if c = math.Abs(c); c > 0 {
			smallest = min(smallest, c)
		}
	}
	if math.IsInf(smallest, 1) {
		smallest = 1
	}
	digits := 3 - int(math.Floor(math.Log10(smallest)))
	return Scale{benchunit.Scaler{Prec: min(max(digits, 0), 10), Factor: 1}}
}

// Numbers of at least these sizes are written with an exponent. No measurement is this large, but a
// file may contain 1e308, and 300 digits would make a table unreadable.
const (
	maxDigits = 1e15 // for a number after scaling
	maxPlain  = 1e18 // for a number before scaling: 1e6 times the largest prefix
)

// A Scale is a benchunit scale that can also show absurdly large numbers.
type Scale struct{ benchunit.Scaler }

// Format shows x on the scale, or with an exponent if it would take too many digits.
func (s Scale) Format(x float64) string {
	if size := math.Abs(x); size >= maxPlain || size/s.Factor >= maxDigits {
		return exponential(x)
	}
	return s.Scaler.Format(x)
}

// Unscaled shows x without a prefix. digits is the number of digits after the decimal point, or -1
// for as many as needed.
func Unscaled(x float64, digits int) string {
	return Scale{benchunit.Scaler{Prec: digits, Factor: 1}}.Format(x)
}

func exponential(x float64) string { return strconv.FormatFloat(x, 'e', 3, 64) }

// prefixed reports whether a unit's name already has a prefix.
func prefixed(unit string) bool {
	num, _, _ := strings.Cut(unit, "/")
	switch num {
	case "KFLOPS", "MFLOPS", "GFLOPS", "TFLOPS", "KFLOP", "MFLOP", "GFLOP", "TFLOP":
		return true
	}
	return false
}

// Interval shows the interval around a center: "± 1%", "± ∞".
func Interval(s compare.Summary) string {
	text := s.Range()
	if s.Told != nil {
		return spread(s)
	}
	if len(text) > len("999999%") {
		text = ">999999%"
	}
	return "± " + text
}

// spread shows what a file states about the samples behind a summary: their standard deviation or
// the bounds that the tool printed, relative to the center, and their number: "(± 3% sd, n=100)".
func spread(s compare.Summary) string {
	var parts []string
	around := func(lo, hi float64, what string) {
		if lo == lo && hi == hi {
			parts = append(parts, Interval(compare.Summary{Center: s.Center, Lo: lo, Hi: hi})+" "+what)
		}
	}
	around(s.Center, s.Center+s.Told.SD, "sd") // the lower end may be below 0
	if len(parts) == 0 {
		around(s.Told.Low, s.Told.High, "as printed")
	}
	n := "n unknown"
	if s.Told.N > 0 {
		n = fmt.Sprintf("n=%d", s.Told.N)
	}
	return "(" + strings.Join(append(parts, n), ", ") + ")"
}

// Measured shows a value given in the unit that a benchmark prints: 134 in ns/op is "134.0n
// sec/op".
func Measured(unit string, x float64) string {
	factor, tidied := benchunit.Tidy(1, unit)
	return ScaleFor(tidied, x*factor).Format(x*factor) + " " + tidied
}

// PValue shows a p-value with three digits, as benchstat does, but never as zero.
func PValue(p float64) string {
	if p < 0.0005 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// Fixed shows x with two digits after the decimal point and thousands separators.
func Fixed(x float64) string { return decimal(x, 2) }

// AtLeast shows x with two digits after the decimal point, or with more if a small x needs them to
// show n significant digits.
func AtLeast(n int, x float64) string {
	digits := 2
	if x != 0 {
		digits = min(max(2, n-1-int(math.Floor(math.Log10(math.Abs(x))))), 9)
	}
	return decimal(x, digits)
}

// decimal shows x with the given number of digits after the decimal point and thousands separators.
func decimal(x float64, digits int) string {
	if math.Abs(x) >= maxDigits {
		return exponential(x)
	}
	return WithCommas(Unscaled(x, digits))
}

// WithCommas inserts thousands separators into a decimal number: 12345.6 becomes 12,345.6.
func WithCommas(s string) string {
	whole, rest, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + rest
	}
	return whole
}

// LeastShare is the share of a run's total below which scopes in a call tree are folded into one
// row.
const LeastShare = 0.001

// Confidence is the confidence level of intervals for single values rather than comparisons. It is
// the same as in benchstat.
const Confidence = 0.95
