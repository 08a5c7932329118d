package runtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

const environment = "goos: linux\ngoarch: amd64\ncpu: Example CPU @ 2.00GHz\ngomaxprocs: 4\n"

// Read parses a run from lines of the form "Name [calls] v unit v unit ...", one per sample.
func Read(t testing.TB, text string) *record.Run {
	t.Helper()
	var full strings.Builder
	full.WriteString(environment + "Unit GFLOPS better=higher\n")
	for l := range strings.Lines(text) {
		f := strings.Fields(l)
		switch {
		case len(f) == 0:
		case strings.HasSuffix(f[0], ":") || f[0] == "Unit":
			full.WriteString(l)
		default:
			calls, suffix := "100", "-4"
			if strings.Contains(text, "profile: scopes") {
				calls, suffix = "1", ""
			}
			if len(f)%2 == 0 { // the line states the number of calls
				calls = f[1]
				f = slices.Delete(f, 1, 2)
			}
			fmt.Fprintf(&full, "Benchmark%s%s %s %s\n", f[0], suffix, calls, strings.Join(f[1:], " "))
		}
	}
	runs := ParseWith(t, record.Run{
		Commit: record.Commit{Branch: "main", Time: time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)},
		Start:  time.Date(2026, 3, 2, 8, 30, 0, 0, time.UTC), End: time.Date(2026, 3, 2, 8, 40, 0, 0, time.UTC),
		Tool: "v1.0.0",
	}, full.String())
	if len(runs) != 1 {
		t.Fatalf("%d runs", len(runs))
	}
	return runs[0]
}

// Vary returns n lines for a benchmark, with values within spread percent of a center for each
// unit. The arguments in pairs alternate between a center and its unit.
func Vary(n int, name string, spread float64, pairs ...any) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s", name)
		for k := 0; k < len(pairs); k += 2 {
			// A fixed shuffle: 0 3 6 9 2 5 8 1 4 7 for n = 10.
			at := float64(i*3%n)/float64(max(n-1, 1)) - 0.5
			fmt.Fprintf(&b, " %.6g %s", pairs[k].(float64)*(1+2*spread/100*at), pairs[k+1])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Average sets the slice means of the named benchmark. The mean in round i, counted from 0, becomes
// times(i) times the round's ns/op. Average also sets the fraction of slow slices to slow.
func Average(r *record.Run, name string, slow float64, times func(i int) float64) {
	for _, b := range r.Benchmarks {
		if b.Name != name {
			continue
		}
		at := slices.IndexFunc(b.Samples, func(s record.Samples) bool { return s.Unit == "ns/op" })
		for i := range b.Rounds {
			b.Rounds[i].Slices, b.Rounds[i].Mean, b.Rounds[i].Slow = 200, b.Samples[at].Values[i]*times(i), slow
		}
	}
}

// Hostile lists names that have a special meaning to a terminal, to Markdown, to a spreadsheet or
// to the log of a CI job.
var Hostile = []string{
	"a|b", "tick`s``", "esc\x1b[31mred\x1b[0m", "@everyone", "<img/src=x>", "[link](http://x)", "\u202egnp.exe",
	"=cmd()", "日本語/サイズ=1", "https://example.com/#1", "**bold**", "\\|slash", "::error::x", "##[group]x", strings.Repeat("long/", 40) + "end",
}

// ScopesOf turns the benchmarks of a run into the scopes of a profile, each nested in the previous
// scope.
func ScopesOf(r *record.Run) *record.Run {
	out := Clone(r)
	out.Benchmarks = slices.Clone(r.Benchmarks)
	for i := range out.Benchmarks {
		b := &out.Benchmarks[i]
		b.Kind, b.Rounds = record.Scope, []record.Round{{N: 1, Iters: 1 + i}}
		if i > 0 {
			b.Name = out.Benchmarks[i-1].Name[:min(300, len(out.Benchmarks[i-1].Name))] + "/" + b.Name
		}
		b.Samples = []record.Samples{{Unit: "ns/op", Values: []float64{float64(100 + i)}}, {Unit: "total-ns", Values: []float64{float64(100+i) * float64(1+i)}}}
	}
	return out
}

// Clone returns a shallow copy of the run.
func Clone(r *record.Run) *record.Run {
	c := *r
	return &c
}
