package runner

import (
	"maps"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A trial goes on with what was chosen for it: slices with their numbers, fresh processes with their
// reason, also of benchmarks that had them only as part of their function.
func TestChosenWays(t *testing.T) {
	chosen := ChosenWays([]record.Way{
		{Package: "m", Name: "Cut", How: record.WaySlices, N: 777, Slices: 20, Length: time.Millisecond, Clock: "wall", Estimator: "middle", Stopped: true, Calm: true, Sliced: 3},
		{Package: "m", Name: "GaveUp", How: record.WayFresh, Why: "it printed", N: 777, Slices: 20, Estimator: "sum", Sliced: 3, Fresh: 1},
		{Package: "m", Name: "Late", How: record.WayFresh, Why: "no more of the budget was left " + slicing.OutOfTime},
		{Package: "m", Name: "Table", How: record.WayFresh, Why: "not both sides"},
		{Package: "m", Name: "Table/cut", How: record.WaySlices, N: 5, Slices: 50, Estimator: "middle"},
		{Package: "m", Name: "Strange", How: record.WaySlices, N: 5, Slices: 50, Estimator: "sum"},
		{Package: "m", Name: "Few", How: record.WaySlices, N: 5, Slices: 1, Estimator: "middle"},
		{Package: "m", Name: "None", How: record.WaySlices},
		{How: record.WayFresh, Why: "that was asked for"}, // of the whole run: this one is asked for something else
	})
	m := &measurement{Plan: Plan{Chosen: chosen}}
	got := map[string]slicing.Way{}
	for _, name := range []string{"Cut", "GaveUp", "Late", "Table/cut", "Table/new/1", "Cut/below", "Strange", "Few", "None", "Other"} {
		if w, ok := m.chosenBefore(Slot{Package: "m", Bench: name}); ok {
			got[name] = w
		}
	}
	want := map[string]slicing.Way{
		"Cut":         {N: 777, Slices: 20, Length: time.Millisecond, Stopped: true, Calm: true},
		"GaveUp":      {Why: "it printed"},
		"Table/cut":   {N: 5, Slices: 50},
		"Table/new/1": {Why: "not both sides"},
	}
	if !maps.Equal(got, want) {
		t.Errorf("the ways are %+v, want %+v", got, want)
	}
}

// Samples of fresh processes are as short as there is time for, but no shorter than a third of benchtime.
func TestBriefly(t *testing.T) {
	const benchtime = 90 * time.Millisecond // a round takes 240 ms
	for round, want := range map[time.Duration]time.Duration{
		0: 0, time.Second: 0, 240 * time.Millisecond: 0, 120 * time.Millisecond: 45 * time.Millisecond, time.Millisecond: 30 * time.Millisecond,
	} {
		if got := briefly(round, benchtime); got != want {
			t.Errorf("a round of %v: samples of %v, not %v", round, got, want)
		}
	}
}

// What a round may take is for those of which it is not decided yet, less what the others take.
func TestPartOf(t *testing.T) {
	const benchtime = 90 * time.Millisecond // fresh processes take 240 ms
	sliced := slicing.Way{N: 1, Slices: 26, Length: time.Millisecond}
	decided := func(w slicing.Way) *entry { return &entry{way: &way{Way: w, chosen: true}} }
	open := &entry{way: &way{}}
	for _, tt := range []struct {
		round time.Duration
		open  []*entry
		want  time.Duration
	}{
		{0, []*entry{open}, 0},
		{time.Second, []*entry{open}, time.Second},
		{time.Second, []*entry{open, open}, 500 * time.Millisecond},
		{time.Second, []*entry{decided(slicing.Way{Why: "it printed"}), open, open}, 380 * time.Millisecond},
		{time.Second, []*entry{decided(sliced), {}, open}, 628 * time.Millisecond},
		{time.Second, []*entry{{way: &way{chosen: true, why: "it printed", brief: 45 * time.Millisecond}}, open}, 880 * time.Millisecond},
		{100 * time.Millisecond, []*entry{{}, open}, 1}, // nothing is left, which is not no limit
	} {
		m := &measurement{open: tt.open}
		if got := m.partOf(tt.round, benchtime); got != tt.want {
			t.Errorf("of %v for %d: %v, not %v", tt.round, len(tt.open), got, tt.want)
		}
	}
}
