package digest

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/runner/record"
)

// The steps depend on the comparison and come in a fixed order.
func TestSteps(t *testing.T) {
	gone := compare.OneSided{Target: "m", BenchmarkID: record.BenchmarkID{Name: "Gone"}}
	for _, tt := range []struct {
		name   string
		lines  []string
		change func(*compare.Comparison)
		steps  []Step
	}{
		{"nothing to say", []string{"A ns/op 1"}, nil, nil},
		{"regressed", []string{"A ns/op 1.5"}, nil, []Step{Explain, Accept}},
		{"regressed, failed and missing", []string{"A ns/op 1.5"}, func(c *compare.Comparison) {
			c.Failures = []compare.Failure{{Side: record.Head, Target: "m", Failure: record.Failure{Benchmark: "B", Reason: "x"}}}
			c.Missing = []compare.OneSided{gone}
		}, []Step{Explain, Accept, ReadFailures, CheckMissing}},
		{"a limit", []string{"A ns/op 1"}, func(c *compare.Comparison) {
			c.Tables[0].Rows[0].Limits = []compare.RowLimit{{Worse: true}}
		}, []Step{Accept}},
		{"interrupted", []string{"A ns/op 1"}, func(c *compare.Comparison) { c.Head.Runs[0].Status = record.Partial }, []Step{MeasureAgain}},
		{"nothing at all", nil, nil, []Step{ReadLog}},
		{"nothing to measure", nil, func(c *compare.Comparison) { c.Same = []compare.SameCode{{Target: "m", Benchmarks: 1}} }, nil},
	} {
		c := trial(t, 20, tt.lines...)
		if tt.change != nil {
			tt.change(c)
		}
		if d := Of(c, gates.Options{}); !slices.Equal(d.Steps, tt.steps) {
			t.Errorf("%s: %v, want %v", tt.name, d.Steps, tt.steps)
		}
	}
}

// A benchmark that misses several limits counts once, and an accepted one does not count at all.
func TestBeyond(t *testing.T) {
	c := trial(t, 20, "A ns/op 1", "A widgets 1", "B ns/op 1", "C ns/op 1")
	for r := range c.Rows() {
		r.Limits = []compare.RowLimit{{Worse: r.Name != "C"}}
	}
	accept := gates.Options{Accepted: func(r *compare.Row) bool { return r.Name == "B" }}
	if d := Of(c, accept); d.Beyond != 1 || d.Gate.Cause != gates.CauseWorse {
		t.Errorf("%d beyond a limit, %+v", d.Beyond, d.Gate)
	}
}
