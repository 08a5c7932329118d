package reports

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/record"
)

// An Outcome is what became of a benchmark in one unit, or of all of it: what a CI shows on
// its own pages, see [JUnit], [CodeQuality] and [SARIF].
type Outcome struct {
	Target string
	record.BenchmarkID
	Unit  string // "" where it is of the whole benchmark
	Trial string // which one, where several are compared
	State State
	Words string // of perftrack's own: the change and what it rests on, or why there is none
	// Detail is what the words are about, and may come from outside: the reason of a
	// failure, or of an acceptance.
	Detail string
}

// A State is what an outcome means for whoever decides whether to merge.
type State string

// The states. Those that are findings have a row in [findings].
const (
	Passed    State = "passed"      // unchanged, improved, accepted, or measured
	Undecided State = "undecided"   // nothing is claimed: inconclusive, or no verdict at all
	Regressed State = "regressed"   // it gates
	Unchecked State = "not-checked" // no regression could have been shown
	Broken    State = "failed"      // it gave no samples
	Beyond    State = "limit"       // it misses a limit, and gates
	Warned    State = "limit-known" // it misses a limit, as it did before
	Missing   State = "missing"     // head has it no more
	Suspected State = "suspect"     // measured apart, and changed for the worse
	NoResult  State = "no-result"   // the command as a whole failed
)

// A finding is a state that somebody should look at, as the formats of CIs have it.
type finding struct {
	state    State
	title    string // of the rule in SARIF
	help     string
	level    string // in SARIF
	severity string // in the Code Quality report
}

var findings = []finding{
	{Regressed, "Benchmark Regressed", "Both sides were measured in pairs, and the rounds prove the change beyond the error rate.", "error", "major"},
	{Unchecked, "Benchmark Not Checked", "The budget or the rounds ended before any regression could have been shown: give the check more.", "error", "major"},
	{Beyond, "Limit Missed", "The median is proven to lie beyond a limit of perftrack.toml, which the other side, where there is one, keeps to.", "error", "major"},
	{Warned, "Limit Missed Before", "The median is proven to lie beyond a limit of perftrack.toml, and the other side does not keep to it either, or does not decide it.", "warning", "minor"},
	{Broken, "Benchmark Failed", "The benchmark gave no samples, or its package was not built.", "error", "major"},
	{Missing, "Benchmark Missing", "The base has this benchmark and the head does not.", "warning", "minor"},
	{Suspected, "Benchmark Suspect", "The sides were measured apart, so the change may be the machine's: perftrack check decides.", "warning", "minor"},
	{NoResult, "No Result", "The command failed, so what it did not say is not proven.", "error", "blocker"},
}

// finding returns the row of the outcome's state, if it is one.
func (o Outcome) finding() (finding, bool) {
	i := slices.IndexFunc(findings, func(f finding) bool { return f.state == o.State })
	if i < 0 {
		return finding{}, false
	}
	return findings[i], true
}

// A Place is where a benchmark is declared: a path from the root of the repository, with
// slashes, and a line from 1.
type Place struct {
	Path string
	Line int
}

// outcomes are those of the report, and that of the command if it failed. A report without
// any says so: nothing must look like a success that found nothing.
func (r Report) outcomes() (all []Outcome) {
	if r.Outcomes != nil {
		all = r.Outcomes()
	}
	if f := r.Failure; f != nil {
		all = append(all, Outcome{State: NoResult, Words: f.words(), Detail: f.Message})
	}
	if len(all) == 0 {
		words := r.Summary
		if words == "" {
			words = "nothing was measured"
		}
		all = []Outcome{{State: Undecided, Words: words}}
	}
	return all
}

// worth are the findings among the outcomes, each one once however many trials have it.
func (r Report) worth() (out []Outcome) {
	seen := map[string]bool{}
	for _, o := range r.outcomes() {
		if _, ok := o.finding(); ok && !seen[o.fingerprint()] {
			seen[o.fingerprint()] = true
			out = append(out, o)
		}
	}
	return out
}

// place is where the outcome's benchmark is declared, as far as anybody knows.
func (r Report) place(o Outcome) Place {
	if r.Where == nil {
		return Place{}
	}
	return r.Where(o.Target, o.BenchmarkID)
}

// fingerprint tells a finding from others, and stays the same from run to run: it knows no
// number.
func (o Outcome) fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		"perftrack 1", string(o.State), o.Target, string(o.Kind), o.Package, o.Suite, o.Name, o.Unit,
	}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Gates reports whether a check does not pass with this outcome.
func (o Outcome) Gates() bool {
	switch o.State {
	case Regressed, Beyond, Unchecked, Broken, NoResult:
		return true
	}
	return false
}

// title names the outcome among those of its target, package and suite.
func (o Outcome) title() string {
	name := o.Name
	if name == "" {
		name = "perftrack"
	}
	if o.Kind == record.Scope {
		name += " (scope)"
	}
	if o.Unit != "" {
		name += " " + o.Unit
	}
	if o.Trial != "" {
		name += " (trial " + o.Trial + ")"
	}
	return name
}

// group is what the outcome is listed under: its target, package and suite.
func (o Outcome) group() string {
	var parts []string
	for _, p := range []string{o.Target, o.Package, o.Suite} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return "perftrack"
	}
	return strings.Join(parts, " ")
}

// text is the outcome in words, with what it is about.
func (o Outcome) text() string {
	if o.Detail == "" {
		return o.Words
	}
	return o.Words + ": " + o.Detail
}

// sentence names the benchmark and says what became of it, in one line. Names from outside
// stand in code spans, which keep a reader of Markdown from anything else in them.
func (o Outcome) sentence() string {
	if o.State == NoResult {
		return fmt.Sprintf("perftrack %s %s", o.Words, CodeSpan(firstLine(o.Detail)))
	}
	line := CodeSpan(o.title()) + " " + visible(o.Words)
	if o.Detail != "" {
		line += ": " + CodeSpan(firstLine(o.Detail))
	}
	return line
}

// firstLine is the first line of a text that is not empty.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Failed is the outcome of a benchmark, or of a package, that failed.
func Failed(target string, f record.Failure) Outcome {
	name := f.Benchmark
	if name == "" {
		name = target
	}
	o := Outcome{Target: target, State: Broken, Words: "failed", Detail: f.Reason}
	if f.Unbuilt() { // it names a package
		o.Package, o.Name = name, name
		return o
	}
	if m := inPackage.FindStringSubmatch(name); m != nil {
		o.Package, name = m[1], m[2]
	}
	o.Name = name
	return o
}

// inPackage matches a benchmark's name with the import path in front, as failures have it.
// Both may have dots.
var inPackage = regexp.MustCompile(`^(.+?)\.([\p{Lu}_][^./]*(?:/.*)?)$`)
