package documents

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// present returns a benchmark measured at the given commits. A dash after a commit means the run
// measured only part of the target.
func present(at int, name, commits string) steps.Presence {
	p := steps.Presence{Benchmark: at, Target: "t", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}}
	for _, word := range strings.Fields(commits) {
		number, part := strings.CutSuffix(word, "-")
		m := steps.Measured{Run: word, Whole: !part}
		if _, err := fmt.Sscan(number, &m.Commit); err != nil {
			panic(err)
		}
		m.Seq = int64(m.Commit)
		p.Runs = append(p.Runs, m)
	}
	return p
}

func TestNewNow(t *testing.T) {
	small, large, other := 0.01, 0.03, 0.5
	now := NewNow([]BenchmarkRow{
		{Lines: []Row{{State: "steady", Noise: &small}, {State: "too-few", Noise: &other}}},
		{Lines: []Row{{State: "regressed", Noise: &large}, {State: "too-few", Branch: "side"}}},
		{Lines: []Row{{State: "too-few"}}},
		{Lines: []Row{}},
	}, []int{1}, []int{2})
	if now.TooFew != 2 || now.Noise == nil || *now.Noise != 0.02 || now.Lost[0] != 1 || now.Stale[0] != 2 {
		t.Errorf("%+v", now)
	}
	if none := NewNow(nil, nil, nil); none.Noise != nil {
		t.Errorf("noise of nothing: %v", *none.Noise)
	}
}

func TestUnresolved(t *testing.T) {
	h := historyOf(repeat(10, 100, 10, 150), nil)
	if n := Unresolved(h); n != 1 {
		t.Errorf("%d unresolved", n)
	}
	h.First = false
	if n := Unresolved(h); n != 0 {
		t.Errorf("%d unresolved on another branch", n)
	}
}

func TestPaths(t *testing.T) {
	named := func(target, kind, suite, pkg, name string) Named {
		return Named{target, record.BenchmarkID{Kind: record.Kind(kind), Suite: suite, Package: pkg, Name: name}}
	}
	all := []Named{
		named("lib", "bench", "", "example.com/a/sort", "Sort/n=10"),
		named("lib", "bench", "", "example.com/b/sort", "Sort/n=10"), // another package with the same last element
		named("lib", "bench", "", "example.com/lib", "New"),
		named("lib", "scope", "", "example.com/lib", "New"), // the benchmark keeps the short path
		named("lib", "bench", "quick", "", "Run"),
		named("lib", "bench", "slow", "", "Run"),
		named("x", "bench", "", "", "a/b"), // the same words, divided differently
		named("x/a", "bench", "", "", "b"),
		named("x", "bench", "", "", "<script>\u202e"),
	}
	want := []string{
		"lib/example.com/a/sort/Sort/n=10", "lib/example.com/b/sort/Sort/n=10", "lib/New", "lib/scope/New", "lib/quick/Run", "lib/slow/Run",
		reports.BenchmarkFile("x", all[6].BenchmarkID), reports.BenchmarkFile("x/a", all[7].BenchmarkID), "x/<script>\u202e",
	}
	if got := Paths(all); !slices.Equal(got, want) {
		t.Errorf("paths\n%q\nwant\n%q", got, want)
	}
	slices.Reverse(all)
	slices.Reverse(want)
	if got := Paths(all); !slices.Equal(got, want) {
		t.Errorf("in another order\n%q", got)
	}
}

// Cover shows how many benchmarks are missing in the newest runs. If no run measured all benchmarks
// of a target, the number of all benchmarks is not known.
func TestCover(t *testing.T) {
	scope := present(2, "S", "0 1")
	scope.Kind = record.Scope
	other := present(2, "C", "5-")
	other.Target = "u"
	for name, tt := range map[string]struct {
		all           []steps.Presence
		newest, known int
		whole         bool
	}{
		"nothing":                     {nil, 0, 0, false},
		"never on the branch":         {[]steps.Presence{present(0, "A", "")}, 0, 0, false},
		"all":                         {[]steps.Presence{present(0, "A", "0 1"), present(1, "B", "0 1"), scope}, 2, 2, true},
		"some since":                  {[]steps.Presence{present(0, "A", "0 1-"), present(1, "B", "0")}, 1, 2, true},
		"only what was asked for":     {[]steps.Presence{present(0, "A", "1-"), present(1, "B", "0-")}, 1, 2, false},
		"one target never as a whole": {[]steps.Presence{present(0, "A", "0 1"), other}, 2, 2, false},
	} {
		var n Now
		if n.Cover(tt.all); n.Newest != tt.newest || n.Known != tt.known || n.Whole != tt.whole {
			t.Errorf("%s: %d of %d, whole %v", name, n.Newest, n.Known, n.Whole)
		}
	}
}

// Mark marks a row as worse if a check proved a regression without a step, and if the row was not
// measured since.
func TestMark(t *testing.T) {
	row := func(state, unit, branch string) Row {
		return Row{State: state, Unit: unit, Branch: branch, ChangeAt: -1}
	}
	d := &Comparison{Head: ComparisonSide{Commit: 7}, Rows: []ComparisonLine{
		{Benchmark: 0, Unit: "sec/op", Verdict: "regressed", Change: 0.5},
		{Benchmark: 0, Unit: "B/op", Verdict: "regressed", Change: 3, Absolute: true},
		{Benchmark: 1, Unit: "sec/op", Verdict: "accepted", Accepted: "meant"},
		{Benchmark: 2, Unit: "sec/op", Verdict: "regressed", With: "another"},
		{Benchmark: 3, Unit: "sec/op", Verdict: "regressed", Settled: true},
		{Benchmark: 4, Unit: "sec/op", Verdict: "inconclusive", Change: 1},
		{Benchmark: -1, Unit: "sec/op", Verdict: "regressed"},
	}}
	rows := []BenchmarkRow{{Lines: []Row{row("too-few", "sec/op", ""), row("too-few", "B/op", ""), row("too-few", "sec/op", "side"), row("too-few", "allocs/op", ""), row("steady", "sec/op", ""), row("regressed", "sec/op", ""), row("steady", "sec/op", "")}}}
	rows[0].Lines[6].Last = 8 // measured after the check
	for range 4 {
		rows = append(rows, BenchmarkRow{Lines: []Row{row("too-few", "sec/op", "")}})
	}
	d.Mark(rows)
	for i, want := range []string{"checked", "checked", "too-few", "too-few", "checked", "regressed", "steady"} {
		if got := rows[0].Lines[i]; got.State != want || (got.ChangeAt == 7) != (want == "checked") {
			t.Errorf("row %d: %s at %d, want %s", i, got.State, got.ChangeAt, want)
		}
	}
	if l := rows[0].Lines; l[0].Change == nil || *l[0].Change != 0.5 || l[1].Change != nil {
		t.Errorf("changes %v, %v; want 0.5 and none", l[0].Change, l[1].Change)
	}
	for i := 1; i < len(rows); i++ {
		if got := rows[i].Lines[0].State; got != "too-few" {
			t.Errorf("benchmark %d: %s", i, got)
		}
	}
}
