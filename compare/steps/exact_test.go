package steps

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// A history requires as many rounds for a difference in counts as a check of the same two commits.
// It must not call a change regressed if the check calls it not checked.
func TestCountsAreBelievedAsInACheck(t *testing.T) {
	point := func(sha, unit string, value float64, samples int, exact bool) record.HistoryPoint {
		run := record.RunInfo{Run: record.Run{Commit: record.Commit{SHA: sha}, Status: record.Complete}, ID: sha}
		run.Units = []record.Unit{{Name: unit, Better: -1, Exact: exact}}
		b := record.Benchmark{Samples: []record.Samples{{Unit: unit, Values: slices.Repeat([]float64{value}, samples)}}}
		run.Benchmarks = 1
		return record.HistoryPoint{Run: &run, Benchmark: b}
	}
	for _, tt := range []struct {
		unit    string
		exact   bool
		samples int
		want    string
	}{
		{"allocs/op", false, 5, "outlier b open"},
		{"allocs/op", false, 6, "outlier b open"},
		{"allocs/op", false, 7, "regressed a..b unresolved"},
		{"B/op", false, 5, "outlier b open"},
		{"B/op", false, 7, "regressed a..b unresolved"},
		{"B/op", true, 1, "regressed a..b unresolved"},
		{"size-bytes", true, 1, "regressed a..b unresolved"},
	} {
		lines := UnitLines(UnitsOf([]record.HistoryPoint{point("a", tt.unit, 2, tt.samples, tt.exact), point("b", tt.unit, 64, tt.samples, tt.exact)}), Options{})
		if got := shown(lines[0].Course); got != tt.want {
			t.Errorf("%d samples of %s: %q, want %q", tt.samples, tt.unit, got, tt.want)
		}
		if enough := tt.want[0] == 'r'; lines[0].Enough != enough {
			t.Errorf("%d samples of %s: enough is %v", tt.samples, tt.unit, lines[0].Enough)
		}
	}
}

// If the newest runs differ from their level but are too few to form a new one, the absence of a
// step proves nothing.
func TestNewestCountOffItsLevel(t *testing.T) {
	counted := Options{Unit: "allocs/op", Better: -1, Exact: true, Repeats: 10}
	for _, tt := range []struct {
		values []float64
		enough bool
	}{{[]float64{2, 2, 2, 2}, true}, {[]float64{2, 2, 2, 2, 3}, false}, {[]float64{2, 2, 3, 2, 2}, true}} {
		if got := course(counted, tt.values...).Enough; got != tt.enough {
			t.Errorf("%v: enough is %v", tt.values, got)
		}
	}
}
