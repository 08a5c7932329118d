package reports

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// A Failure is the error with which a command ended. The command's report may be incomplete. A
// report that consists only of a failure has no Kind.
type Failure struct {
	Kind    string // usage, config, build, data, io, git, budget, interrupted or strict
	Message string // may quote the output of a program
}

// Failing returns the report with the failure of its command added. Every writer shows the failure.
func (r Report) Failing(f Failure) Report {
	r.Failure = &f
	return r
}

// Words returns the introduction of a failure: "failed (build)".
func (f Failure) Words() string {
	if f.Kind == "" {
		return "failed"
	}
	return "failed (" + f.Kind + ")"
}

// fields returns the JSON fields of the failure.
func (f Failure) fields() Object {
	return Object{{"kind", f.Kind}, {"message", strings.TrimSpace(f.Message)}}
}

// failingDocument returns the document with its "error" field set to the failure. It appends the
// field if it is missing.
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

// failingRecords appends the failure to each line of a CSV. A CSV without lines below the header
// gets one.
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

// failure writes the command's failure below a report on a terminal.
func (t *textWriter) failure(f *Failure) {
	if f == nil {
		return
	}
	t.gap()
	t.line(t.color(Bad, f.Words()+":"))
	for line := range strings.Lines(strings.TrimSpace(f.Message)) {
		t.line("  " + Visible(strings.ReplaceAll(strings.TrimRight(line, "\r\n"), "\t", "    ")))
	}
}

// markdownFailure writes the command's failure below a report in Markdown, in a code block the
// message cannot close.
func markdownFailure(b *bytes.Buffer, f *Failure) {
	if f == nil {
		return
	}
	text := strings.ReplaceAll(Message(strings.TrimSpace(f.Message)), "`", "ˋ")
	fmt.Fprintf(b, "**%s**\n\n```text\n%s\n```\n", Prose(f.Words()), text)
}
