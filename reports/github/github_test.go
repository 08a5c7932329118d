package github

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// A bench describes a benchmark of a trial by the centers of its samples on both sides, and by
// their spread.
type bench struct {
	pkg, name, unit string
	base, head      float64
	spread          float64 // percent
}

// trial returns the comparison of two runs measured side by side in twenty rounds.
func trial(t testing.TB, benches ...bench) *compare.Comparison {
	t.Helper()
	return trialOf(t, 20, benches...)
}

func trialOf(t testing.TB, rounds int, benches ...bench) *compare.Comparison {
	t.Helper()
	// The samples on each side scatter in a different order.
	run := func(side record.Side, hex string, step int, center func(bench) float64) compare.Side {
		var text strings.Builder
		text.WriteString("goos: linux\ngoarch: amd64\ncpu: Example CPU @ 2.00GHz\ngomaxprocs: 4\nUnit GFLOPS better=higher\n")
		for _, b := range benches {
			if center(b) < 0 {
				continue
			}
			fmt.Fprintf(&text, "pkg: %s\n", b.pkg)
			for i := range rounds {
				at := float64(i*step%10)/9 - 0.5
				fmt.Fprintf(&text, "Benchmark%s-4 100 %.6g %s\n", b.name, center(b)*(1+2*b.spread/100*at), b.unit)
			}
		}
		def := record.Run{
			Target: "engine", Commit: record.Commit{SHA: strings.Repeat(hex, 40)}, Trial: "t1", Side: side, Tool: "v1.0.0",
		}
		pairs.SetDecision(&def)
		return compare.Side{Runs: runtest.ParseWith(t, def, text.String())}
	}
	return compare.Compare(
		run(record.Base, "a", 3, func(b bench) float64 { return b.base }),
		run(record.Head, "b", 7, func(b bench) float64 { return b.head }),
		compare.Options{})
}

// cutShort returns a check cut short after the given number of rounds of 5 s each.
func cutShort(t testing.TB, rounds int, benches ...bench) *compare.Comparison {
	t.Helper()
	c := trial(t, benches...)
	for _, side := range []compare.Side{c.Base, c.Head} {
		r := side.Runs[0]
		r.Protocol.Procedure = pairs.ProcedureCheck
		r.Protocol.Pace = &record.Pace{Setup: 3 * time.Second, Round: 5 * time.Second}
		for i := range r.Benchmarks {
			b := &r.Benchmarks[i]
			for n := range b.Rounds {
				b.Rounds[n].N = n + 1
			}
			b.Rounds = b.Rounds[:rounds]
			for k := range b.Samples {
				b.Samples[k].Values = b.Samples[k].Values[:rounds]
			}
		}
	}
	return compare.Compare(c.Base, c.Head, compare.Options{})
}

func codec(name, unit string, base, head, spread float64) bench {
	return bench{"example.com/codec", name, unit, base, head, spread}
}

// bounded returns a trial with limits that the head meets, limits that only the head misses, and
// limits that both sides miss.
func bounded(t testing.TB) *compare.Comparison {
	c := trial(t, codec("New", "ns/op", 90, 102, 1), codec("Old", "ns/op", 105, 106, 1), codec("Near", "ns/op", 100, 100, 1),
		codec("Rate", "GFLOPS", 30, 29, 1), codec("Intended", "ns/op", 90, 130, 1))
	return compare.Compare(c.Base, c.Head, compare.Options{Threshold: func(string) float64 { return 0.5 },
		Limits: rules(t, "* <= 100 ns", "Rate >= 25 GFLOPS", "|`x` <= 1 ms")})
}

func rules(t testing.TB, all ...string) (list limit.List) {
	t.Helper()
	for _, rule := range all {
		bench, text, _ := strings.Cut(rule, " ")
		l, err := limit.Parse(bench, text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	return list
}

// packages returns a trial of several packages with long names and all kinds of units.
func packages(t testing.TB) *compare.Comparison {
	in := func(pkg string, b bench) bench { b.pkg = "example.com/mono/" + pkg; return b }
	return trial(t,
		in("mat", codec("MatMul_512", "ns/op", 1.2e6, 5.04e6, 60)), in("mat", codec("MatMul_512", "GFLOPS", 30, 7, 60)),
		in("mat", codec("MatMul_64", "ns/op", 3100, 1380, 1)), in("mat", codec("MatMul_64", "allocs/op", 4, 4, 0)),
		in("net/http", codec("Serve/path=/v1/users/active-sessions/by-region-and-tenant", "ns/op", 52e3, 58.3e3, 3)),
		in("net/http", codec("ServeWithoutAnySlashButAVeryLongName_in-hyphens-and-more", "ns/op", 52e3, 71e3, 3)),
		in("net/http", codec("Parse", "ns/op", 410, 411, 1)), in("net/http", codec("Parse", "allocs/op", 0, 1, 0)), in("net/http", codec("Parse", "B/op", 0, 64, 0)),
		in("llm", codec("Decode", "GFLOPS", 25, 20, 2)), in("llm", codec("Rate", "MB/s", 25, 60, 2)), in("llm", codec("Grow", "B/op", 1<<20, 5<<20, 2)),
		in("llm", codec("Odd", "things@x/op", 10, 12, 1)))
}

// many returns a trial of 200 benchmarks, 60 of which changed.
func many(t testing.TB) *compare.Comparison {
	var list []bench
	for i := range 200 {
		b := codec(fmt.Sprintf("Sort/n=%d/kind=random", i), "ns/op", 1000, 1000, 1)
		if i < 60 {
			b.head = 1100 + 20*float64(i)
		}
		list = append(list, b)
	}
	return trialOf(t, 30, list...)
}

// averaged returns a trial measured in slices, with benchmarks whose mean alone became slower,
// became faster, or may have changed.
func averaged(t testing.TB) *compare.Comparison {
	c := trialOf(t, 20, codec("Serve", "ns/op", 593e3, 593e3, 1), codec("Serve", "allocs/op", 3, 3, 0),
		codec("Flush", "ns/op", 1e6, 1e6, 1), codec("Late", "ns/op", 1e6, 1e6, 1), codec("Same", "ns/op", 1e6, 1e6, 1))
	for side, times := range map[*record.Run]map[string][]float64{
		c.Base.Runs[0]: {"Serve": {1, 1.01}, "Flush": {3.1, 2.8}, "Late": {1}, "Same": {1.05, 1.04, 1.09}},
		c.Head.Runs[0]: {"Serve": {3.1, 2.8, 2.9}, "Flush": {1}, "Late": {1, 1.02, 6}, "Same": {1.05, 1.06, 1}},
	} {
		for name, times := range times {
			slow := 0.001
			if times[0] > 2 {
				slow = 0.021
			}
			runtest.Average(side, name, slow, func(i int) float64 { return times[i%len(times)] })
		}
	}
	return compare.Compare(c.Base, c.Head, compare.Options{MeanWithin: func(string) float64 { return 0.01 }})
}

// cases returns comparisons that resemble real pull requests.
func cases(t testing.TB) map[string]*Finding {
	mixed := trial(t,
		codec("Encode/format=json", "ns/op", 1718, 1423, 1), codec("Encode/format=gob", "ns/op", 3066, 3070, 1),
		codec("Decode", "ns/op", 980, 1290, 1), codec("DecodeLarge", "ns/op", 98000, 109000, 1),
		codec("Noisy", "ns/op", 5200, 5500, 30), codec("Alloc", "allocs/op", 0, 2, 0), codec("Gone", "ns/op", 10, -1, 1), codec("Fresh", "ns/op", -1, 10, 1))
	mixed.Failures = []compare.Failure{{Side: record.Head, Target: "engine", Failure: record.Failure{Benchmark: "Broken", Reason: "panic: | `x`\n::error::no"}}}
	quiet := trial(t, codec("Encode", "ns/op", 100, 100.1, 1), codec("Decode", "ns/op", 50, 50.02, 1))
	var hostiles []bench
	for i, name := range hostile {
		hostiles = append(hostiles, bench{"evil.example/" + strings.ReplaceAll(name, " ", ""), name, "ns/op", 100, 100 + float64(i%3)*50, 1})
	}
	full := Options{
		Workflow: "perftrack-measure", Link: "https://git.example/o/r/actions/runs/7", OwnWorkflow: true, Pull: 12, Accept: "trailer",
		Commits: "https://git.example/o/r/commit/", History: "https://git.example/o/r/actions/workflows/perftrack-history.yml",
		Accepted: func(r *compare.Row) (string, bool) { return "larger window | `see` #12 @all", r.Name == "DecodeLarge" },
	}
	return map[string]*Finding{
		"mixed": New(mixed, full), "quiet": New(quiet, Options{Workflow: "w"}),
		"strict": New(mixed, Options{Strict: true}), "hostile": New(trial(t, hostiles...), Options{}),
		"short": New(cutShort(t, 6, codec("Decode", "ns/op", 980, 44730, 3), codec("Encode", "ns/op", 98000, 98100, 3), codec("Alloc", "allocs/op", 3, 3, 0)),
			Options{Workflow: "w", OwnWorkflow: true}),
		"limits":   New(bounded(t), Options{Accepted: func(r *compare.Row) (string, bool) { return "on |purpose|", r.Name == "Intended" }}),
		"kept":     New(compare.Compare(quiet.Base, quiet.Head, compare.Options{Limits: rules(t, "Encode <= 1 us", "Decode < 50 ns")}), Options{}),
		"packages": New(packages(t), full), "many": New(many(t), full),
		"open":  New(trial(t, codec("Decode", "ns/op", 100, 102, 40), codec("Encode", "ns/op", 100, 99, 40)), full),
		"alike": New(alike("example.com/codec"), full), "alike-program": New(alike("engine"), full),
		"lost": New(lost(t), full), "fork": New(compare.Compare(mixed.Base, mixed.Head, compare.Options{}),
			Options{Workflow: "w", Link: full.Link, Pull: 13, Fork: true, Accept: "trailer", OwnWorkflow: true}),
		"why":   New(mixed, because(full)),
		"chart": New(mixed, charted(full, mixed)), "hostile-charts": New(trial(t, hostiles...), Options{Histories: earlier(trial(t, hostiles...))}),
		"means": New(averaged(t), full), "means-strict": New(averaged(t), Options{Strict: true}),
		"empty": New(compare.Compare(compare.Side{}, compare.Side{}, compare.Options{}), Options{}),
	}
}

// because adds explanations for a regression, for another one whose cause is not known, for a
// benchmark that did not regress, and for one that does not exist.
func because(o Options) Options {
	o.Why = []Why{
		{Target: "engine", Package: "example.com/codec", Name: "Decode", Functions: []Function{
			{Name: "example.com/codec.(*decoder).read", Unit: "sec/op", Base: 300e-9, Head: 590e-9, Share: 0.94, Changed: true},
			{Name: "runtime.<b>@all`|", Unit: "sec/op", Base: 0, Head: 20e-9, Share: math.NaN()},
		}},
		{Target: "engine", Package: "example.com/codec", Name: "Alloc", Reason: "the budget for explanations, 5m, ended </details> @all"},
		{Target: "engine", Package: "example.com/codec", Name: "Encode/format=gob", Reason: "of no regression"},
		{Target: "engine", Package: "example.com/codec", Name: "Nobody", Functions: []Function{{Name: "of nobody", Unit: "sec/op"}}},
	}
	return o
}

// alike returns a comparison in which nothing changed in a package, or in the program engine.
func alike(name string) *compare.Comparison {
	c := compare.Compare(compare.Side{}, compare.Side{}, compare.Options{})
	c.Same = []compare.SameCode{{Target: "engine", Package: name, Benchmarks: 26}}
	return c
}

// lost returns a trial in which the head lacks most benchmarks.
func lost(t testing.TB) *compare.Comparison {
	c := trial(t, codec("Encode", "ns/op", 100, 100.1, 1), codec("Gone", "ns/op", 10, -1, 1))
	c.Failures = []compare.Failure{{Side: record.Head, Target: "engine", Failure: record.Failure{Benchmark: "example.com/codec", Reason: record.NotBuilt + "p.go:1:2: undefined: x"}}}
	return c
}

// golden compares a text with the named file in testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
	}
}

func TestGolden(t *testing.T) {
	for name, f := range cases(t) {
		state, description := f.Status()
		got := f.Comment() + "\n=== summary\n" + f.Summary() + "\n=== annotations\n" + strings.Join(f.Annotations(), "\n") +
			"\n=== status\n" + state + ": " + description + "\n"
		golden(t, name+".golden", got)
	}
}

func TestStatus(t *testing.T) {
	all := cases(t)
	worse := trial(t, codec("Decode", "ns/op", 100, 150, 1))
	interrupted := trial(t, codec("Decode", "ns/op", 100, 100, 1))
	interrupted.Head.Runs[0].Status = record.Partial
	unbuilt := func(side record.Side) *compare.Comparison {
		c := trial(t, codec("Decode", "ns/op", 100, 100, 1))
		c.Failures = []compare.Failure{{Side: side, Target: "engine", Failure: record.Failure{Benchmark: "p", Reason: record.NotBuilt + "p.go:1:2: undefined: x"}}}
		return c
	}
	yes := func(*compare.Row) (string, bool) { return "", true }
	for _, tt := range []struct {
		name    string
		f       *Finding
		state   string
		changed bool
	}{
		{"regressed and more", all["mixed"], Failure, true},
		{"nothing", all["quiet"], Success, false},
		{"no rows", all["empty"], Broken, true},
		{"regressed", New(worse, Options{}), Failure, true},
		{"accepted", New(worse, Options{Accepted: yes}), Success, true},
		{"not built", New(unbuilt(record.Head), Options{}), Broken, true},
		{"not built before", New(unbuilt(record.Base), Options{}), Success, true},
		{"interrupted", New(interrupted, Options{}), Broken, true},
		{"improved", New(trial(t, codec("Decode", "ns/op", 150, 100, 1)), Options{}), Success, true},
		{"undecided", New(trial(t, codec("Decode", "ns/op", 100, 100, 40)), Options{}), Success, false},
		{"not checked", all["short"], Broken, true},
		{"not checked, strict", New(cutShort(t, 8, codec("Decode", "ns/op", 100, 100, 1)), Options{Strict: true}), Broken, true},
		{"checked", New(cutShort(t, 9, codec("Decode", "ns/op", 100, 100, 1)), Options{Strict: true}), Success, false},
		{"undecided, strict", New(trial(t, codec("Decode", "ns/op", 100, 100, 40)), Options{Strict: true}), Failure, true},
	} {
		if state, text := tt.f.Status(); state != tt.state || tt.f.Changed() != tt.changed {
			t.Errorf("%s: %s (%s), changed %v; want %s, %v", tt.name, state, text, tt.f.Changed(), tt.state, tt.changed)
		}
	}
}

// The comment shows the worst benchmarks, for any number of benchmarks.
func TestSize(t *testing.T) {
	var benches []bench
	for i := range 3_000 {
		// The name has the maximum length and consists of characters with many bytes.
		name := fmt.Sprintf("%05d", i) + strings.Repeat("日", 160)
		benches = append(benches, bench{"p", name, "ns/op", 100, 300 + float64(i%97), 0.5})
	}
	c := trialOf(t, 2, benches...)
	// A test cannot have enough rounds for a verdict on one of 3,000 benchmarks, so set the
	// verdicts.
	for r := range c.Rows() {
		r.Verdict = compare.Regressed
	}
	f := New(c, Options{Workflow: "w"})
	for name, tt := range map[string]struct {
		text  string
		limit int
	}{"comment": {f.Comment(), MaxComment}, "summary": {f.Summary(), MaxSummary}} {
		if n := len(tt.text); n > tt.limit || n < tt.limit*9/10 {
			t.Errorf("%s: %d bytes of %d", name, n, tt.limit)
		}
		if !utf8.ValidString(tt.text) {
			t.Errorf("%s: not valid UTF-8", name)
		}
		if !strings.Contains(tt.text, "00096") || strings.Contains(tt.text, "`00000") {
			t.Errorf("%s: not the worst first", name)
		}
		if !strings.Contains(tt.text, "omitted to keep this short") || !strings.Contains(tt.text, "3000 benchmarks slower") {
			t.Errorf("%s: does not say what was left out", name)
		}
	}
	if n := len(f.Annotations()); n != MaxAnnotations {
		t.Errorf("%d annotations", n)
	}
}

// The reason for accepting a row is shown only once.
func TestAcceptedIsSaidOnce(t *testing.T) {
	c := trial(t, codec("Decode", "ns/op", 100, 150, 1))
	a := acceptance.List{{Target: "engine", Package: "example.com/codec", Benchmark: "Decode", Reason: "ok"}}
	a.Explain(c)
	if got := New(c, Options{Accepted: a.Reason}).Summary(); !strings.Contains(got, ">accepted: <code>ok</code></td>") {
		t.Errorf("not the verdict accepted, once, in\n%s", got)
	}
}

// A benchmark that fails on both sides is counted once, and the comment does not blame the change.
func TestFailedOnBothSides(t *testing.T) {
	c := trial(t, codec("Decode", "ns/op", 100, 100, 1))
	for _, side := range []record.Side{record.Base, record.Head} {
		c.Failures = append(c.Failures, compare.Failure{Side: side, Target: "engine", Failure: record.Failure{Benchmark: "Broken", Reason: "exit status 2"}})
	}
	f := New(c, Options{})
	if got, want := f.Verdict(), "1 benchmark failed on both sides"; !strings.Contains(got, want) {
		t.Errorf("no %q in %q", want, got)
	}
	if got := f.Comment(); strings.Count(got, "exit status 2") != 2 || !strings.Contains(got, "- failed on both sides, so this change is not the cause: ") || !strings.Contains(got, "; 1 failed on both sides<") {
		t.Errorf("it does not say once that base fails, too:\n%s", got)
	}
	if got := f.Annotations(); len(got) != 1 || !strings.Contains(got[0], "both sides: engine Broken") {
		t.Errorf("annotations %q", got)
	}
}

// A comment gives the number of omitted lines by verdict.
func TestSizeLeavesNoVerdictOut(t *testing.T) {
	const n = 403
	var benches []bench
	for i := range n {
		name := fmt.Sprintf("%03d", i) + strings.Repeat("日", 160)
		benches = append(benches, bench{"p", name, "ns/op", 100, 200, 0.5}, bench{"p", name, "B/op", 1, 1, 0}, bench{"p", name, "allocs/op", 1, 1, 0})
		benches = append(benches, bench{"p", "Gone" + name, "ns/op", 1, -1, 0})
	}
	c := trial(t, benches...)
	improved := 0
	for r := range c.Rows() {
		switch {
		case !r.Compared():
		case r.Unit == "B/op":
			r.Verdict = compare.Unchanged
		case r.Unit == "allocs/op":
			r.Verdict = compare.Inconclusive
		case improved < n/4:
			r.Verdict = compare.Improved
			improved++
		default:
			r.Verdict = compare.Regressed
		}
	}
	f := New(c, Options{})
	text := f.Comment()
	if len(text) > MaxComment || len(text) < MaxComment*9/10 {
		t.Errorf("%d bytes", len(text))
	}
	shown := strings.Count(text, ">❌ slower<")
	for _, want := range []string{
		fmt.Sprintf("\n%d more benchmarks that changed, by less, omitted to keep this short: %d regressed, %d improved\n", n-shown, n-shown-improved, improved),
		"\n403 rows unchanged (omitted to keep this short)\n",
		"\nnumbers of 403 changed rows (omitted to keep this short)\n",
		"\n403 rows undecided (omitted to keep this short)\n",
		"judged; 403 missing",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text[max(0, len(text)-2000):])
		}
	}
	check(t, text)
}

func TestMarker(t *testing.T) {
	for in, want := range map[string]string{
		"perftrack measure": "<!-- perftrack:v1:perftrack-measure -->", "": "<!-- perftrack:v1: -->", "a-->b": "<!-- perftrack:v1:a-b -->",
		"--": "<!-- perftrack:v1:- -->", "---": "<!-- perftrack:v1:- -->",
	} {
		if got := Marker(in); got != want {
			t.Errorf("Marker(%q) = %q, want %q", in, got, want)
		}
	}
}

// If several trials are compared, rows name their trial, and there are no means, because a mean
// would count a benchmark more than once.
func TestSeveralTrials(t *testing.T) {
	base, head := compare.Side{}, compare.Side{}
	for i, id := range []string{"t1", "t2"} {
		c := trial(t, bench{"", "Sort", "ns/op", 100, 100 + 50*float64(i), 1}, bench{"", "Hash", "ns/op", 100, 100 + 50*float64(i), 1})
		for _, side := range []*compare.Side{&c.Base, &c.Head} {
			for _, r := range side.Runs {
				r.Trial = id
			}
		}
		base.Runs, head.Runs = append(base.Runs, c.Base.Runs...), append(head.Runs, c.Head.Runs...)
	}
	text := New(compare.Compare(base, head, compare.Options{}), Options{}).Comment()
	for _, want := range []string{"<code>Sort</code><br><sub><code>(trial t2)</code></sub>", "<code>Sort</code><br><sub><code>sec/op</code></sub><br><sub><code>(trial t1)</code></sub>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "Geomean") {
		t.Errorf("a mean over two trials of one benchmark:\n%s", text)
	}
}
