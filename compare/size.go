package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A Size is how much worse a benchmark got, of one unit: by which part of the base, or,
// where that was 0, by how much of the unit. Acceptances hold up to one.
type Size struct {
	Worse    float64 // 0.3 is 30 % more time, or as much less throughput as takes 30 % more time
	Absolute bool    // Worse is in the row's unit
}

// Size returns how much worse the row got, as it is estimated.
func (r *Row) Size() Size {
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

// Within reports whether s is no worse than most, give or take margin, the part of the
// base that nobody cares about: the threshold of the row.
func (s Size) Within(most Size, margin float64) bool {
	switch {
	case s.Absolute != most.Absolute:
		return false
	case s.Absolute:
		return s.Worse <= most.Worse*(1+margin)
	}
	return 1+s.Worse <= (1+most.Worse)*(1+margin)
}

// String writes the size as [ParseSize] reads it: +30%, or +12 of the unit.
func (s Size) String() string {
	if s.Absolute {
		return "+" + strconv.FormatFloat(s.Worse, 'g', 6, 64)
	}
	return "+" + strconv.FormatFloat(100*s.Worse, 'g', 6, 64) + "%"
}

// ParseSize reads a size.
func ParseSize(text string) (Size, error) {
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	x, err := strconv.ParseFloat(strings.TrimPrefix(number, "+"), 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 0) {
		return Size{}, fmt.Errorf("%q is not how much worse a benchmark may get: write 30%%, or 12 where the base is 0", text)
	}
	if percent {
		return Size{Worse: x / 100}, nil
	}
	return Size{x, true}, nil
}
