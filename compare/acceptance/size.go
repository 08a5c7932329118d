package acceptance

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// A Size is how much worse a benchmark got in one unit, as a fraction of the base or, if either
// side is 0, in the unit itself. An acceptance covers changes up to a Size.
type Size struct {
	Worse    float64 // 0.3 means 30 % more time, or the corresponding loss of throughput
	Absolute bool    // Worse is in the row's unit
}

// SizeOf returns an estimate of how much worse a row got.
func SizeOf(r *compare.Row) Size {
	ratio := 1 + r.Shift.Center
	if r.Shift.Absolute || math.IsNaN(ratio) {
		if r.Base.Center <= 0 || r.Head.Center <= 0 {
			return Size{math.Abs(r.Head.Center - r.Base.Center), true}
		}
		ratio = r.Head.Center / r.Base.Center
	}
	if r.Better > 0 {
		ratio = 1 / ratio
	}
	return Size{Worse: ratio - 1}
}

// Within reports whether s is no worse than most, with a tolerance: head's value may exceed the
// value allowed by most by the fraction margin, normally the row's threshold.
func (s Size) Within(most Size, margin float64) bool {
	switch {
	case s.Absolute != most.Absolute:
		return false
	case s.Absolute:
		return s.Worse <= most.Worse*(1+margin)
	}
	return 1+s.Worse <= (1+most.Worse)*(1+margin)
}

// String formats the size as [ParseSize] reads it: "+30%", or "+12" for 12 in the unit.
func (s Size) String() string {
	if s.Absolute {
		return "+" + strconv.FormatFloat(s.Worse, 'g', 6, 64)
	}
	return "+" + strconv.FormatFloat(100*s.Worse, 'g', 6, 64) + "%"
}

// ParseSize parses a size as written by [Size.String]; the sign is optional.
func ParseSize(text string) (Size, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimPrefix(number, "+"), 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return Size{}, fmt.Errorf("invalid size %q: give a share of base such as 30%%, or, for a base of 0, a number such as 12 in the unit of the benchmark", text)
	}
	if percent {
		return Size{Worse: x / 100}, nil
	}
	return Size{x, true}, nil
}
