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

// An Outcome is the result of a benchmark in one unit or in all units, as shown by CI systems. See
// [JUnit], [CodeQuality] and [SARIF].
type Outcome struct {
	Target string
	record.BenchmarkID
	Unit  string // "" for the whole benchmark
	Trial string // set if several trials are compared
	State State
	Words string // in perftrack's own words: the change and its evidence, or why there is none
	// Detail may be external text: the reason for a failure or for an acceptance.
	Detail string
}

// A State says what an outcome means for the decision to merge.
type State string

// The states of outcomes. Those that are findings have a row in [findings].
const (
	Passed     State = "passed"      // unchanged, improved, accepted, or only measured
	Undecided  State = "undecided"   // inconclusive, or without a verdict
	Regressed  State = "regressed"   // makes the check fail
	NotChecked State = "not-checked" // there were too few rounds to show a regression
	Broken     State = "failed"      // there are no samples
	Beyond     State = "limit"       // misses a limit and makes the check fail
	Warned     State = "limit-known" // misses a limit missed before
	Missing    State = "missing"     // head does not have the benchmark
	Suspected  State = "suspect"     // got worse in a comparison of unpaired runs
	NoResult   State = "no-result"   // the whole command failed
)

// A finding is a state that needs attention, in the terms of CI formats.
type finding struct {
	state    State
	title    string // the name of the rule in SARIF
	help     string
	level    string // the level in SARIF
	severity string // the severity in a Code Quality report
}

var findings = []finding{
	{Regressed, "Benchmark Regressed", "Both sides were measured in pairs, and the rounds prove the change at the given error rate.", "error", "major"},
	{NotChecked, "Benchmark Not Checked", "The budget or the number of rounds was too small to show any regression: increase it.", "error", "major"},
	{Beyond, "Limit Missed", "The median is proven to exceed a limit in perftrack.toml that the other side, if there is one, meets.", "error", "major"},
	{Warned, "Limit Missed Before", "The median is proven to exceed a limit in perftrack.toml, and the other side misses it, too, or is undecided.", "warning", "minor"},
	{Broken, "Benchmark Failed", "The benchmark produced no samples, or its package did not build.", "error", "major"},
	{Missing, "Benchmark Missing", "The base has this benchmark, but the head does not.", "warning", "minor"},
	{Suspected, "Benchmark Suspect", "The runs are unpaired, so the machine may have caused the change: decide with perftrack check.", "warning", "minor"},
	{NoResult, "No Result", "The command failed, so the results are incomplete.", "error", "blocker"},
}

// finding returns the row of [findings] for the outcome's state. It returns false if the outcome is
// not a finding.
func (o Outcome) finding() (finding, bool) {
	i := slices.IndexFunc(findings, func(f finding) bool { return f.state == o.State })
	if i < 0 {
		return finding{}, false
	}
	return findings[i], true
}

// A Place is where a benchmark is declared. Path is slash-separated and relative to the root of the
// repository; Line counts from 1.
type Place struct {
	Path string
	Line int
}

// outcomes returns the outcomes of the report, including one for a failed command. Without any, it
// returns an outcome saying so, because an empty report must not look like a success.
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

// worth returns the findings among the outcomes. A finding in several trials is returned only once.
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

// place returns where the outcome's benchmark is declared, or the zero Place if that is unknown.
func (r Report) place(o Outcome) Place {
	if r.Where == nil {
		return Place{}
	}
	return r.Where(o.Target, o.BenchmarkID)
}

// fingerprint identifies a finding across runs. It does not depend on measured numbers.
func (o Outcome) fingerprint() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		"perftrack 1", string(o.State), o.Target, string(o.Kind), o.Package, o.Suite, o.Name, o.Unit,
	}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// Gates reports whether the outcome makes a check fail.
func (o Outcome) Gates() bool {
	switch o.State {
	case Regressed, Beyond, NotChecked, Broken, NoResult:
		return true
	}
	return false
}

// title names the outcome within its target, package and suite.
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

// group returns the target, package and suite of the outcome.
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

// text returns the outcome's words followed by its detail.
func (o Outcome) text() string {
	if o.Detail == "" {
		return o.Words
	}
	return o.Words + ": " + o.Detail
}

// sentence describes the benchmark and its result in one line. External names are in code spans, so
// that Markdown readers do not interpret them.
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

// firstLine returns the first line of a text, ignoring leading white space.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// Failed returns the outcome for a failed benchmark or package.
func Failed(target string, f record.Failure) Outcome {
	name := f.Benchmark
	if name == "" {
		name = target
	}
	o := Outcome{Target: target, State: Broken, Words: "failed", Detail: f.Reason}
	if f.Unbuilt() { // the name belongs to a package
		o.Package, o.Name = name, name
		return o
	}
	if m := inPackage.FindStringSubmatch(name); m != nil {
		o.Package, name = m[1], m[2]
	}
	o.Name = name
	return o
}

// inPackage matches a benchmark's name preceded by its import path, as in failures. Both may
// contain dots.
var inPackage = regexp.MustCompile(`^(.+?)\.([\p{Lu}_][^./]*(?:/.*)?)$`)
