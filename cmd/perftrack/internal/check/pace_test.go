package check

import (
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/program"
)

// A round begins with its first progress, linking or a measurement. The warm-up begins with its
// first process.
func TestPace(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var p pace
	for _, tt := range []struct {
		stage string
		round int
		at    time.Duration
		want  bool // whether a round begins
		began time.Duration
	}{
		{"build", 0, 1, false, -1}, {"measure", 0, 20, false, 20}, {"measure", 0, 30, false, 20},
		{"link", 1, 50, true, 50}, {"measure", 1, 60, false, 50}, {"measure", 2, 90, true, 90}, {"measure", 2, 95, false, 90},
	} {
		if got := p.progress(runner.Progress{Stage: tt.stage, Round: tt.round}, start.Add(tt.at), start); got != tt.want {
			t.Errorf("%s of round %d at %d: a round begins: %v", tt.stage, tt.round, tt.at, got)
		}
		if tt.began < 0 != p.began.IsZero() || tt.began >= 0 && !p.began.Equal(start.Add(tt.began)) {
			t.Errorf("%s of round %d at %d: began %v", tt.stage, tt.round, tt.at, p.began)
		}
	}
	if took := p.ended(start.Add(97)); took != 7 || p.setup != 50 || len(p.took) != 1 {
		t.Errorf("the round took %d, the setup %d", took, p.setup)
	}
}

func TestPaceNext(t *testing.T) {
	for _, tt := range []struct {
		took    []time.Duration
		planned time.Duration
		short   bool
		want    time.Duration
	}{
		{nil, 5, true, 5}, {nil, 0, true, 9}, {nil, 0, false, 9},
		{[]time.Duration{4, 10, 3}, 5, true, 4}, {[]time.Duration{4, 10}, 5, true, 10}, {[]time.Duration{4, 10, 3}, 5, false, 10},
	} {
		p := pace{warm: 9, took: tt.took}
		if got := p.next(tt.planned, tt.short); got != tt.want {
			t.Errorf("after %v, planned %d, short %v: the next takes %d, want %d", tt.took, tt.planned, tt.short, got, tt.want)
		}
	}
}

func TestLaps(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	slot := func(name string) program.Slot { return program.Slot{Bench: name} }
	var l laps
	for i, at := range []time.Duration{100, 130, 140, 190} {
		want := []time.Duration{0, 30, 10, 50}[i]
		if took := l.next(slot("ABCD"[i:i+1]), start.Add(at)); took != want {
			t.Errorf("the slot before %d took %d, want %d", i, took, want)
		}
	}
	if l.least != 10 || l.took[slot("A")] != 30 || l.took[slot("C")] != 50 || len(l.took) != 3 {
		t.Errorf("%+v", l)
	}
}
