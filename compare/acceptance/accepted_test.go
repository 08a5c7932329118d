package acceptance

import (
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

func TestTrailers(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		want          []Trailer
	}{
		{"none", "Speed up GELU\n\nMore text.\n", nil},
		{"one", "Fix GELU\n\nText.\n\nperf-accept: GELU_1000 exact gradients\n", []Trailer{{"GELU_1000", "exact gradients"}}},
		{"between others", "Fix\n\nReviewed-by: A\nPerf-Accept: Add/x=1 why not\nSigned-off-by: B\n", []Trailer{{"Add/x=1", "why not"}}},
		{"two", "Fix\n\nperf-accept: A one\nperf-accept:  B  two  words\n", []Trailer{{"A", "one"}, {"B", "two words"}}},
		{"goes on", "Fix\n\nperf-accept: A one\n  and\n\tmore\nOther: x\n  not this\n", []Trailer{{"A", "one and more"}}},
		{"reason below", "Fix\n\nperf-accept: A\n  why\n", []Trailer{{"A", "why"}}},
		{"as go test prints it", "Fix\n\nperf-accept: BenchmarkA why\n", []Trailer{{"A", "why"}}},
		{"all", "Fix\n\nperf-accept: * why\n", []Trailer{{"*", "why"}}},
		{"no name but Benchmark", "Fix\n\nperf-accept: Benchmark why\n", nil},
		{"windows", "Fix\r\n\r\nperf-accept: A why\r\n", []Trailer{{"A", "why"}}},
		{"no reason", "Fix\n\nperf-accept: A\n", nil},
		{"nothing", "Fix\n\nperf-accept:\n", nil},
		{"subject", "perf-accept: A why", nil},
		{"not the last paragraph", "Fix\n\nperf-accept: A why\n\nMore text.\n", nil},
		{"quoted", "Fix\n\n> perf-accept: A why\n", nil},
		{"in a line", "Fix\n\nnot perf-accept: A why\n", nil},
		{"another key", "Fix\n\nperf-accepted: A why\n", nil},
		{"empty", "", nil},
	} {
		if got := Trailers(tt.message); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	long := Trailers("Fix\n\nperf-accept: A " + strings.Repeat("x", 1<<16))
	if len(long) != 1 || len(long[0].Reason) > record.MaxReasonLen {
		t.Errorf("%d trailers of a long line", len(long))
	}
}

func TestIntended(t *testing.T) {
	all := []Trailer{{"*", "for all"}, {"A", "for A"}, {"*", "again"}}
	for _, tt := range []struct {
		trailers     []Trailer
		name, reason string
		ok           bool
	}{
		{all, "A", "for A", true}, {all, "B", "for all", true}, {all[1:2], "B", "", false}, {all[1:2], "A/x", "", false}, {[]Trailer{{"A-8", "as shown"}}, "A", "as shown", true}, {nil, "A", "", false},
	} {
		if reason, ok := Intended(tt.trailers, tt.name); reason != tt.reason || ok != tt.ok {
			t.Errorf("Intended(%v, %s) = %q, %v", tt.trailers, tt.name, reason, ok)
		}
	}
}

func acceptedAt(benchmark, commit string) record.Acceptance {
	return record.Acceptance{Target: "t", Benchmark: benchmark, Commit: commit, Reason: "because of " + commit}
}

func TestAccepted(t *testing.T) {
	all := List{acceptedAt("A", "c3"), acceptedAt("A", "c1"), acceptedAt("B", "c2"), acceptedAt("A", "elsewhere")}
	id := record.BenchmarkID{Kind: record.Bench, Suite: "s", Name: "A"}
	position := map[string]int{"c0": 0, "c1": 10, "c2": 20, "c3": 30, "c4": 40}

	if got := all.In([]string{"c2", "c3", "c4"}); len(got) != 2 || got[0].Commit != "c3" || got[1].Commit != "c2" {
		t.Errorf("In: %+v", got)
	}
	if start, ok := all.Start("t", id, position); start != 30 || !ok {
		t.Errorf("Start: %d, %v", start, ok)
	}
	if start, ok := all.Start("other", id, position); ok {
		t.Errorf("Start of another target: %d", start)
	}
	changed := all.Changed("t", id, position)
	for _, tt := range []struct {
		last, first string
		want        bool
	}{
		{"c0", "c1", true}, {"c1", "c2", false}, {"c2", "c3", true}, {"c3", "c4", false}, {"c0", "c4", true},
		{"c4", "c0", false}, {"gone", "c3", true}, {"gone", "c4", false}, {"c4", "elsewhere", true},
	} {
		if got := changed(tt.last, tt.first); got != tt.want {
			t.Errorf("changed between %s and %s: %v", tt.last, tt.first, got)
		}
	}
}

// Regressions returns only regressed rows, and accepting one benchmark, package or target does not
// accept any other.
func TestAcceptedRegressions(t *testing.T) {
	row := func(target, pkg, name string, v compare.Verdict) *compare.Row {
		r := &compare.Row{BenchmarkID: record.BenchmarkID{Package: pkg, Name: name}, Target: target}
		r.Verdict = v
		return r
	}
	rows := []*compare.Row{
		row("t", "", "A", compare.Regressed), row("t", "", "B", compare.Regressed), row("t", "p", "A", compare.Regressed), row("u", "", "A", compare.Regressed),
		row("t", "", "A", compare.Improved), row("t", "", "A", compare.Inconclusive), row("t", "", "A", compare.Unchanged),
	}
	c := &compare.Comparison{Tables: []compare.Table{{Rows: rows}}}
	open, accepted := List{acceptedAt("A", "c1"), acceptedAt("A", "c2")}.Regressions(c)
	if !slices.Equal(open, rows[1:4]) || !slices.Equal(accepted, rows[:1]) {
		t.Errorf("open %v, accepted %v", open, accepted)
	}
	if reason, ok := (List{acceptedAt("A", "c1"), acceptedAt("A", "c2")}).Reason(rows[0]); reason != "because of c2" || !ok {
		t.Errorf("reason %q, %v", reason, ok)
	}
	if open, accepted := (List)(nil).Regressions(c); len(open) != 4 || accepted != nil {
		t.Errorf("without acceptances: open %v, accepted %v", open, accepted)
	}
}

func TestLimitIsAcceptedWithItsBenchmark(t *testing.T) {
	r := &compare.Row{BenchmarkID: record.BenchmarkID{Name: "X"}, Limits: []compare.RowLimit{{Worse: true}}}
	c := &compare.Comparison{Tables: []compare.Table{{Pairing: &pairs.Pairing{Trial: true}, Rows: []*compare.Row{r}}}}
	if c.FailedLimits(false) != 1 {
		t.Fatal("a missed limit does not fail")
	}
	List{{Benchmark: "X", Reason: "on purpose"}}.Explain(c)
	if l := r.Limits[0]; l.Accepted != "on purpose" || c.FailedLimits(true) != 0 {
		t.Errorf("accepted %q, %d fail", l.Accepted, c.FailedLimits(true))
	}
}
