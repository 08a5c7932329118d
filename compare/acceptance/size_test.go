package acceptance

import (
	"math"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
)

func TestSize(t *testing.T) {
	row := func(base, head, shift float64, absolute bool, better int) *compare.Row {
		r := &compare.Row{Base: compare.Summary{Center: base}, Head: compare.Summary{Center: head}, Better: better}
		r.Shift = stat.Shift{Center: shift, Absolute: absolute}
		return r
	}
	for _, tt := range []struct {
		row  *compare.Row
		want string
	}{
		{row(100, 131, 0.3, false, -1), "+30%"},
		{row(100, 80, -0.2, false, +1), "+25%"},
		{row(4, 6, 2, true, -1), "+50%"},
		{row(4, 6, math.NaN(), false, -1), "+50%"},
		{row(0, 12, 12, true, -1), "+12"},
		{row(12, 0, -12, true, +1), "+12"},
	} {
		got := SizeOf(tt.row)
		if got.String() != tt.want {
			t.Errorf("%+v: %s, want %s", tt.row.Shift, got, tt.want)
		}
		if again, err := ParseSize(got.String()); err != nil || again.String() != tt.want {
			t.Errorf("%s is read as %s, %v", got, again, err)
		}
	}
	for _, bad := range []string{"", "x", "-3%", "+-3", "NaN", "inf%", "1e400"} {
		if s, err := ParseSize(bad); err == nil {
			t.Errorf("%q is read as %s", bad, s)
		}
	}
}

// An acceptance also covers a change that exceeds it by no more than the threshold, as a ratio.
func TestSizeWithin(t *testing.T) {
	for _, tt := range []struct {
		size, most string
		want       bool
	}{
		{"+30%", "+30%", true}, {"+36.4%", "+30%", true}, {"+36.6%", "+30%", false}, {"+1%", "+30%", true},
		{"+12", "+12", true}, {"+12.6", "+12", true}, {"+13", "+12", false}, {"+12", "+1200%", false}, {"+5%", "+12", false},
	} {
		s, _ := ParseSize(tt.size)
		most, _ := ParseSize(tt.most)
		if got := s.Within(most, 0.05); got != tt.want {
			t.Errorf("%s within %s: %v", tt.size, tt.most, got)
		}
	}
}
