package check

import (
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// A row belongs to every slot in which its benchmark may have been measured, and to no other.
func TestSlotsOf(t *testing.T) {
	got := slotsOf("work", "example.com/m", "Parse/a/b", nil)
	for _, s := range []program.Slot{
		{Package: "example.com/m", Bench: "Parse/a/b"}, // in slices
		{Package: "example.com/m", Bench: "Parse"},     // a function
		{Bench: "Parse"},  // a function of the engine
		{Package: "work"}, // a program
	} {
		if !slices.Contains(got, s.String()) {
			t.Errorf("a row of %s may be of the slots %q, but not of %s", "Parse/a/b", got, s)
		}
	}
	if slices.Contains(got, program.Slot{Package: "example.com/m", Bench: "Parse/a"}.String()) {
		t.Errorf("a row may be of the slots %q", got)
	}
}

// If names include GOMAXPROCS, a row belongs only to its own slot, but an ambiguous name belongs to
// both possible slots.
func TestSlotsOfProcs(t *testing.T) {
	procs := config.Procs{1, 4}
	for _, tt := range []struct {
		name  string
		of    []int // GOMAXPROCS of the functions' slots that the name may belong to
		never int
	}{
		{"Parse-4", []int{4}, 1},
		{"Parse", []int{1}, 4},
		{"Parse/a", []int{1}, 4},
		{"Parse/a-8", []int{1}, 8},    // 8 is not in the list
		{"Parse/a-4", []int{1, 4}, 0}, // a at 4, or a-4 at 1
	} {
		got := slotsOf("work", "m", tt.name, procs)
		has := func(n int) bool {
			return slices.Contains(got, program.Slot{Package: "m", Bench: "Parse", Procs: n}.String())
		}
		for _, n := range tt.of {
			if !has(n) {
				t.Errorf("%s may be of the slots %q, but not of the function at %d", tt.name, got, n)
			}
		}
		if tt.never > 0 && has(tt.never) {
			t.Errorf("%s may be of the slots %q, of the function at %d, too", tt.name, got, tt.never)
		}
	}
}

// A run covers a shorter list of GOMAXPROCS, not a longer one.
func TestCovers(t *testing.T) {
	for _, tt := range []struct {
		had  string
		asks config.Procs
		want bool
	}{
		{"", nil, true}, {"1,2", nil, true}, {"1,2", config.Procs{1, 2}, true}, {"1,2,4", config.Procs{1, 4}, true},
		{"1,2", config.Procs{1, 2, 4}, false}, {"", config.Procs{1}, false}, {"evil", config.Procs{1}, false},
	} {
		r := &record.Run{}
		if tt.had != "" {
			r.Set(record.KeyProcs, tt.had)
		}
		if got := covers(r, tt.asks); got != tt.want {
			t.Errorf("a run at %q covers %v: %v", tt.had, tt.asks, got)
		}
	}
}

// Choosing methods may take a third of each target's part of the budget. The rest is for twenty
// rounds of all open slots, and a choice must leave enough time for one of them.
func TestChoosing(t *testing.T) {
	begin := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tt := range []struct {
		budget, after time.Duration
		late          time.Duration // how much earlier the check began
		round, choice time.Duration
		want          bool
	}{
		{0, 10 * time.Hour, 0, 0, 0, true},
		{time.Minute, 0, 0, time.Second, 52 * time.Second, true},
		{time.Minute, 9 * time.Second, 0, time.Second, 43 * time.Second, true},
		{time.Minute, 10 * time.Second, 0, time.Second, 42 * time.Second, false},
		{time.Minute, 5 * time.Second, 45 * time.Second, time.Second, 2 * time.Second, true},
		{time.Minute, 8 * time.Second, 45 * time.Second, time.Second, -time.Second, false},
		{10 * time.Minute, time.Minute, 0, 10 * time.Second, 532 * time.Second, true},
	} {
		now := begin
		check := &check{session: &workspace.Session{Now: func() time.Time { return now }}, opt: Options{Budget: tt.budget}, targets: []config.Target{{Name: "a"}, {Name: "b"}}}
		check.deadline = begin.Add(tt.budget - tt.late)
		c := &targetCheck{check: check, pace: pace{warm: 8 * time.Second}}
		if _, ok := c.choosing(); !ok {
			t.Errorf("with %v there is no time for a first one", tt.budget)
		}
		now = begin.Add(tt.after)
		got, ok := c.choosing()
		if ok != tt.want || got.Round.Round(time.Microsecond) != tt.round || got.Choice != tt.choice {
			t.Errorf("with %v there is time for another after %v: %v, and %v", tt.budget, tt.after, ok, got)
		}
	}
}

// A benchmark whose name changes from process to process gets rounds until a look does not find it.
// A failed benchmark, or one of an unknown function, gets further rounds.
func TestWants(t *testing.T) {
	known := map[string]bool{"m.Work": true, "m.Work/open": true, "m.Work/decided": false}
	for _, tt := range []struct {
		bench  string
		open   map[string]bool
		looked bool
		want   bool
	}{
		{"Work/open", known, true, true},
		{"Work/decided", known, true, false},
		{"Work/123", nil, false, true},
		{"Work/123", known, false, true}, // gets rounds until the first look
		{"Work/123", known, true, false},
		{"Work/failed", known, true, true},
		{"Other/123", known, true, true}, // no benchmark of the function was found
		{"Other", known, true, true},
	} {
		c := &targetCheck{check: &check{}, agenda: agenda{open: tt.open, looked: tt.looked, failed: map[string]bool{"m.Work/failed": true}}}
		if decided := tt.open != nil && tt.bench == "Work/decided"; c.agenda.warms(program.Slot{Package: "m", Bench: tt.bench}) == decided {
			t.Errorf("%s is warmed up: %v", tt.bench, !decided)
		}
		for range 2 {
			if got := c.wants(program.Slot{Package: "m", Bench: tt.bench}); got != tt.want {
				t.Errorf("a look: %v: a round of %s is wanted: %v, want %v", tt.looked, tt.bench, got, tt.want)
			}
		}
		if seldom := !tt.want && tt.bench == "Work/123"; seldom != (len(c.agenda.seldom) == 1) {
			t.Errorf("a look: %v: %s: said to be seldom: %q", tt.looked, tt.bench, c.agenda.seldom)
		}
	}
}
