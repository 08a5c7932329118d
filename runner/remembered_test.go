package runner

import (
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// Other trials take over slices, and reasons against them that are of the benchmark.
func TestRemember(t *testing.T) {
	sliced := record.Way{Package: "m", Name: "A", How: record.WaySlices, N: 100, Slices: 50, Length: time.Millisecond, Estimator: "middle"}
	fresh := record.Way{Package: "m", Name: "A", How: record.WayFresh, Why: "it printed"}
	for _, tt := range []struct {
		name string
		way  func(sliced, fresh record.Way) record.Way
		want bool
	}{
		{"slices", func(s, _ record.Way) record.Way { return s }, true},
		{"slices that were remembered", func(s, _ record.Way) record.Way { s.Remembered = 19; return s }, true},
		{"slices of long ago", func(s, _ record.Way) record.Way { s.Remembered = 20; return s }, false},
		{"slices of an older version", func(s, _ record.Way) record.Way { s.Estimator = "quiet"; return s }, false},
		{"slices given up", func(s, _ record.Way) record.Way { s.How, s.Why = record.WayFresh, "it failed"; return s }, false},
		{"a reason", func(_, f record.Way) record.Way { return f }, true},
		{"a reason remembered once", func(_, f record.Way) record.Way { f.Remembered = 1; return f }, false},
		{"want of time", func(_, f record.Way) record.Way { f.Why = "10s were not enough " + slicing.OutOfTime; return f }, false},
		{"what Choose never returns", func(s, _ record.Way) record.Way { s.Slices = 1; return s }, false},
		{"the whole run", func(_, f record.Way) record.Way { f.Name = ""; return f }, false},
	} {
		if _, ok := Remember(tt.way(sliced, fresh)); ok != tt.want {
			t.Errorf("%s: remembered %v, want %v", tt.name, ok, tt.want)
		}
	}
}

// A remembered way is taken over as long as a slice has about its length: one side may have changed, both
// not, and neither by much.
func TestRecall(t *testing.T) {
	const benchtime = 100 * time.Millisecond
	known := slicing.Way{N: 1000, Slices: 50, Length: time.Millisecond} // 1 µs an operation
	long := func(perOp float64) *benchfmt.Result {
		return &benchfmt.Result{Values: []benchfmt.Value{{Value: perOp * 1e-9, Unit: "sec/op", OrigValue: perOp, OrigUnit: "ns/op"}}}
	}
	for _, tt := range []struct {
		base, head float64 // ns
		round      time.Duration
		want       bool
	}{
		{1000, 1000, 0, true}, {700, 1450, 0, true}, {1000, 3900, 0, true}, {1000, 300, 0, true},
		{1600, 1600, 0, false}, {600, 600, 0, false}, {1000, 4100, 0, false}, {0, 1000, 0, false},
		{1000, 1000, time.Millisecond, true}, // no more than fresh processes take
	} {
		e := &entry{Slot: Slot{Package: "m", Bench: "A"}, way: &way{}}
		e.way.long = [2]*benchfmt.Result{long(tt.base), long(tt.head)}
		m := &measurement{Plan: Plan{Chosen: map[Slot]slicing.Way{}, Remembered: map[Slot]Remembered{e.named(): {known, 3}}}}
		if got := m.recall(e, tt.round, benchtime); got != tt.want || got != (e.recorded().Remembered == 4) || got != (m.Chosen[e.named()] == known) {
			t.Errorf("%g and %g ns: taken over %v as %+v", tt.base, tt.head, got, e.recorded())
		}
	}
	dear := known
	dear.Slices, dear.Length, dear.N = 100, 5*time.Millisecond, 5000
	e := &entry{Slot: Slot{Package: "m", Bench: "A"}, way: &way{}}
	e.way.long = [2]*benchfmt.Result{long(1000), long(1000)}
	m := &measurement{Plan: Plan{Remembered: map[Slot]Remembered{e.named(): {dear, 0}}}}
	if m.recall(e, 400*time.Millisecond, benchtime) {
		t.Errorf("a way is taken over that takes %v a round", dear.Takes(benchtime))
	}
	if !m.recall(e, time.Second, benchtime) {
		t.Errorf("a way of %v a round is not taken over where there is a second", dear.Takes(benchtime))
	}
	if m.recall(&entry{Slot: Slot{Package: "m", Bench: "New"}, way: &way{}}, 0, benchtime) {
		t.Error("a new benchmark has a remembered way")
	}
}
