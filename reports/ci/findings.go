package ci

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A finding describes a state that needs attention, in the terms of CI formats.
type finding struct {
	state    reports.State
	title    string // the name of the rule in SARIF
	help     string
	level    string // the level in SARIF
	severity string // the severity in a Code Quality report
}

var findings = []finding{
	{reports.Regressed, "Benchmark Regressed", "Both sides were measured in pairs, and the rounds prove the change at the given error rate.", "error", "major"},
	{reports.NotChecked, "Benchmark Not Checked", "The budget or the number of rounds was too small to show any regression: increase it.", "error", "major"},
	{reports.Beyond, "Limit Missed", "The median is proven to exceed a limit in perftrack.toml that the other side, if there is one, meets.", "error", "major"},
	{reports.Warned, "Limit Missed Before", "The median is proven to exceed a limit in perftrack.toml, and the other side misses it, too, or is undecided.", "warning", "minor"},
	{reports.Broken, "Benchmark Failed", "The benchmark produced no samples, or its package did not build.", "error", "major"},
	{reports.Missing, "Benchmark Missing", "The base has this benchmark, but the head does not.", "warning", "minor"},
	{reports.Suspected, "Benchmark Suspect", "The runs are unpaired, so the machine may have caused the change: decide with perftrack check.", "warning", "minor"},
	{reports.NoResult, "No Result", "The command failed, so the results are incomplete.", "error", "blocker"},
}

// findingOf returns the row of [findings] for the outcome's state. It returns false if the outcome is
// not a finding.
func findingOf(o reports.Outcome) (finding, bool) {
	i := slices.IndexFunc(findings, func(f finding) bool { return f.state == o.State })
	if i < 0 {
		return finding{}, false
	}
	return findings[i], true
}

// outcomes returns the outcomes of the report, including one for a failed command. If there are
// none, it returns a single outcome for the empty report, because an empty report must not look
// like a success.
func outcomes(r reports.Report) (all []reports.Outcome) {
	if r.Outcomes != nil {
		all = r.Outcomes()
	}
	if f := r.Failure; f != nil {
		all = append(all, reports.Outcome{State: reports.NoResult, Words: f.Words(), Detail: f.Message})
	}
	if len(all) == 0 {
		words := r.Summary
		if words == "" {
			words = "nothing was measured"
		}
		all = []reports.Outcome{{State: reports.Undecided, Words: words}}
	}
	return all
}

// worth returns the outcomes that are findings. A finding that occurs in several trials is returned
// only once.
func worth(r reports.Report) (out []reports.Outcome) {
	seen := map[string]bool{}
	for _, o := range outcomes(r) {
		if _, ok := findingOf(o); ok && !seen[fingerprint(o)] {
			seen[fingerprint(o)] = true
			out = append(out, o)
		}
	}
	return out
}

// place returns where the outcome's benchmark is declared, or the zero Place if that is unknown.
func place(r reports.Report, o reports.Outcome) reports.Place {
	if r.Where == nil {
		return reports.Place{}
	}
	return r.Where(o.Target, o.BenchmarkID)
}

// fingerprint returns a stable identifier of a finding. It does not depend on measured numbers.
func fingerprint(o reports.Outcome) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		"perftrack 1", string(o.State), o.Target, string(o.Kind), o.Package, o.Suite, o.Name, o.Unit,
	}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// title returns the benchmark's name, preceded by its target, package and suite.
func title(o reports.Outcome) string {
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
func group(o reports.Outcome) string {
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
func text(o reports.Outcome) string {
	if o.Detail == "" {
		return o.Words
	}
	return o.Words + ": " + o.Detail
}

// sentence describes the benchmark and its result in one line. External names are in code spans, so
// that Markdown readers do not interpret them.
func sentence(o reports.Outcome) string {
	if o.State == reports.NoResult {
		return fmt.Sprintf("perftrack %s %s", o.Words, reports.CodeSpan(firstLine(o.Detail)))
	}
	line := reports.CodeSpan(title(o)) + " " + reports.Visible(o.Words)
	if o.Detail != "" {
		line += ": " + reports.CodeSpan(firstLine(o.Detail))
	}
	return line
}

// firstLine returns the first line of a text, ignoring leading white space.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
