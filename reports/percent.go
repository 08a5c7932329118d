package reports

import (
	"fmt"
	"math"
	"strings"
)

// maxChange is the largest relative change shown in full.
const maxChange = 9999.99

// PlainChange shows a relative change without an interval: 0.051 is "+5.1 %".
func PlainChange(change float64) string {
	if math.IsNaN(change) || math.IsInf(change, 0) {
		return "?"
	}
	return signedPercent(change, math.Abs(change)) + " %"
}

// Change shows x as a percentage or, if absolute, as a difference in the given unit.
func Change(unit string, x float64, absolute bool) string {
	if absolute {
		return difference(unit, x)
	}
	return PlainChange(x)
}

// difference shows the difference between two values in their unit: "+1", "-0.250".
func difference(unit string, x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < maxDigits {
		return fmt.Sprintf("%+.0f", x)
	}
	text := ScaleFor(unit, x).Format(x)
	if x >= 0 {
		text = "+" + text
	}
	return text
}

// signedPercent shows a relative change in percent without a percent sign: 0.051 is "+5.1". It has
// one digit after the decimal point, or more if width, half the width of the interval, is small.
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

// Portion shows a part of a whole as a percentage with few digits: 0.011 is "1.1 %".
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

// Share shows a part of a whole for a column of percentages. It returns "-" if the part or the
// whole is unknown.
func Share(part, whole float64) string {
	if !(whole > 0) || math.IsNaN(part) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*part/whole)
}

// Level shows a threshold or an error rate as the user set it: 0.05 is "5 %".
func Level(x float64) string { return fmt.Sprintf("%.3g %%", 100*x) }

// Levels shows a single threshold or a range of thresholds: "5 %", "3 % to 5 %".
func Levels(least, most float64) string {
	if least < most {
		return Level(least) + " to " + Level(most)
	}
	return Level(most)
}

// Percent shows a relative change as benchstat does: 0.05 is "+5.00%".
func Percent(change float64) string {
	if text, ok := Bound(change); ok {
		return text
	}
	return fmt.Sprintf("%+.2f%%", 100*change)
}

// Bound shows an absurdly large change as a bound: ">+999999%". ok is false for any other change.
func Bound(change float64) (text string, ok bool) {
	switch {
	case change > maxChange:
		return fmt.Sprintf(">%+.0f%%", 100*maxChange), true
	case change < -maxChange:
		return fmt.Sprintf("<%+.0f%%", -100*maxChange), true
	}
	return "", false
}
