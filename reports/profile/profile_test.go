package profile

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/internal/reporttest"
	"github.com/perftrack/perftrack/internal/runtest"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// profileText is a suite of which everything that a profile shows has a case:
// more methods than the lists take, a scope too small for the hierarchy, much
// memory in one call, many calls, and workers.
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

// What the hierarchy shows adds up to the run, the folded rows included.
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
		// 1064 ms at the top, of which 95 were waiting for workers, and the 175 ms
		// that these worked beside it.
		if math.Abs(sum-(1064-95+175)) > 0.2 {
			t.Errorf("the self times add up to %.3f ms, want 1144", sum)
		}
		return
	}
	t.Fatal("no hierarchy")
}

// What is folded has the time of all that is in it, of its own and of what it
// calls.
func TestFoldedScopesWithScopesInside(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nRun 1 9999000 ns/op\nTiny 2 500 ns/op 100 self-ns/op\nTiny/Inner 2 400 ns/op\n"))
	want := "Run | 9.999 ms | 100.0 % | 9.999 ms | 100.0 % | 1 | 9.999ms\n(1 scope below 0.1 %) | 0.001 ms | 0.0 % | 0.001 ms | 0.0 % | 2 | 500.0ns"
	if got := reporttest.Cells(reporttest.Heading(t, r, "Call hierarchy")); got != want {
		t.Errorf("hierarchy\n%s\nwant\n%s", got, want)
	}
}

// Much memory is much in one call, not in all of them.
func TestMuchMemoryIsPerCall(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nOften 100 5000 ns/op 65536 B/op 1 allocs/op\nOnce 1 5000 ns/op 2097152 B/op 1 allocs/op\n"))
	var got []string
	for _, n := range r.Lists[0].Items {
		if strings.HasPrefix(n.Text, "more than 1 MiB") {
			got = append(got, n.Detail)
		}
	}
	if len(got) != 1 || got[0] != "Once 2.000MiB" {
		t.Errorf("%q, want the one call of 2 MiB", got)
	}
}

// Allocators are ranked, and their shares and sizes a call counted, by what they
// allocate themselves.
func TestAllocatorsOwn(t *testing.T) {
	r := Report(runtest.Read(t, "profile: scopes\nOuter 2 5000 ns/op 4096 B/op 4 allocs/op\nOuter/Inner 2 1000 ns/op 3072 B/op 1 allocs/op\n"))
	want := "1 | Inner | 6.000KiB | 75.0 % | 2 | 3.000KiB | 1.0 | 6.000KiB\n2 | Outer | 2.000KiB | 25.0 % | 2 | 1.000KiB | 3.0 | 8.000KiB"
	if got := reporttest.Cells(reporttest.Heading(t, r, "Top allocators, by own bytes")); got != want {
		t.Errorf("allocators\n%s\nwant\n%s", got, want)
	}
}

// Waiting for workers is no work: it is in no share and in no rank.
func TestWaitingIsNoWork(t *testing.T) {
	r := Report(runtest.Read(t, profileText))
	hot := reporttest.Heading(t, r, "Hot paths, by self time")
	last := hot.Rows[len(hot.Rows)-1]
	if last[0].Text != "-" || last[1].Text != "Train" || last[4].Text != "0.000 ms" || last[6].Text != "95.000 ms" || hot.Columns[5].Title != "self, % of work" {
		t.Errorf("the last row is %+v under %+v, want the scope that waited", last, hot.Columns)
	}
	if want := "% of run: of its 1064.000 ms. % of work: of the 1143.861 ms that goroutines worked together."; hot.Words[0] != want {
		t.Errorf("%q, want %q", hot.Words[0], want)
	}
}

// A scope that waited is in no rank, be there ever so few.
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

// Where a program's scopes leave time out, shares are of the run, and the reader
// is told how much of it they leave out.
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

// kernelText is a profile of kernels on a machine whose peak is known.
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
	if got := nanos(1e300); got != "1.000e+291s" {
		t.Errorf("%q, want an exponent", got)
	}
}
