package check

import (
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
)

// A round begins when it is linked, or with its first process if that was done in a round
// before: by that the budget is planned.
func TestRoundsBegin(t *testing.T) {
	now := time.Unix(0, 0)
	c := &course{check: &check{session: &workspace.Session{Now: func() time.Time { return now }}, began: now}}
	for _, p := range []struct {
		after time.Duration
		runner.Progress
		finished int // a round, after it
	}{
		{Progress: runner.Progress{Stage: "build"}},
		{after: 10, Progress: runner.Progress{Stage: "measure"}},
		{after: 5, Progress: runner.Progress{Stage: "measure"}},
		{after: 5, Progress: runner.Progress{Stage: "link", Round: 1}},
		{after: 3, Progress: runner.Progress{Stage: "measure", Round: 1}},
		{after: 2, Progress: runner.Progress{Stage: "measure", Round: 1}},
		{after: 2, finished: 1},
		{Progress: runner.Progress{Stage: "measure", Round: 2}},
		{after: 2, Progress: runner.Progress{Stage: "measure", Round: 2}},
		{after: 2, finished: 2},
	} {
		now = now.Add(p.after * time.Second)
		if p.finished == 0 {
			c.asked = true
			c.began(p.Progress)
			if begins := !c.asked; begins != (c.roundBegan.Equal(now) && p.Round > 0) {
				t.Errorf("%+v at %v: a round begins: %v", p.Progress, now.Sub(c.check.began), begins)
			}
		} else if err := c.finished(nil, p.finished); err != nil {
			t.Fatal(err)
		}
	}
	if c.setup != 20*time.Second || c.shortest != 4*time.Second || c.longest != 7*time.Second {
		t.Errorf("setup %v, rounds of %v to %v; want 20s, 4s to 7s", c.setup, c.shortest, c.longest)
	}
}
