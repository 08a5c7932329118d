package reports

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A Failure is what the command of a report failed with, so that what the report shows is
// not all that was asked for. A report that is nothing else has no Kind.
type Failure struct {
	Kind    string // usage, config, build, data, io, git, budget, interrupted, strict
	Message string // may quote what a program printed
}

// Failing returns the report with what its command failed with. Every writer says it.
func (r Report) Failing(f Failure) Report {
	r.Failure = &f
	return r
}

// words begin the sentence on a failure.
func (f Failure) words() string {
	if f.Kind == "" {
		return "failed"
	}
	return "failed (" + f.Kind + ")"
}

// fields describe the failure in JSON.
func (f Failure) fields() Object {
	return Object{{"kind", f.Kind}, {"message", strings.TrimSpace(f.Message)}}
}

// failingDocument is the document with its failure: in the field that is there for it, or
// behind all others.
func failingDocument(document Object, f *Failure) Object {
	if f == nil {
		return document
	}
	i := slices.IndexFunc(document, func(field [2]any) bool { return field[0] == "error" })
	if i < 0 {
		return append(document, [2]any{"error", f.fields()})
	}
	document = slices.Clone(document)
	document[i][1] = f.fields()
	return document
}

// failingRecords are the lines of a CSV with the failure behind each, so that whoever reads
// any of them finds it; a CSV without lines gets one.
func failingRecords(records [][]any, f *Failure) [][]any {
	if f == nil {
		return records
	}
	if len(records) == 0 {
		records = [][]any{nil}
	}
	if len(records) == 1 {
		records = append(slices.Clip(records), make([]any, len(records[0])))
	}
	out := [][]any{append(slices.Clip(records[0]), "error_kind", "error")}
	for _, line := range records[1:] {
		out = append(out, append(slices.Clip(line), f.Kind, strings.TrimSpace(f.Message)))
	}
	return out
}

// failure writes what the command failed with below a report for a terminal.
func (t *textWriter) failure(f *Failure) {
	if f == nil {
		return
	}
	t.gap()
	t.line(t.color(Bad, f.words()+":"))
	for line := range strings.Lines(strings.TrimSpace(f.Message)) {
		t.line("  " + visible(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")))
	}
}

// markdownFailure writes it below a report in Markdown, in a block of code that nothing in
// it can end.
func markdownFailure(b *bytes.Buffer, f *Failure) {
	if f == nil {
		return
	}
	text := strings.ReplaceAll(Message(strings.TrimSpace(f.Message)), "`", "ˋ")
	fmt.Fprintf(b, "**%s**\n\n```text\n%s\n```\n", Prose(f.words()), text)
}
