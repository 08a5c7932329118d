package check

import (
	"testing"
	"time"
)

// A check that nobody gave a budget measures for as long as its benchmarks need usually, from the moment when
// all is built; one that was given a budget keeps it.
func TestGrant(t *testing.T) {
	built := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		benchmarks []int // of the targets
		usual      bool
		want       time.Duration
	}{
		{nil, true, 2 * time.Minute},
		{[]int{0}, true, 2 * time.Minute},
		{[]int{10}, true, 2 * time.Minute},
		{[]int{11}, true, 132 * time.Second},
		{[]int{20, 9}, true, 348 * time.Second},
		{[]int{200}, true, 15 * time.Minute},
		{[]int{200}, false, time.Hour},
	} {
		c := check{opt: Options{Budget: time.Hour, UsualBudget: tt.usual}, clock: clock{deadline: built.Add(time.Hour), measures: built}}
		for _, n := range tt.benchmarks {
			c.courses = append(c.courses, &course{benchmarks: n})
		}
		if c.grant(); c.opt.Budget != tt.want || !c.deadline.Equal(built.Add(tt.want)) {
			t.Errorf("%v benchmarks, usual %v: %v, until %v", tt.benchmarks, tt.usual, c.opt.Budget, c.deadline.Sub(built))
		}
	}
}
