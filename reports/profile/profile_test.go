package profile

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// profileText is a suite that covers everything a report can show: more methods than the lists
// take, a scope too small for the hierarchy, much memory allocated in one call, many calls, and
// workers.
var profileText = `profile: scopes
suite: deep
pkg: example.com/engine
result: 00c0ffee
` + manyScopes() + `
Create 1 43000000 ns/op 43000000 self-ns/op 43000000 min-ns/op 43000000 max-ns/op 16777216 B/op 155 allocs/op
Infer 3 250000000 ns/op 20000 self-ns/op 240000000 min-ns/op 260000000 max-ns/op 64 B/op 1 allocs/op
Infer/Token 20000 37490 ns/op 40 self-ns/op 30000 min-ns/op 90000 max-ns/op 0 B/op 0 allocs/op
Infer/Token/Forward 20000 37450 ns/op 37450 self-ns/op 30000 min-ns/op 90000 max-ns/op 0 B/op 0 allocs/op
Infer/Print 1 900 ns/op 900 self-ns/op 900 min-ns/op 900 max-ns/op 0 B/op 0 allocs/op
Train 1 100000000 ns/op 95000000 self-ns/op 100000000 min-ns/op 100000000 max-ns/op 0 B/op 0 allocs/op
Train/Work 4 45000000 ns/op 45000000 self-ns/op 40000000 min-ns/op 50000000 max-ns/op 0 B/op 0 allocs/op
`

func manyScopes() string {
	var b strings.Builder
	for i := range 18 {
		fmt.Fprintf(&b, "Kernel_%02d 10 %d ns/op %d self-ns/op\n", i, 100_000*(i+1), 100_000*(i+1))
	}
	return b.String()
}

func hostileProfile(t testing.TB) *record.Run {
	text := "profile: scopes\n"
	for i := range runtest.Hostile {
		text += fmt.Sprintf("N%d 1 %d ns/op 2097152 B/op\n", i, 1000*(i+1))
	}
	r := runtest.Read(t, text)
	r.Status = record.Partial
	r.Failures = []record.Failure{{Benchmark: "F|`\x1b[2J", Reason: "timeout\n::set-output name=x::y"}}
	for i := range r.Benchmarks {
		r.Benchmarks[i].Name = runtest.Hostile[i]
	}
	return r
}

// The self times in the hierarchy, including the folded rows, add up to the total time.
func TestHierarchyAddsUp(t *testing.T) {
	r := Report(runtest.Read(t, profileText))
	for _, table := range r.Tables {
		if table.Heading != "Call hierarchy" {
			continue
		}
		sum := 0.0
		for _, row := range table.Rows {
			var self float64
			if _, err := fmt.Sscanf(row[3].Text, "%f ms", &self); err != nil {
				t.Fatal(err)
			}
			sum += self
		}
		// The outermost scopes take 1064 ms, including 95 ms spent waiting for workers. The workers
		// worked another 175 ms in parallel.
		if math.Abs(sum-(1064-95+175)) > 0.2 {
			t.Errorf("the self times add up to %.3f ms, want 1144", sum)
		}
		return
	}
	t.Fatal("no hierarchy")
}

// A row of folded scopes includes the time of the scopes inside them.
func TestFoldedScopesWithScopesInside(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nRun 1 9999000 ns/op\nTiny 2 500 ns/op 100 self-ns/op\nTiny/Inner 2 400 ns/op\n"))
	want := "Run | 9.999 ms | 100.0 % | 9.999 ms | 100.0 % | 1 | 9.999 ms\n(1 scope below 0.1 %) | 0.001 ms | 0.0 % | 0.001 ms | 0.0 % | 2 | 500.0 ns"
	if got := reporttest.Cells(reporttest.Heading(t, r, "Call hierarchy")); got != want {
		t.Errorf("hierarchy\n%s\nwant\n%s", got, want)
	}
}

// The insight about memory refers to the memory allocated in one call, not in all calls.
func TestMuchMemoryIsPerCall(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nOften 100 5000 ns/op 65536 B/op 1 allocs/op\nOnce 1 5000 ns/op 2097152 B/op 1 allocs/op\n"))
	var got []string
	for _, n := range r.Lists[0].Items {
		if strings.HasPrefix(n.Text, "more than 1 MiB") {
			got = append(got, n.Detail)
		}
	}
	if len(got) != 1 || got[0] != "Once 2.000 MiB" {
		t.Errorf("%q, want the one call of 2 MiB", got)
	}
}

// Allocators are ranked by their own allocations. Their shares and their sizes per call are for the
// same bytes.
func TestAllocatorsOwn(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nOuter 2 5000 ns/op 4096 B/op 4 allocs/op\nOuter/Inner 2 1000 ns/op 3072 B/op 1 allocs/op\n"))
	want := "1 | Inner | 6.000 KiB | 75.0 % | 2 | 3.000 KiB | 1.0 | 6.000 KiB\n2 | Outer | 2.000 KiB | 25.0 % | 2 | 1.000 KiB | 3.0 | 8.000 KiB"
	if got := reporttest.Cells(reporttest.Heading(t, r, "Top allocators, by own bytes")); got != want {
		t.Errorf("allocators\n%s\nwant\n%s", got, want)
	}
}

// Time spent waiting for workers is not work, so it does not count in shares and ranks.
func TestWaitingIsNoWork(t *testing.T) {
	r := Report(runtest.Read(t, profileText))
	hot := reporttest.Heading(t, r, "Hot paths, by self time")
	last := hot.Rows[len(hot.Rows)-1]
	if last[0].Text != "-" || last[1].Text != "Train" || last[4].Text != "0.000 ms" || last[6].Text != "95.000 ms" || hot.Columns[5].Title != "self, % of work" {
		t.Errorf("the last row is %+v under %+v, want the scope that waited", last, hot.Columns)
	}
	if want := "% of run: share of its 1064.000 ms. % of work: share of the 1143.861 ms that all goroutines together worked."; hot.Words[0] != want {
		t.Errorf("%q, want %q", hot.Words[0], want)
	}
}

// A scope that only waited for workers is not ranked, even if there are few scopes.
func TestWaitingIsNotRanked(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nP 1 100 ns/op 90 self-ns/op\nP/Work 2 80 ns/op 80 self-ns/op\n"))
	var got []string
	for _, row := range reporttest.Heading(t, r, "Hot paths, by self time").Rows {
		got = append(got, row[0].Text+" "+row[1].Text)
	}
	if strings.Join(got, ", ") != "1 Work, - P" {
		t.Errorf("ranked %q, want the worker alone", got)
	}
}

// If a program's scopes do not cover the whole run, shares are shares of the run, and a remark gives
// the time outside of all scopes.
func TestTimeInNoScope(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nsuite: s\nA 1 1000 ns/op 100 self-ns/op\nA/B 1 200 ns/op 150 self-ns/op\n"))
	hot := reporttest.Heading(t, r, "Hot paths, by self time")
	if hot.Rows[0][5].Text != "15.0 %" || hot.Columns[5].Title != "self, % of run" || strings.Contains(hot.Words[0], "work") {
		t.Errorf("self %s, %s, %q: want 150 of 1000 ns", hot.Rows[0][5].Text, hot.Columns[5].Title, hot.Words)
	}
	if len(r.Remarks) != 1 || r.Remarks[0].Detail != "s 75.0 %" {
		t.Errorf("remarks %v, want one on the 750 ns", r.Remarks)
	}
	for _, n := range Report(runtest.Read(t, profileText)).Remarks {
		if strings.Contains(n.Text, "no scope") {
			t.Errorf("%v of a profile whose scopes hardly leave anything", n)
		}
	}
}

// kernelText is a profile of kernels on a machine with a known peak.
const kernelText = `profile: scopes
suite: enhanced
peak-gflops: 8
flops-per-element: GELU=9
GELU_1000 1 10000 ns/op 10000 self-ns/op
MatMul_64x64 1 600000 ns/op 0 self-ns/op
MatMul_64x64/MatMul_Iteration 3 200000 ns/op 200000 self-ns/op
MatMul_64x64_2T 1 100000 ns/op 100000 self-ns/op
`

func TestGolden(t *testing.T) {
	reporttest.Check(t, map[string]reports.Report{
		"profile": Report(runtest.Read(t, profileText)), "profile-hostile": Report(hostileProfile(t)), "profile-kernels": Report(runtest.Read(t, kernelText)), "profile-memory": Report(runtest.Read(t, memoryText)),
		"profile-empty": Report(runtest.Read(t, "Plain 10 ns/op")),
	})
}

func TestTimesOfAnySize(t *testing.T) {
	if got := nanos(1e300); got != "1.000e+291 s" {
		t.Errorf("%q, want an exponent", got)
	}
}
