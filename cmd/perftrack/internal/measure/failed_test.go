package measure

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// If one benchmark of thirty-one fails and a package does not build, the other benchmarks form a
// complete run.
func TestSplitFailed(t *testing.T) {
	run := &record.Run{Target: "m", Status: record.Failed, Failures: []record.Failure{{Benchmark: "x/p.Work", Reason: "exit status 2"}, {Benchmark: "x/q", Reason: record.NotBuilt + "syntax error"}}}
	for i := range 30 {
		run.Benchmarks = append(run.Benchmarks, record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "x/p", Name: fmt.Sprintf("B%d", i)}})
	}
	run.Benchmarks = append(run.Benchmarks, record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "x/p", Name: "Work/n=1"}})
	got := splitFailed([]*record.Run{run})
	if len(got) != 2 || !got[0].Baseline() || len(got[0].Benchmarks) != 30 || len(got[0].Failures) != 0 {
		t.Fatalf("%d runs, the first %+v", len(got), got[0])
	}
	if got[1].Status != record.Failed || len(got[1].Failures) != 2 || len(got[1].Benchmarks) != 1 || got[1].Benchmarks[0].Name != "Work/n=1" {
		t.Errorf("the failed one: %+v", got[1])
	}
	for _, as := range []record.Run{
		{Target: "m", Status: record.Complete, Benchmarks: run.Benchmarks},
		{Target: "m", Status: record.Partial, Failures: run.Failures, Benchmarks: run.Benchmarks},
		{Target: "m", Status: record.Failed, Failures: []record.Failure{{Benchmark: "m", Reason: "the program"}}, Benchmarks: run.Benchmarks},
	} {
		if got := splitFailed([]*record.Run{&as}); len(got) != 1 || got[0] != &as {
			t.Errorf("%s: %d runs", as.Status, len(got))
		}
	}
}
