package github

import (
	"fmt"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
	"github.com/perftrack/perftrack/runner/record"
)

// Annotations returns the annotations for a GitHub Actions job: errors for regressions, blocking
// limits and unchecked benchmarks, warnings for other missed limits and for failed, missing or
// undecided benchmarks, and notices for the other changes. It returns at most MaxAnnotations of
// each kind. If there are more, the last one counts the rest.
func (f *Finding) Annotations() []string {
	var errors, warnings, notices []string
	for _, r := range f.changed {
		w := comparison.Words(f.c, r.table, r.row)
		unit := r.row.Unit
		if r.row.ByMean {
			unit += " (mean)"
		}
		text := fmt.Sprintf("%s %s: %s, %s; medians %s -> %s", f.name(r, w), unit, estimate(r, w), measured(w), w.Base, w.Head)
		switch r.verdict() {
		case compare.Regressed:
			errors = append(errors, Command("error", "regressed", text))
		case digest.Accepted:
			notices = append(notices, Command("notice", "regressed as accepted", text+": "+r.accept))
		default:
			notices = append(notices, Command("notice", string(r.verdict()), text))
		}
	}
	beyond, known := f.limitAnnotations()
	errors, warnings = append(errors, beyond...), append(warnings, known...)
	if u := f.c.NotChecked(); u.Benchmarks > 0 {
		errors = append(errors, Command("error", "not checked", u.String()))
	}
	for _, u := range f.c.Failures {
		side := string(u.Side)
		if f.c.FailsInBoth(u) {
			if side = "both sides"; u.Side == record.Base {
				continue
			}
		}
		warnings = append(warnings, Command("warning", "failed", side+": "+reports.FailureName(u.Target, u.Benchmark)+": "+u.Reason))
	}
	if words := comparison.UntriedWords(f.c); words != "" {
		warnings = append(warnings, Command("warning", "not measured", words))
	}
	for _, u := range f.c.Missing {
		warnings = append(warnings, Command("warning", "missing in head", strings.TrimSpace(u.Package+" "+u.Name+" "+u.Unit)))
	}
	if len(f.open) > 0 {
		warnings = append(warnings, Command("warning", "undecided", reports.Plural(len(f.open), "row")+" undecided: see the summary of this run"))
	}
	var all []string
	for _, kind := range []struct {
		word  string
		lines []string
	}{{"error", errors}, {"warning", warnings}, {"notice", notices}} {
		if n := len(kind.lines); n > MaxAnnotations {
			kind.lines = append(kind.lines[:MaxAnnotations-1:MaxAnnotations-1],
				Command(kind.word, "perftrack", fmt.Sprintf("%d more: see the summary of this run", n-MaxAnnotations+1)))
		}
		all = append(all, kind.lines...)
	}
	return all
}

// maxAnnotation is the maximum length of an annotation in bytes. GitHub cuts longer ones.
const maxAnnotation = 2000

// Command returns a workflow command, "::error title=...::text". It encodes line ends and
// separators, so that any title and text result in one line with one command.
func Command(kind, title, text string) string {
	text = reports.Message(strings.ToValidUTF8(text, "\uFFFD"))
	if len(text) > maxAnnotation {
		text = strings.ToValidUTF8(text[:maxAnnotation], "") + "…"
	}
	encode := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	return fmt.Sprintf("::%s title=%s::%s", kind, property.Replace(title), encode.Replace(text))
}
