package runner

import (
	"maps"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A continued trial keeps the methods chosen for it: slices with their parameters, and fresh
// processes with the reason for them, even for benchmarks that were measured only as part of their
// function.
func TestChosenMethods(t *testing.T) {
	chosen := ChosenMethods([]record.Method{
		{Package: "m", Name: "Cut", How: record.MethodSlices, N: 777, Slices: 20, Length: time.Millisecond, Clock: "wall", Estimator: "middle", Stopped: true, Calm: true, Sliced: 3},
		{Package: "m", Name: "GaveUp", How: record.MethodFresh, Why: "it printed", N: 777, Slices: 20, Estimator: "sum", Sliced: 3, Fresh: 1},
		{Package: "m", Name: "Late", How: record.MethodFresh, Why: "too short", OutOfTime: true},
		{Package: "m", Name: "Table", How: record.MethodFresh, Why: "not both sides"},
		{Package: "m", Name: "Table/cut", How: record.MethodSlices, N: 5, Slices: 50, Estimator: "middle"},
		{Package: "m", Name: "Strange", How: record.MethodSlices, N: 5, Slices: 50, Estimator: "sum"},
		{Package: "m", Name: "Few", How: record.MethodSlices, N: 5, Slices: 1, Estimator: "middle"},
		{Package: "m", Name: "None", How: record.MethodSlices},
		{How: record.MethodFresh, Why: "slices are turned off"}, // applies to a whole run; the continuation may have another setting
	})
	m := &measurement{Plan: Plan{Chosen: chosen}}
	got := map[string]slicing.Method{}
	for _, name := range []string{"Cut", "GaveUp", "Late", "Table/cut", "Table/new/1", "Cut/below", "Strange", "Few", "None", "Other"} {
		if w, ok := m.chosenBefore(program.Slot{Package: "m", Bench: name}); ok {
			got[name] = w
		}
	}
	want := map[string]slicing.Method{
		"Cut":         {N: 777, Slices: 20, Length: time.Millisecond, Stopped: true, Calm: true},
		"GaveUp":      {Why: "it printed"},
		"Table/cut":   {N: 5, Slices: 50},
		"Table/new/1": {Why: "not both sides"},
	}
	if !maps.Equal(got, want) {
		t.Errorf("the methods are %+v, want %+v", got, want)
	}
}

// Samples from fresh processes are shortened to fit the available time, but to no less than a third
// of benchtime.
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

// Benchmarks without a method share the time for a round, minus the time that the chosen methods
// take.
func TestPartOf(t *testing.T) {
	const benchtime = 90 * time.Millisecond // fresh processes take 240 ms
	sliced := slicing.Method{N: 1, Slices: 26, Length: time.Millisecond}
	decided := func(w slicing.Method) *entry { return &entry{method: &method{Method: w, chosen: true}} }
	open := &entry{method: &method{}}
	for _, tt := range []struct {
		round time.Duration
		open  []*entry
		want  time.Duration
	}{
		{0, []*entry{open}, 0},
		{time.Second, []*entry{open}, time.Second},
		{time.Second, []*entry{open, open}, 500 * time.Millisecond},
		{time.Second, []*entry{decided(slicing.Method{Why: "it printed"}), open, open}, 380 * time.Millisecond},
		{time.Second, []*entry{decided(sliced), {}, open}, 628 * time.Millisecond},
		{time.Second, []*entry{{method: &method{chosen: true, why: "it printed", brief: 45 * time.Millisecond}}, open}, 880 * time.Millisecond},
		{100 * time.Millisecond, []*entry{{}, open}, 1}, // no time is left, which is different from having no limit
	} {
		m := &measurement{open: tt.open}
		if got := m.partOf(tt.round, benchtime); got != tt.want {
			t.Errorf("of %v for %d: %v, not %v", tt.round, len(tt.open), got, tt.want)
		}
	}
}
