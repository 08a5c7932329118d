package runner

import (
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// Later trials adopt slices. They also adopt reasons against slices if the benchmark caused them.
func TestRemember(t *testing.T) {
	sliced := record.Method{Package: "m", Name: "A", How: record.MethodSlices, N: 100, Slices: 50, Length: time.Millisecond, Estimator: "middle"}
	fresh := record.Method{Package: "m", Name: "A", How: record.MethodFresh, Why: "it printed"}
	for _, tt := range []struct {
		name   string
		method func(sliced, fresh record.Method) record.Method
		want   bool
	}{
		{"slices", func(s, _ record.Method) record.Method { return s }, true},
		{"slices that were remembered", func(s, _ record.Method) record.Method { s.Remembered = 19; return s }, true},
		{"slices of long ago", func(s, _ record.Method) record.Method { s.Remembered = 20; return s }, false},
		{"slices of an older version", func(s, _ record.Method) record.Method { s.Estimator = "quiet"; return s }, false},
		{"slices given up", func(s, _ record.Method) record.Method { s.How, s.Why = record.MethodFresh, "it failed"; return s }, false},
		{"a reason", func(_, f record.Method) record.Method { return f }, true},
		{"a reason remembered once", func(_, f record.Method) record.Method { f.Remembered = 1; return f }, false},
		{"want of time", func(_, f record.Method) record.Method { f.OutOfTime = true; return f }, false},
		{"what Choose never returns", func(s, _ record.Method) record.Method { s.Slices = 1; return s }, false},
		{"the whole run", func(_, f record.Method) record.Method { f.Name = ""; return f }, false},
	} {
		if _, ok := Remember(tt.method(sliced, fresh)); ok != tt.want {
			t.Errorf("%s: remembered %v, want %v", tt.name, ok, tt.want)
		}
	}
}

// A remembered method is adopted if its slices still have about the same length. One side may have
// changed, but not both, and not by much.
func TestRecall(t *testing.T) {
	const benchtime = 100 * time.Millisecond
	known := slicing.Method{N: 1000, Slices: 50, Length: time.Millisecond} // 1 µs per operation
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
		e := &entry{Slot: program.Slot{Package: "m", Bench: "A"}, method: &method{}}
		e.method.long = [2]*benchfmt.Result{long(tt.base), long(tt.head)}
		m := &measurement{Plan: Plan{Chosen: map[program.Slot]slicing.Method{}, Remembered: map[program.Slot]Remembered{e.Named(): {known, 3}}}}
		if got := m.recall(e, tt.round, benchtime); got != tt.want || got != (e.recorded().Remembered == 4) || got != (m.Chosen[e.Named()] == known) {
			t.Errorf("%g and %g ns: taken over %v as %+v", tt.base, tt.head, got, e.recorded())
		}
	}
	dear := known
	dear.Slices, dear.Length, dear.N = 100, 5*time.Millisecond, 5000
	e := &entry{Slot: program.Slot{Package: "m", Bench: "A"}, method: &method{}}
	e.method.long = [2]*benchfmt.Result{long(1000), long(1000)}
	m := &measurement{Plan: Plan{Remembered: map[program.Slot]Remembered{e.Named(): {dear, 0}}}}
	if m.recall(e, 400*time.Millisecond, benchtime) {
		t.Errorf("a method is taken over that takes %v a round", dear.Takes(benchtime))
	}
	if !m.recall(e, time.Second, benchtime) {
		t.Errorf("a method of %v a round is not taken over where there is a second", dear.Takes(benchtime))
	}
	if m.recall(&entry{Slot: program.Slot{Package: "m", Bench: "New"}, method: &method{}}, 0, benchtime) {
		t.Error("a new benchmark has a remembered method")
	}
}
