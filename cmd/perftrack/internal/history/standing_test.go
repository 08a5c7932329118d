package history

import (
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// The newest regression determines the state of a benchmark, so an old acceptance does not cover a
// later regression.
func TestNewStanding(t *testing.T) {
	accepted := steps.Step{Verdict: compare.Regressed, Accepted: true, To: 2}
	unresolved := steps.Step{Verdict: compare.Regressed, Unresolved: true, To: 3}
	gone := steps.Step{Verdict: compare.Regressed, To: 4}
	better := steps.Step{Verdict: compare.Improved, To: 1}
	for _, tt := range []struct {
		name       string
		steps      []steps.Step
		unresolved int
		accepted   bool
		value      float64
	}{
		{"nothing", nil, 0, false, 9},
		{"accepted", []steps.Step{accepted}, 0, true, 2},
		{"accepted, then better", []steps.Step{accepted, better}, 0, true, 1},
		{"accepted, then another", []steps.Step{accepted, unresolved}, 1, false, 3},
		{"accepted, then another that is gone", []steps.Step{accepted, gone, better}, 0, false, 1},
		{"gone, then accepted", []steps.Step{gone, better, accepted}, 0, true, 2},
		{"two", []steps.Step{unresolved, unresolved}, 2, false, 3},
	} {
		l := steps.UnitLine{Course: steps.Course{Runs: []steps.Point{{Value: 9}}, Steps: tt.steps}}
		s := NewStanding("t", record.BenchmarkID{}, l, 0.05)
		if len(s.Unresolved) != tt.unresolved || (s.Accepted != nil) != tt.accepted || s.Value != tt.value {
			t.Errorf("%s: %d unresolved, accepted %v, value %v", tt.name, len(s.Unresolved), s.Accepted != nil, s.Value)
		}
	}
	levels := steps.Course{Runs: make([]steps.Point, 4), Levels: []steps.Level{{First: 0, End: 4, Center: 7}}, Steps: []steps.Step{unresolved}}
	if s := NewStanding("t", record.BenchmarkID{}, steps.UnitLine{Course: levels}, 0.05); s.Value != 7 {
		t.Errorf("value %v of the newest level", s.Value)
	}
}
