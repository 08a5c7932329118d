package history

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// historyOfLimits returns the history of a benchmark crossing its limits. It includes a commit with
// two conflicting runs, and a run with too few samples.
func historyOfLimits(t testing.TB) reports.Report {
	var limits compare.Limits
	for _, text := range []string{"<= 1.3 us", ">= 9 GFLOPS", "<= 0 allocs/op", "< 1 MB/tok"} {
		l, err := limit.Parse("MatMul_*", text)
		if err != nil {
			t.Fatal(err)
		}
		limits.List = append(limits.List, l)
	}
	points := historyPoints(t)[:7]
	for i := range points {
		points[i].Run.Status, points[i].Run.Benchmarks = record.Complete, 1
	}
	few := runtest.Read(t, runtest.Vary(4, "X", 1, 1190.0, "ns/op"))
	points[1].Benchmark = few.Benchmarks[0]
	points[4].Run.Commit.SHA = points[2].Run.Commit.SHA
	return Report(steps.AnchorCommit{}, steps.Series{
		Target: "engine", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "MatMul_64x64"}, Points: points, Limits: limits,
	})
}

func TestScopesHaveNoLimits(t *testing.T) {
	l, err := limit.Parse("*", "<= 1 ns")
	if err != nil {
		t.Fatal(err)
	}
	r := Report(steps.AnchorCommit{}, steps.Series{
		BenchmarkID: record.BenchmarkID{Kind: record.Scope, Name: "X"}, Points: historyPoints(t), Limits: compare.Limits{List: limit.List{l}},
	})
	for _, n := range r.Remarks {
		if strings.Contains(n.Text, "limit") {
			t.Error(n)
		}
	}
}
