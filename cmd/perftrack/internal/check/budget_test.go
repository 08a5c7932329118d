package check

import (
	"testing"
	"time"
)

// A check without --budget gets the usual time for its benchmarks, counted from the end of the
// builds; an explicit budget stays as it is.
func TestGrant(t *testing.T) {
	built := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		benchmarks []int // in each target
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
			c.targetChecks = append(c.targetChecks, &targetCheck{benchmarks: n})
		}
		if c.grant(); c.opt.Budget != tt.want || !c.deadline.Equal(built.Add(tt.want)) {
			t.Errorf("%v benchmarks, usual %v: %v, until %v", tt.benchmarks, tt.usual, c.opt.Budget, c.deadline.Sub(built))
		}
	}
}
