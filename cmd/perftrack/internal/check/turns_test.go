package check

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
)

// One round each in turn, in the order of joining, until each has left.
func TestTurns(t *testing.T) {
	var turns turns
	var order strings.Builder // only the one whose turn it is writes: the race detector looks
	var ended sync.WaitGroup
	for i, rounds := range []int{3, 1, 4} {
		turn := turns.join()
		ended.Go(func() {
			<-turn
			defer turns.leave()
			for range rounds {
				order.WriteByte("abc"[i])
				turns.pass()
			}
		})
	}
	turns.leave()
	ended.Wait()
	if got, want := order.String(), "abcacacc"; got != want {
		t.Errorf("rounds %s, want %s", got, want)
	}
	if len(turns.waiting) > 0 {
		t.Errorf("%d wait for ever", len(turns.waiting))
	}
}

// There is time for all of a round or for none of it, however long it takes to ask; and
// for one that is needed as soon as a short one would fit.
func TestTimeForARound(t *testing.T) {
	const target = "bench"
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
		c := &course{
			check:  &check{session: &workspace.Session{Now: tick}, deadline: start.Add(tt.left), short: map[string]bool{}},
			target: target, setup: time.Second, took: []time.Duration{4 * time.Second, 10 * time.Second, 4 * time.Second}, longest: 10 * time.Second,
		}
		c.check.short[target] = tt.short
		for i := range 100 {
			if got := c.wants(runner.Slot{Bench: "B"}); got != tt.want {
				t.Errorf("%+v: slot %d has time: %v", tt, i, got)
				break
			}
		}
	}
}
