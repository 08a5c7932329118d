package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
)

// ScaleFor returns the scale on which benchstat shows the centers of a row. A unit that
// already has a prefix in its name, such as GFLOPS, takes no second one: 12.30, not
// 12.30G.
func ScaleFor(unit string, centers ...float64) Scale {
	if !prefixed(unit) && !compare.IsRatio(unit) {
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

// The numbers from which on one has an exponent, not its digits: nothing measured
// comes near them, but anybody can write 1e308 into a file, and 300 digits make the
// table around them unreadable.
const (
	maxDigits = 1e15 // of a number as it is shown
	maxPlain  = 1e18 // 1e6 times the largest prefix
)

// A Scale is one of benchunit that also shows numbers of absurd size.
type Scale struct{ benchunit.Scaler }

// Format shows x on the scale, or with an exponent where that would take too many digits.
func (s Scale) Format(x float64) string {
	if size := math.Abs(x); size >= maxPlain || size/s.Factor >= maxDigits {
		return exponential(x)
	}
	return s.Scaler.Format(x)
}

// Unscaled shows x without a prefix and with so many digits after the point; -1 stands
// for as many as it takes.
func Unscaled(x float64, digits int) string {
	return Scale{benchunit.Scaler{Prec: digits, Factor: 1}}.Format(x)
}

func exponential(x float64) string { return strconv.FormatFloat(x, 'e', 3, 64) }

// Scaled shows x with the prefix that suits it.
func Scaled(x float64, class benchunit.Class) string {
	return Scale{benchunit.CommonScale([]float64{x}, class)}.Format(x)
}

// prefixed reports whether the name of a unit has a prefix.
func prefixed(unit string) bool {
	num, _, _ := strings.Cut(unit, "/")
	switch num {
	case "KFLOPS", "MFLOPS", "GFLOPS", "TFLOPS", "KFLOP", "MFLOP", "GFLOP", "TFLOP":
		return true
	}
	return false
}

// Interval shows how far the interval of a center reaches: "± 1%", "± ∞".
func Interval(s compare.Summary) string {
	text := s.Range()
	if len(text) > len("999999%") {
		text = ">999999%"
	}
	return "± " + text
}

// Measured shows a value of a unit as a benchmark prints it: 134 of ns/op is "134.0n sec/op".
func Measured(unit string, x float64) string {
	factor, tidied := benchunit.Tidy(1, unit)
	return ScaleFor(tidied, x*factor).Format(x*factor) + " " + tidied
}

// Change shows a relative change as a percentage, and an absolute one in its unit.
func Change(unit string, x float64, absolute bool) string {
	if !absolute {
		return Percent(x)
	}
	text := ScaleFor(unit, x).Format(x)
	if x >= 0 {
		text = "+" + text
	}
	return text
}

// maxChange is the largest relative change that is shown as it is.
const maxChange = 9999.99

// Percent shows a relative change: 0.05 is "+5.00%".
func Percent(change float64) string {
	if text, ok := Bound(change); ok {
		return text
	}
	return fmt.Sprintf("%+.2f%%", 100*change)
}

// signedPercent shows a relative change in percent, without the sign: 0.051 is "+5.1". It
// has a digit after the point, and more where it is to tell things apart that differ by
// as little as width.
func signedPercent(change, width float64) string {
	if text, ok := Bound(change); ok {
		return strings.TrimSuffix(text, "%")
	}
	digits := 1
	for fine := 0.002; width > 0 && width < fine && digits < 4; fine /= 10 {
		digits++
	}
	if text := fmt.Sprintf("%+.*f", digits, 100*change); strings.Trim(text, "+-0.") != "" {
		return text
	}
	return fmt.Sprintf("%.*f", digits, 0.0)
}

// PlainChange shows a relative change that has no interval: 0.051 is "+5.1 %".
func PlainChange(change float64) string { return signedPercent(change, math.Abs(change)) + " %" }

// Portion shows a part of a whole as people write it: 0.011 is "1.1 %".
func Portion(x float64) string {
	switch percent := 100 * x; {
	case percent > 100*maxChange:
		return fmt.Sprintf(">%.0f %%", 100*maxChange)
	case percent >= 9.95:
		return fmt.Sprintf("%.0f %%", percent)
	case percent >= 0.995:
		return fmt.Sprintf("%.1f %%", percent)
	case percent >= 0.01:
		return fmt.Sprintf("%.2g %%", percent)
	case percent > 0:
		return "<0.01 %"
	}
	return "0 %"
}

// Bound shows a change of absurd size as a bound: ">+999999%". ok is false for any other.
func Bound(change float64) (text string, ok bool) {
	switch {
	case change > maxChange:
		return fmt.Sprintf(">%+.0f%%", 100*maxChange), true
	case change < -maxChange:
		return fmt.Sprintf("<%+.0f%%", -100*maxChange), true
	}
	return "", false
}

// PValue shows a p-value with three digits, as benchstat does, but never as 0.
func PValue(p float64) string {
	if p < 0.0005 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

// ShortPercent shows a relative change to 0.1 %, as profiles do.
func ShortPercent(change float64) string {
	if math.IsInf(change, 0) || math.IsNaN(change) {
		return "?"
	}
	if math.Abs(change) < 0.0005 {
		return "0.0%"
	}
	if text, ok := Bound(change); ok {
		return text
	}
	return fmt.Sprintf("%+.1f%%", 100*change)
}

// Longer shows an increase without its sign, for a sentence.
func Longer(change float64) string {
	if change > maxChange {
		return fmt.Sprintf("more than %.0f%%", 100*maxChange)
	}
	return fmt.Sprintf("%.1f%%", 100*change)
}

// Fixed shows x with two digits after the point and commas before it.
func Fixed(x float64) string { return decimal(x, 2) }

// AtLeast shows x with two digits after the point, and a small number with as many as it
// takes to show n significant ones.
func AtLeast(n int, x float64) string {
	digits := 2
	if x != 0 {
		digits = min(max(2, n-1-int(math.Floor(math.Log10(math.Abs(x))))), 9)
	}
	return decimal(x, digits)
}

// decimal shows x with so many digits after the point and commas before it.
func decimal(x float64, digits int) string {
	if math.Abs(x) >= maxDigits {
		return exponential(x)
	}
	return WithCommas(Unscaled(x, digits))
}

// WithCommas puts commas into a decimal number: 12345.6 becomes 12,345.6.
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

// LeastShare is the part of a run below which scopes of a call tree are folded into one
// row.
const LeastShare = 0.001

// Confidence is the level of the intervals that are reported without a comparison;
// benchstat has the same.
const Confidence = 0.95
