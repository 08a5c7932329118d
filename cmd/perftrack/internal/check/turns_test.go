package check

import (
	"iter"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/program"
)

// Targets take turns of one round each, in order, until each has ended. A target past its first
// useful look lets the others go ahead.
func TestTurns(t *testing.T) {
	for _, tt := range []struct {
		rounds [3]int
		enough [3]int // rounds until a target is past its look; 0 for its end
		want   string
	}{
		{[3]int{3, 1, 4}, [3]int{}, "abcacacc"},
		{[3]int{3, 1, 4}, [3]int{1, 0, 3}, "abcccaca"},
		{[3]int{3, 3, 3}, [3]int{1, 2, 2}, "abcbcabca"}, // the first two wait for the third
		{[3]int{0, 2, 0}, [3]int{}, "bb"},
	} {
		order := ""
		var turns []turn
		for i := range tt.rounds {
			c := &targetCheck{short: true}
			next, stop := iter.Pull(func(yield func(struct{}) bool) {
				for n := 1; n <= tt.rounds[i]; n++ {
					order += "abc"[i : i+1]
					if n == tt.enough[i] {
						c.short = false
					}
					if !yield(struct{}{}) {
						t.Error("it was ended")
					}
				}
				c.over()
			})
			defer stop()
			turns = append(turns, turn{c, next})
		}
		takeTurns(turns)
		if order != tt.want {
			t.Errorf("rounds %v, enough after %v: order %s, want %s", tt.rounds, tt.enough, order, tt.want)
		}
	}
}

// A round is measured for all slots or for none, even if deciding takes long. Before the first
// useful look, a round of median length must fit, and later the longest one.
func TestTimeForARound(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		short bool
		left  time.Duration // of the budget
		want  bool
	}{
		{false, 9 * time.Second, false}, {false, 11 * time.Second, true},
		{true, 3 * time.Second, false}, {true, 5 * time.Second, true},
	} {
		now := start
		tick := func() time.Time { now = now.Add(tt.left / 20); return now }
		c := &targetCheck{
			check: &check{session: &workspace.Session{Now: tick}, clock: clock{deadline: start.Add(tt.left)}},
			short: tt.short, pace: pace{setup: time.Second, took: []time.Duration{4 * time.Second, 10 * time.Second, 4 * time.Second}},
		}
		for i := range 100 {
			if got := c.wants(program.Slot{Bench: "B"}); got != tt.want {
				t.Errorf("%+v: slot %d has time: %v", tt, i, got)
				break
			}
		}
	}
}
