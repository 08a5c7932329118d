package family

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare/stat"
)

// The largest growth in time is named first, in any order of the rows.
func TestLargestFirst(t *testing.T) {
	type change struct {
		name, unit string
		center     float64
	}
	all := []change{{"bytes", "B/op", 3}, {"small", "sec/op", 0.27}, {"a", "sec/op", 1.9580}, {"b", "sec/op", 1.9581}, {"rate", "tok/s", -4}}
	slices.SortStableFunc(all, func(x, y change) int {
		return largestFirst(x.unit, stat.Shift{Center: x.center}, y.unit, stat.Shift{Center: y.center})
	})
	var got []string
	for _, c := range all {
		got = append(got, c.name)
	}
	if want := []string{"a", "b", "small", "rate", "bytes"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
