package steps

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A run that has only a summary is a point like any other: its center is the run's one value. Its
// companion units have no lines.
func TestSummariesArePoints(t *testing.T) {
	var points []record.HistoryPoint
	for i := range 20 {
		ns := 100 + float64(i*7%5)/10
		if i >= 10 {
			ns *= 1.5
		}
		r := runtest.Read(t, fmt.Sprintf("X 1 %v ns/op 3 sd-ns/op 95 low-ns/op 200 high-ns/op %d summary-n\n", ns, i))
		sha := fmt.Sprintf("%040d", i)
		r.Status, r.Commit.SHA = record.Complete, sha
		points = append(points, record.HistoryPoint{Run: &record.RunInfo{Run: *r, ID: sha, EnvironmentID: "e", Benchmarks: 1}, Benchmark: r.Benchmarks[0]})
	}
	lines := UnitLines(UnitsOf(points), Options{Threshold: 0.05})
	if len(lines) != 1 || lines[0].Unit != "ns/op" || len(lines[0].Runs) != 20 {
		t.Fatalf("%d lines: %+v", len(lines), lines)
	}
	if s := lines[0].Steps; len(s) != 1 || s[0].First.Run != points[10].Run.ID || s[0].Verdict != "regressed" {
		t.Errorf("steps %+v", s)
	}
}
