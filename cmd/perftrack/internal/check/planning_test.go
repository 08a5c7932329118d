package check

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
)

// If a check of 57 benchmarks has time for only a few, the others get no rounds until these are
// decided. If rounds then take twice as long, fewer benchmarks get further rounds.
func TestPlanning(t *testing.T) {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	now, said := begin, []string{}
	s := &workspace.Session{Now: func() time.Time { return now }, Notice: func(text string) { said = append(said, text) }, Milestone: func(text string) { said = append(said, text) }}
	first := stat.Options{Alpha: 0.01}.FirstLook
	var all []runner.Warm
	for i := range 57 {
		slot := program.Slot{Package: "m", Bench: fmt.Sprintf("B%02d", i)}
		all = append(all, runner.Warm{Slot: slot, Asked: []program.Slot{slot}, Times: [2]float64{100, 100}, Chosen: true})
	}
	all[40].Times[1], all[20].Times[1], all[7].Times[1] = 900, 50, math.NaN()
	slots := func(c *targetCheck) (wanted []string) {
		for _, w := range all {
			if c.wants(w.Slot) {
				wanted = append(wanted, w.Bench)
			}
		}
		return wanted
	}
	start := func(budget time.Duration, out runner.Outcome) *targetCheck {
		now, said = begin.Add(time.Minute), nil
		k := &check{session: s, opt: Options{Budget: budget}, clock: clock{began: begin, deadline: begin.Add(budget)}, targets: []config.Target{{Name: "a"}}, trial: trial{share: 1}}
		k.terms = comparison.Terms{Alpha: 0.01, Families: 1}
		c := &targetCheck{check: k, target: config.Target{Name: "a"}, pace: pace{began: begin}}
		c.near(out)
		at := now
		for i, w := range all {
			now = at.Add(time.Duration(float64(i-len(all)) / roundPart * float64(time.Second))) // a round takes a second
			c.warming(w.Slot, i, len(all))
		}
		now = at
		c.warmed(all)
		return c
	}

	c := start(time.Hour, runner.Outcome{})
	if got := slots(c); len(got) != 57 || len(said) > 0 {
		t.Errorf("with time for all %d are measured, and it says %q", len(got), said)
	}

	// The budget is enough for the rounds of three benchmarks.
	budget := time.Minute + time.Duration(first(3)*3)*time.Second*10/9 + time.Second
	c = start(budget, runner.Outcome{Reached: []runner.Reached{{Slot: program.Slot{Package: "m", Bench: "B33"}, Path: []string{"BenchmarkB33", "f"}}}})
	if got := slots(c); !slices.Equal(got, []string{"B20", "B33", "B40"}) {
		t.Errorf("measured are %v", got)
	}
	if len(said) != 1 || !strings.Contains(said[0], "is enough to decide about 3 of 57 benchmarks, so only these are measured; about ") {
		t.Errorf("it says %q", said)
	}
	if len(c.plan.left) != 54 {
		t.Errorf("%d are left out", len(c.plan.left))
	}

	// While only two of the three are decided, no other benchmark gets rounds. Once all three are
	// decided, the others get rounds, because there is much time left.
	c.agenda.open = map[string]bool{"m.B20": false, "m.B33": true, "m.B40": false}
	c.resume(10)
	if got := slots(c); !slices.Equal(got, []string{"B33"}) {
		t.Errorf("with one open, measured are %v", got)
	}
	c.agenda.open["m.B33"] = false
	c.agenda.looked, c.end.asked = true, false
	c.check.deadline = now.Add(time.Hour)
	c.resume(10)
	if got := slots(c); len(got) != 54 || slices.Contains(got, "B20") || len(c.plan.left) != 0 {
		t.Errorf("with an hour more, %d are measured and %d left out", len(got), len(c.plan.left))
	}

	// At half the pace, the last benchmarks in the order are dropped, but not an edited one.
	c = start(budget, runner.Outcome{Shared: []runner.Shared{{Slot: program.Slot{Package: "m", Bench: "B55"}}}})
	c.pace.took = []time.Duration{4 * time.Second, 6 * time.Second}
	now = now.Add(10 * time.Second)
	c.correct()
	if got := slots(c); !slices.Contains(got, "B55") || len(got) == 0 || len(got) >= 3 {
		t.Errorf("at half the pace measured are %v", got)
	}
	if len(c.plan.left) != 54 {
		t.Errorf("who has rounds is left out: %d", len(c.plan.left))
	}

	// When the machine becomes busy after five rounds, some benchmarks are dropped while there is
	// still enough time for the others.
	c = start(time.Minute+time.Duration(first(30)*30)*time.Second*10/9+time.Second, runner.Outcome{})
	planned := len(c.plan.measured)
	for round := range c.plan.look - 1 {
		took := time.Duration(planned) * time.Second
		if round >= 5 {
			took = 2 * time.Duration(len(c.plan.measured)) * time.Second
		}
		c.pace.took = append(c.pace.took, took)
		now = now.Add(took)
		c.correct()
	}
	if n := len(c.plan.measured); planned < 29 || n == planned || n < planned/3 {
		t.Errorf("of %d benchmarks %d are measured on a machine that became busy", planned, n)
	}
	if now.Add(2 * time.Duration(len(c.plan.measured)) * time.Second).After(c.check.deadline) {
		t.Error("there is no time for the round of the look")
	}
}
