package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// TextOptions describes the terminal.
type TextOptions struct {
	Color bool
	// Width is the number of columns, or 0 for no limit. Tables are narrowed to it: long names are
	// cut in the middle, Extra columns are left out and named, and sentences are broken. As a last
	// resort, a table becomes a list of its rows.
	Width int
}

// Text writes the report for a terminal, in the style of benchstat.
func Text(w io.Writer, r Report, opt TextOptions) error {
	if r.Terminal != nil {
		failure := r.Failure
		r = r.Terminal()
		r.Failure = failure
	}
	t := &textWriter{opt: opt}
	if r.Verdict {
		t.colored(r.Tone, r.Summary)
		t.gap()
	}
	t.facts(r.Facts)
	var shown []Fact
	for _, table := range r.Tables {
		t.gap()
		if table.Heading != "" {
			t.wrapped("", table.Heading)
		}
		if table.onlyFacts() {
			shown = nil
		}
		t.changedFacts(shown, table.Facts)
		shown = table.Facts
		for _, w := range table.Words {
			t.wrapped("", w)
		}
		switch caption := table.caption(t.opt.Width); {
		case caption == "":
		case table.Curve != nil: // a curve must keep its spaces
			t.line(Visible(caption))
		default:
			t.wrapped("", caption)
		}
		if err := t.table(table); err != nil {
			return err
		}
		for _, w := range table.Below {
			t.wrapped("", w)
		}
	}
	t.notes(r.Notes)
	parts := []func(Report){t.summary, t.remarks, t.lists}
	if r.Verdict { // the summary comes last
		parts = []func(Report){t.remarks, t.lists, t.summary}
	}
	for _, part := range parts {
		part(r)
	}
	t.next(r.Next)
	t.failure(r.Failure)
	if _, err := w.Write(t.buf.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func (t *textWriter) notes(notes []Note) {
	for i, n := range notes {
		t.wrapped(superscript(i+1)+" ", n.String())
	}
}

func (t *textWriter) summary(r Report) {
	if r.Summary != "" {
		t.gap()
		t.colored(r.Tone, r.Summary)
	}
}

func (t *textWriter) remarks(r Report) {
	if r.Verdict && len(r.Remarks) > 0 {
		t.gap()
	}
	for _, n := range r.Remarks {
		t.wrapped("note: ", n.String())
	}
}

func (t *textWriter) lists(r Report) {
	for _, l := range r.Lists {
		t.gap()
		t.line(fmt.Sprintf("%s (%d):", l.Title, l.Count()))
		for _, item := range l.Items {
			t.item(l, item)
		}
	}
}

func (t *textWriter) item(of List, n Note) {
	text := strings.TrimSpace(n.Text + " " + n.Detail)
	switch wide := "  " + Visible(text); {
	case !of.Whole:
		t.wrapped("  ", text)
	case n.Text == "" || t.opt.Width == 0 || displayWidth(wide) <= t.opt.Width:
		t.line(wide)
	default:
		t.wrapped("  ", n.Text+":")
		t.line("    " + Visible(n.Detail))
	}
}

// next writes the next commands, each on its own line below its purpose, so that selecting the line
// selects only the command.
func (t *textWriter) next(steps []Step) {
	for i, s := range steps {
		if i == 0 {
			t.gap()
		}
		t.wrapped("", s.Does+":")
		t.line("  " + Visible(s.Command))
	}
}

// wrapped writes mark and a sentence in lines that fit the terminal. Words are not cut.
func (t *textWriter) wrapped(mark, text string) {
	for _, line := range t.wrap(mark, text) {
		t.line(line)
	}
}

// colored writes a sentence in the color of its tone, in lines that fit the terminal.
func (t *textWriter) colored(tone Tone, text string) {
	for _, line := range t.wrap("", text) {
		t.line(t.color(tone, line))
	}
}

// wrap returns mark and a sentence as lines that fit the terminal.
func (t *textWriter) wrap(mark, text string) (lines []string) {
	if all := mark + Visible(text); t.opt.Width == 0 || displayWidth(all) <= t.opt.Width {
		return []string{all}
	}
	return wrapped(Visible(text), mark, t.opt.Width)
}

type textWriter struct {
	buf    bytes.Buffer
	opt    TextOptions
	drawer drawer
}

// line writes one line without trailing spaces.
func (t *textWriter) line(s string) {
	t.buf.WriteString(logLine(strings.TrimRight(s, " ")) + "\n")
}

// gap writes an empty line unless the text is empty or already ends with one.
func (t *textWriter) gap() {
	if t.buf.Len() > 0 && !bytes.HasSuffix(t.buf.Bytes(), []byte("\n\n")) {
		t.buf.WriteByte('\n')
	}
}

func (t *textWriter) facts(facts []Fact) {
	for _, f := range facts {
		line := f.Key + ": " + f.Value
		if f.Tail == "" {
			t.wrapped(Visible(f.Key)+": ", f.Value)
			continue
		}
		t.line(Visible(t.cut(Visible(line+": "+f.Tail), displayWidth(Visible(line)))))
	}
}

// longTail is the maximum width of a line with a Tail if there is no terminal.
const longTail = 120

// cut shortens a line to the width of the terminal, or to a width of whole columns, if larger.
func (t *textWriter) cut(line string, whole int) string {
	width := longTail
	if t.opt.Width > 0 {
		width = t.opt.Width
	}
	if width = max(width, whole); displayWidth(line) <= width {
		return line
	}
	for displayWidth(line) > width-1 {
		_, size := utf8.DecodeLastRuneInString(line)
		line = line[:len(line)-size]
	}
	return strings.TrimRight(line, " ") + "…"
}

// changedFacts writes only the facts that differ from those of the previous table, as benchstat
// does.
func (t *textWriter) changedFacts(before, facts []Fact) {
	had := map[Fact]bool{}
	for _, f := range before {
		had[f] = true
	}
	keys := map[string]bool{}
	for _, f := range facts {
		keys[f.Key] = true
		if !had[f] {
			t.facts([]Fact{f})
		}
	}
	for _, f := range before {
		if !keys[f.Key] {
			t.line(Visible(f.Key) + ":")
		}
	}
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

func pad(n int) string { return strings.Repeat(" ", max(0, n)) }

// displayWidth returns the number of terminal columns that s takes, as tablewriter counts them in
// any locale.
func displayWidth(s string) int { return twwidth.WidthWithOptions(s, twwidth.Options{}) }

// color returns s in the color of its tone.
func (t *textWriter) color(tone Tone, s string) string {
	if code := colors[tone]; t.opt.Color && code != "" && s != "" {
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	return s
}

var colors = map[Tone]string{Good: "32", Bad: "31", Warn: "33", Muted: "2"}

// Mark returns the mark of footnote n for use in a sentence.
func Mark(n int) string { return superscript(n) }

// caption returns the caption or, if there is a curve and a width, the curve drawn for this width.
func (t Table) caption(width int) string {
	if t.Curve == nil || width == 0 {
		return t.Caption
	}
	return t.Curve.Shown(width)
}

// superscript returns the number of a footnote as superscript digits.
func superscript(n int) string {
	return strings.Map(func(r rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'] }, fmt.Sprint(n))
}
