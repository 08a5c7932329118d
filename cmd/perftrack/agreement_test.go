package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/gating"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/compare/gates"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A played is a simulated trial of a module with thirty benchmarks in three packages.
type played struct {
	base, head *record.Run
	opt        compare.Options
	change     func(*compare.Comparison)
}

// playTrial returns a trial in which benchmark number i costs base(i) on base and head(i) on head;
// a cost of 0 leaves the benchmark out on that side. noise scatters the rounds, differently on each
// side.
func playTrial(t *testing.T, rounds int, noise float64, base, head func(i int) float64) *played {
	t.Helper()
	side := func(name record.Side, sha string, step int, cost func(i int) float64) *record.Run {
		text := ""
		for i := range 30 {
			text += fmt.Sprintf("pkg: example.com/m/p%d\n", i/10)
			for round := range rounds {
				if at := cost(i); at > 0 {
					text += fmt.Sprintf("round: %d\nBenchmarkB%02d 100 %.5g ns/op 0 B/op\n", round+1, i, 1000*at*(1+0.1*noise*float64((round*step+i)%10)))
				}
			}
		}
		if !strings.Contains(text, "Benchmark") {
			return &record.Run{Target: "m", Trial: "t", Side: name, Commit: record.Commit{SHA: strings.Repeat(sha, 40)}, Status: record.Failed}
		}
		r := runtest.Parse(t, text)[0]
		r.Target, r.Trial, r.Side, r.Commit.SHA, r.Status = "m", "t", name, strings.Repeat(sha, 40), record.Complete
		return r
	}
	p := &played{base: side(record.Base, "a", 7, base), head: side(record.Head, "b", 3, head)}
	for _, r := range []*record.Run{p.base, p.head} {
		pairs.SetDecision(r)
		r.Protocol.Procedure = pairs.ProcedureCheck
	}
	return p
}

func (p *played) compare() *compare.Comparison {
	c := compare.Compare(compare.Side{Runs: []*record.Run{p.base}}, compare.Side{Runs: []*record.Run{p.head}}, p.opt)
	if p.change != nil {
		p.change(c)
	}
	return c
}

// The exit code, the commit status, the JSON document, the files for CI systems and the first line
// of each report agree on whether a change may be merged. testdata/agreement.json holds the JSON
// documents for a test of perftrack-mcp.
func TestGateAgrees(t *testing.T) {
	same := func(int) float64 { return 1 }
	none := func(int) float64 { return 0 }
	only := func(at, rest float64, which ...int) func(int) float64 {
		return func(i int) float64 {
			if slices.Contains(which, i) {
				return at
			}
			return rest
		}
	}
	trial := func(base, head func(int) float64) *played { return playTrial(t, 20, 0.01, base, head) }
	with := func(p *played, change func(*played)) *played { change(p); return p }
	fails := func(r *record.Run, benchmark, reason string) {
		r.Status = record.Failed
		r.AddFailure(benchmark, reason)
	}
	const undefined = record.NotBuilt + "p0/p.go:3:1: undefined: x"
	accept := func(c *compare.Comparison) {
		acceptance.List{{Target: "m", Package: "example.com/m/p0", Benchmark: "B03", Reason: "worth it"}}.Explain(c)
	}
	meanWithin := func(bound float64) *played {
		return with(trial(same, same), func(p *played) { p.opt.MeanWithin = func(string) float64 { return bound } })
	}
	limits := func(text string) limit.List {
		l, err := limit.Parse("B03", text)
		if err != nil {
			t.Fatal(err)
		}
		return limit.List{l}
	}
	var agreed []agreedDocument
	for _, tt := range []struct {
		name   string
		p      *played
		strict bool
		code   int
		state  string
		says   string // in the first line of the comment
	}{
		{"nothing changed", trial(same, same), true, 0, "success", "30 benchmarks unchanged"},
		{"one slower", trial(same, only(1.5, 1, 3)), false, 1, "failure", "1 benchmark slower"},
		{"one slower beside a failure", with(trial(same, only(1.5, 1, 3)), func(p *played) { fails(p.head, "example.com/m/p1.Gone", "panic: boom") }), false, 1, "failure", "1 benchmark slower"},
		{"slower, accepted", with(trial(same, only(1.5, 1, 3)), func(p *played) { p.change = accept }), false, 0, "success", "1 benchmark slower as accepted"},
		{"another slower, too", with(trial(same, only(1.5, 1, 3, 4)), func(p *played) { p.change = accept }), false, 1, "failure", "1 benchmark slower, `B04`"},
		{"faster", trial(same, only(0.5, 1, 3)), true, 0, "success", "1 benchmark faster"},
		{"beyond a limit", with(trial(same, only(1.04, 1, 3)), func(p *played) {
			p.opt.Limits, p.opt.Threshold = limits("<= 1.03 us"), func(string) float64 { return 0.5 }
		}), false, 1, "failure", "1 benchmark beyond a limit"},
		{"beyond a limit before", with(trial(same, same), func(p *played) { p.opt.Limits = limits("<= 0.5 us") }), false, 0, "success", "30 benchmarks unchanged"},
		{"panics on head", with(trial(only(0, 1, 3), only(0, 1, 3)), func(p *played) { fails(p.head, "example.com/m/p0.B03", "exit status 2: panic: boom") }), false, 2, "failure", "1 benchmark failed in head"},
		{"panics on head after some rounds", with(trial(same, same), func(p *played) { fails(p.head, "example.com/m/p0.B03", "exit status 2: panic: boom") }), false, 2, "failure", "1 benchmark failed in head"},
		{"panics on both", with(trial(only(0, 1, 3), only(0, 1, 3)), func(p *played) {
			fails(p.head, "example.com/m/p0.B03", "panic: boom")
			fails(p.base, "example.com/m/p0.B03", "panic: boom")
		}), false, 0, "success", "1 benchmark failed on both sides"},
		{"panics on both, strict", with(trial(only(0, 1, 3), only(0, 1, 3)), func(p *played) {
			fails(p.head, "example.com/m/p0.B03", "panic: boom")
			fails(p.base, "example.com/m/p0.B03", "panic: boom")
		}), true, 3, "failure", "1 benchmark failed on both sides"},
		{"mended by head", with(trial(only(0, 1, 3), same), func(p *played) { fails(p.base, "example.com/m/p0.B03", "panic: boom") }), false, 0, "success", "1 benchmark failed in base"},
		{"base panics, and nothing else is measured", with(trial(none, none), func(p *played) { fails(p.base, "example.com/m/p0.B03", "panic: boom") }), false, 2, "error", "1 benchmark failed in base"},
		{"a package of head does not build", with(trial(same, func(i int) float64 { return float64(min(i/10, 1)) }), func(p *played) { fails(p.head, "example.com/m/p0", undefined) }), false, 2, "error", "1 package does not build in head · ✅ 20 benchmarks unchanged"},
		{"a package of base does not build", with(trial(func(i int) float64 { return float64(min(i/10, 1)) }, same), func(p *played) { fails(p.base, "example.com/m/p0", undefined) }), false, 0, "success", "1 package does not build in base"},
		{"base does not build", with(trial(none, none), func(p *played) {
			for i := range 3 {
				fails(p.base, fmt.Sprintf("example.com/m/p%d", i), undefined)
			}
		}), false, 2, "error", "3 packages do not build in base"},
		{"base lacks an entry of go.sum", with(trial(none, none), func(p *played) { fails(p.base, "", "missing go.sum entry") }), false, 2, "error", "1 target failed in base"},
		{"the proxy refuses both sides", with(trial(none, none), func(p *played) {
			for _, r := range []*record.Run{p.base, p.head} {
				fails(r, "the list of packages ./...", record.NotBuilt+"dial tcp: connection refused")
			}
		}), false, 2, "error", "1 package does not build on either side"},
		{"one missing", trial(same, only(0, 1, 3)), false, 0, "success", "1 benchmark missing"},
		{"one missing, strict", trial(same, only(0, 1, 3)), true, 3, "failure", "1 benchmark missing"},
		{"one new", trial(only(0, 1, 3), same), true, 0, "success", "1 new"},
		{"all new", trial(none, same), true, 0, "success", "30 benchmarks new"},
		{"too few rounds", playTrial(t, 4, 0.01, same, only(4, 1, 3)), false, 2, "error", "30 benchmarks not checked"},
		{"no round at all", with(trial(none, none), func(p *played) {
			for _, r := range []*record.Run{p.base, p.head} {
				r.Status = record.Complete
				r.Protocol.Starved = &record.Starved{Benchmarks: 57, Rounds: 15}
				r.Protocol.Unreached = []record.Count{{Package: "example.com/m/p1", Benchmarks: 8}}
			}
		}), false, 2, "error", "57 benchmarks not checked"},
		{"nothing reached", with(trial(none, none), func(p *played) {
			for _, r := range []*record.Run{p.base, p.head} {
				r.Status = record.Complete
				r.Protocol.Unreached = []record.Count{{Package: "example.com/m/p1", Benchmarks: 30}}
			}
		}), true, 0, "success", "no benchmark's code changed"},
		{"interrupted", with(trial(same, same), func(p *played) { p.head.Status = record.Partial }), false, 2, "error", "the measurement was interrupted"},
		{"undecided", playTrial(t, 20, 0.6, same, same), false, 0, "success", "undecided"},
		{"undecided, strict", playTrial(t, 20, 0.6, same, same), true, 3, "failure", "undecided"},
		{"a mean that is proven less than asked", meanWithin(0.001), false, 0, "success", "30 benchmarks unchanged"},
		{"a mean that is proven less than asked, strict", meanWithin(0.001), true, 3, "failure", "30 benchmarks with a mean proven less precisely than required"},
		{"a mean that is proven as asked, strict", meanWithin(0.5), true, 0, "success", "30 benchmarks unchanged"},
		{"a part is lost", with(trial(same, same), func(p *played) {
			for _, r := range []*record.Run{p.base, p.head} {
				r.Protocol.Part = &record.Part{N: 1, Of: 4, Own: 30, All: 120, Division: "d"}
			}
		}), false, 2, "error", "parts 2, 3 and 4 of 4 were not checked"},
		{"other targets", with(trial(same, same), func(p *played) { p.head.Target = "n" }), false, 2, "error", ""},
		{"measured by a later version", with(trial(same, only(1.5, 1, 3)), func(p *played) {
			for _, r := range []*record.Run{p.base, p.head} {
				r.Protocol.Decision = "e-process"
			}
		}), false, 2, "error", "nothing could be compared"},
		{"sides on different CPUs", with(trial(same, only(1.5, 1, 3)), func(p *played) {
			p.base.Env, p.head.Env = p.base.Env.Set(record.KeyCPU, "A"), p.head.Env.Set(record.KeyCPU, "B")
		}), false, 2, "error", "nothing could be compared"},
		{"an untried target", with(trial(same, same), func(p *played) {
			p.change = func(c *compare.Comparison) { c.Untried = []compare.Untried{{Target: "slow"}} }
		}), false, 0, "success", "1 target in the base not measured"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.p.compare()
			verdict := gating.Trial(c, tt.strict)
			ctx := context.Background()
			var out bytes.Buffer
			term := &console.Console{Stdout: io.Discard, Stderr: &out}
			if code := term.Exit(ctx, verdict); code != tt.code {
				t.Errorf("exit code %d, want %d: %s", code, tt.code, &out)
			}
			f := github.New(c, github.Options{Strict: tt.strict})
			if state, description := f.Status(); state != tt.state || !strings.Contains(f.Comment(), "status "+state) && !strings.Contains(f.Comment(), "Status "+state) {
				t.Errorf("status %s, want %s: %s", state, tt.state, description)
			}
			blocks := tt.state != "success"
			end := comparison.Blocks(tt.state)
			says := gates.Decide(c, gates.Options{Strict: tt.strict})
			report := comparison.View{Gate: &says}.Report(c)
			for name, text := range map[string]string{"comment": f.Comment(), "summary": f.Summary(), "text": written(t, "text", report.Terminal()), "Markdown": written(t, "markdown", report)} {
				first := firstLineOf(text)
				if !strings.HasSuffix(first, end) || strings.Contains(first, "ok, ") == blocks && blocks {
					t.Errorf("the %s begins %q, want it to end in %q", name, first, end)
				}
				if name == "comment" && !strings.Contains(first, tt.says) {
					t.Errorf("the %s begins %q, want %q", name, first, tt.says)
				}
				if mark := strings.Contains(first, "### ✅"); mark && blocks {
					t.Errorf("the %s begins %q", name, first)
				}
			}
			wantGate := map[string]any{"result": string(says.Result)}
			if says.Cause != "" {
				wantGate["cause"] = string(says.Cause)
			}
			if got := gateDocument(t, report)["gate"]; !reflect.DeepEqual(got, wantGate) {
				t.Errorf("the JSON document has the gate %v, want %v", got, wantGate)
			}
			strict := gateDocument(t, comparison.View{Gate: strictGate(c)}.Report(c))
			var strictOut bytes.Buffer
			code := (&console.Console{Stdout: io.Discard, Stderr: &strictOut}).Exit(ctx, gating.Trial(c, true))
			agreed = append(agreed, agreedDocument{tt.name, code, strict})
			term.Results = []func(string) reports.Report{console.Always(gating.Failing(report, verdict))}
			junit, err := term.Render("junit", console.FailureOf(ctx, verdict), verdict != nil)
			if err != nil {
				t.Fatal(err)
			}
			if red := isRed(t, junit); red != blocks {
				t.Errorf("JUnit is red: %v, want %v\n%s", red, blocks, junit)
			}
			for format, worst := range map[string]string{"sarif": `"level": "error"`, "codequality": `"severity": "(major|blocker)"`} {
				text, err := term.Render(format, console.FailureOf(ctx, verdict), verdict != nil)
				if err != nil {
					t.Fatal(err)
				}
				_, results, _ := strings.Cut(string(text), `"results"`) // in SARIF, the rules come first
				if format == "codequality" {
					results = string(text)
				}
				if red := regexp.MustCompile(worst).MatchString(results); red != blocks {
					t.Errorf("%s is red: %v, want %v\n%s", format, red, blocks, text)
				}
			}
			if tone := documents.NewComparison("k", c, nowhere()).Tone; tone == "good" && blocks || tone == "bad" && tt.state == "success" {
				t.Errorf("the page is %s, and the status %s", tone, tt.state)
			}
			// The outcomes computed without the gate agree with it.
			if alone := slices.ContainsFunc(comparison.Outcomes(c, gates.NoUnpaired), reports.Outcome.Gates); c.Trial() && alone != blocks && !tt.strict {
				t.Errorf("the outcomes gate: %v, want %v", alone, blocks)
			}
			if gate := (console.GateError{}); errors.As(verdict, &gate) != (tt.code == 1 || tt.code == 3) {
				t.Errorf("verdict %v", verdict)
			}
		})
	}
	var lines []string
	for _, d := range agreed {
		line, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(line))
	}
	text := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	golden := filepath.Join("testdata", "agreement.json")
	if *update {
		if err := os.WriteFile(golden, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != text {
		t.Errorf("%s is not up to date (-update rewrites it): %v", golden, err)
	}
}

// An agreedDocument is the part of a strict comparison read by perftrack-mcp.
type agreedDocument struct {
	Name     string         `json:"name"`
	Status   int            `json:"status"`
	Document map[string]any `json:"document"`
}

func strictGate(c *compare.Comparison) *gates.Gate {
	g := gates.Decide(c, gates.Options{Strict: true})
	return &g
}

// gateDocument returns the gate and the verdict counts in r's JSON document, and its lists with
// each entry emptied.
func gateDocument(t *testing.T, r reports.Report) map[string]any {
	t.Helper()
	var all map[string]any
	if err := json.Unmarshal([]byte(written(t, "json", r)), &all); err != nil {
		t.Fatal(err)
	}
	document := map[string]any{"gate": all["gate"], "verdicts": all["verdicts"]}
	for _, key := range []string{"tables", "missing", "failures", "same_code", "unreached"} {
		if list, ok := all[key].([]any); ok {
			document[key] = slices.Repeat([]struct{}{{}}, len(list))
		}
	}
	return document
}

// nowhere returns a lookup that finds nothing on the page.
func nowhere() documents.Lookup {
	none := func(string) int { return -1 }
	return documents.Lookup{Commit: none, Run: none, Environment: none, Benchmark: func(string, record.BenchmarkID) int { return -1 }}
}

func written(t *testing.T, format string, r reports.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := console.Write(&b, format, r, reports.TextOptions{Width: 400}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// firstLineOf returns the first line of a report, apart from markers and its title.
func firstLineOf(text string) string {
	for line := range strings.Lines(text) {
		line = strings.Trim(strings.TrimSpace(line), "*")
		if line != "" && !strings.HasPrefix(line, "<!--") && line != "## Comparison" {
			return line
		}
	}
	return ""
}

// isRed reports whether a CI system would show the JUnit file as a failure.
func isRed(t *testing.T, junit []byte) bool {
	t.Helper()
	var all struct {
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	if err := xml.Unmarshal(junit, &all); err != nil {
		t.Fatal(err)
	}
	return all.Failures+all.Errors > 0
}
