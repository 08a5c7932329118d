package vetting

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	report "github.com/perftrack/perftrack/reports/vet"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/vet"
	"github.com/perftrack/perftrack/runner/vet/shortrun"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	code := m.Run()
	proc.Dismiss()
	os.Exit(code)
}

// A function is slow if even its fastest benchmark is slow.
func TestSlow(t *testing.T) {
	for _, tt := range []struct {
		ran  shortrun.Timings
		want bool
	}{
		{shortrun.Timings{"A": {Op: 3}}, true},
		{shortrun.Timings{"A": {Op: 2}}, false},
		{shortrun.Timings{"A/x": {Op: 5}, "A/y": {Op: 1}}, false},
		{shortrun.Timings{"A/x": {Op: 5}, "B": {Op: 1}}, true},
		{shortrun.Timings{"B": {Op: 5}}, false},
	} {
		if got := slow("BenchmarkA", tt.ran); got != tt.want {
			t.Errorf("slow in %v: %v", tt.ran, got)
		}
	}
}

func TestKeep(t *testing.T) {
	each, err := naming.ParsePattern("")
	if err != nil {
		t.Fatal(err)
	}
	finding := func(rule vet.Rule, sure vet.Confidence) vet.Finding {
		return vet.Finding{Rule: rule, Benchmark: "BenchmarkX", File: "/m/x_test.go", Line: 7, Found: "f", Remedy: "r", Sure: sure}
	}
	for _, c := range []struct {
		name  string
		found []vet.Finding
		signs []shortrun.Sign
		ran   shortrun.Timings
		want  []string // rule and confidence
		unrun int
	}{
		{"suspected, not run", []vet.Finding{finding(vet.Grows, vet.Suspected)}, nil, nil, nil, 1},
		{"suspected, not confirmed", []vet.Finding{finding(vet.Grows, vet.Suspected)}, nil, shortrun.Timings{"X": {N: 10, Op: 5}}, nil, 0},
		{"suspected, another benchmark judged", []vet.Finding{finding(vet.Grows, vet.Suspected)}, nil, shortrun.Timings{"Y": {N: 10, Op: 5}}, nil, 1},
		{"ignored errors without an instrumented run", []vet.Finding{finding(vet.IgnoredError, vet.Suspected)}, nil, shortrun.Timings{"X": {N: 10, Op: 5}}, nil, 1},
		{"a loop over a filled container, removed by the compiler", []vet.Finding{finding(vet.Idle, vet.Suspected)}, []shortrun.Sign{{Kind: shortrun.TooFast, Name: "X"}},
			shortrun.Timings{"X": {N: 1e9, Op: 0.3}}, []string{"below-1ns likely"}, 1},
		{"a loop over an empty container", []vet.Finding{finding(vet.Idle, vet.Likely)}, []shortrun.Sign{{Kind: shortrun.TooFast, Name: "X"}},
			shortrun.Timings{"X": {N: 1e9, Op: 0.3}}, []string{"nothing-done certain"}, 0},
		{"in a called function", []vet.Finding{finding(vet.Grows, vet.Suspected)}, []shortrun.Sign{{Kind: shortrun.Growing, Name: "Calls/n=1"}},
			shortrun.Timings{"Calls/n=1": {N: 10, Op: 5}}, []string{"grows certain"}, 0},
		{"suspected and confirmed", []vet.Finding{finding(vet.Grows, vet.Suspected)}, []shortrun.Sign{{Kind: shortrun.Growing, Name: "X/n=1"}},
			shortrun.Timings{"X": {N: 10, Op: 5}}, []string{"grows certain"}, 0},
		{"confirmed for two sizes, reported once", []vet.Finding{finding(vet.Grows, vet.Suspected)},
			[]shortrun.Sign{{Kind: shortrun.Growing, Name: "X/n=1"}, {Kind: shortrun.Growing, Name: "X/n=2"}}, shortrun.Timings{}, []string{"grows certain"}, 0},
		{"another benchmark", []vet.Finding{finding(vet.Grows, vet.Suspected)}, []shortrun.Sign{{Kind: shortrun.Growing, Name: "Y"}}, shortrun.Timings{"X": {N: 10, Op: 5}}, nil, 0},
		{"a sign without a rule", nil, []shortrun.Sign{{Kind: shortrun.TooFast, Name: "X"}}, shortrun.Timings{}, []string{"below-1ns likely"}, 0},
		{"quick by intent", nil, []shortrun.Sign{{Kind: shortrun.TooFast, Name: "X/0"}}, shortrun.Timings{}, nil, 0},
		{"a stopped timer without a rule", nil, []shortrun.Sign{{Kind: shortrun.MostlyPaused, Name: "X"}}, shortrun.Timings{}, nil, 0},
		{"an unused result, removed", []vet.Finding{finding(vet.Discarded, vet.Likely)}, []shortrun.Sign{{Kind: shortrun.TooFast, Name: "X"}},
			shortrun.Timings{"X": {N: 1e9, Op: 0.3}}, []string{"unused-result certain"}, 0},
		{"an unused result, not removed", []vet.Finding{finding(vet.Discarded, vet.Likely)}, nil, shortrun.Timings{"X": {N: 10, Op: 50}}, []string{"unused-result possible"}, 0},
		{"source alone", []vet.Finding{finding(vet.Discarded, vet.Likely)}, nil, nil, []string{"unused-result likely"}, 0},
	} {
		var res report.Result
		k := checker{
			Options: Options{Dir: "/m"}, result: &res, wanted: each, found: map[string][]vet.Finding{"p": c.found},
			declared: map[string][]vet.Finding{"p": {{Benchmark: "BenchmarkX", File: "/m/x_test.go", Line: 5}}},
			unshown:  map[string]bool{"p": true},
			reached:  map[string]map[string][]string{"p": {"BenchmarkCalls": {"BenchmarkX"}}},
		}
		k.keep("p", c.signs, c.ran)
		var got []string
		for _, f := range res.Findings {
			got = append(got, string(f.Rule)+" "+f.Sure.String())
			if f.File != "x_test.go" {
				t.Errorf("%s: file %q, want it relative to the folder", c.name, f.File)
			}
		}
		if !slices.Equal(got, c.want) || res.Unrun != c.unrun {
			t.Errorf("%s: %q, %d left out; want %q, %d", c.name, got, res.Unrun, c.want, c.unrun)
		}
	}
}

// Check finds the faults in a module without running it.
func TestCheck(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "runner", "vet", "testdata", "seeded"))
	if err != nil {
		t.Fatal(err)
	}
	check := func(bench string, patterns ...string) (report.Result, error) {
		return Check(t.Context(), Options{Dir: dir, Bench: bench, Patterns: patterns, NoRun: true, Now: time.Now})
	}
	all, err := check("")
	if err != nil || len(all.Findings) < 40 || all.Unrun == 0 || len(all.Missed) > 0 {
		t.Errorf("%d findings, %d left out, missed %v: %v", len(all.Findings), all.Unrun, all.Missed, err)
	}
	one, err := check("^BenchmarkNoLoop$")
	if err != nil || len(one.Findings) != 1 || one.Functions != 1 || one.Findings[0].File != "faults_test.go" {
		t.Errorf("one benchmark: %+v, %v", one, err)
	}
	two, err := check("^BenchmarkThroughHelper$")
	if err != nil || len(two.Findings) != 1 || two.Findings[0].Benchmark != "input" {
		t.Errorf("one with a helper that gets its b: %+v, %v", two, err)
	}
	stopped, stop := context.WithCancel(t.Context())
	some, err := Check(stopped, Options{Dir: dir, Now: time.Now, Progress: func(p Progress) {
		if p.PackageNo == 1 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) || len(some.Findings) != len(all.Findings) || len(some.Unjudged) != all.Functions || !errors.Is(some.Unjudged[0].Err, ErrStopped) {
		t.Errorf("stopped before the first package ran: %d of %d findings, %d of %d functions not judged, %v",
			len(some.Findings), len(all.Findings), len(some.Unjudged), all.Functions, err)
	}
	if _, err := check("^Nothing$"); !errors.Is(err, ErrNone) {
		t.Errorf("no benchmark of that name: %v", err)
	}
	if _, err := check("("); err == nil || !strings.Contains(err.Error(), "--bench") {
		t.Errorf("a bad pattern: %v", err)
	}
	if _, err := check("", "./missing"); err == nil {
		t.Error("a missing package is no error")
	}
}
