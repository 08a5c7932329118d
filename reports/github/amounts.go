package github

import (
	"math"
	"regexp"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
)

// amounts formats the centers of both sides as HTML: "52.0 → 71.0 µs", "3 → 5", or "3" if both look
// the same. Both centers are written in the same unit unless that would take too many digits.
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

func spaced(number, unit string) string {
	return strings.TrimSuffix(number+" "+unitText(unit), " ")
}

// amount formats the center of a side in the unit that suits the larger of the two sides, with
// fewer digits if the center is uncertain. beside is the summary of the other side.
func amount(r *compare.Row, side, beside compare.Summary) (number, unit string) {
	digits := 3
	if wide := math.Abs(side.Hi-side.Lo) / 2; wide > 0.05*math.Abs(side.Center) {
		digits = 2
	}
	scale := math.Abs(side.Center)
	if larger := math.Abs(beside.Center); larger > scale && (larger < 100*scale || scale == 0) {
		scale = larger
	}
	return reports.Quantity{Value: side.Center, Unit: r.Unit, Digits: digits}.In(scale)
}

var plainUnit = regexp.MustCompile(`^[A-Za-zµ%]{0,12}(/[A-Za-z]{1,12})?$`)

// unitText returns a unit as HTML. A unit with unusual characters is set as code.
func unitText(unit string) string {
	if plainUnit.MatchString(unit) {
		return unit
	}
	return inline(unit)
}
