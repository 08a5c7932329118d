package reports

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// TextOptions say what the terminal can show.
type TextOptions struct {
	Color bool
	// Width is the number of columns, 0 for no limit. Where a table is wider, its Extra
	// columns are left out and a line says so; names are cut in the middle where that is
	// not enough, or first on a terminal that is wide.
	Width int
}

// Text writes the report for a terminal, in the look of benchstat.
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
			t.line(visible(table.Heading))
		}
		t.changedFacts(shown, table.Facts)
		shown = table.Facts
		for _, w := range table.Words {
			t.wrapped("", w)
		}
		if caption := table.caption(t.opt.Width); caption != "" {
			t.line(visible(caption))
		}
		t.table(table)
		for _, w := range table.Below {
			t.wrapped("", w)
		}
	}
	t.notes(r.Notes)
	parts := []func(Report){t.summary, t.remarks, t.lists}
	if r.Verdict { // it closes what there is to say
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

// notes writes the footnotes, where columns were left out only those whose mark still stands above.
func (t *textWriter) notes(notes []Note) {
	marks := map[string]bool{}
	if t.hid {
		for word := range strings.FieldsSeq(t.buf.String()) {
			marks[strings.TrimRight(word, ",;)")] = true
		}
	}
	for i, n := range notes {
		if mark := superscript(i + 1); !t.hid || marks[mark] {
			t.wrapped(mark+" ", n.String())
		}
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
		t.line(fmt.Sprintf("%s (%d):", l.Title, len(l.Items)))
		for _, item := range l.Items {
			t.wrapped("  ", strings.TrimSpace(item.Text+" "+item.Detail))
		}
	}
}

// next writes what to type now, a command a line and below it what it does: whoever marks the
// line has the command and nothing else.
func (t *textWriter) next(steps []Step) {
	for i, s := range steps {
		if i == 0 {
			t.gap()
		}
		t.wrapped("", s.Does+":")
		t.line("  " + visible(s.Command))
	}
}

// wrapped writes a sentence after a mark, in lines that fit the terminal; words are not cut.
func (t *textWriter) wrapped(mark, text string) {
	for _, line := range t.wrap(mark, text) {
		t.line(line)
	}
}

// colored writes a sentence in the colour of its tone, in lines that fit the terminal.
func (t *textWriter) colored(tone Tone, text string) {
	for _, line := range t.wrap("", text) {
		t.line(t.color(tone, line))
	}
}

// wrap returns the lines of a sentence after a mark.
func (t *textWriter) wrap(mark, text string) (lines []string) {
	if all := mark + visible(text); t.opt.Width == 0 || displayWidth(all) <= t.opt.Width {
		return []string{all}
	}
	line, indent := mark, pad(displayWidth(mark))
	for i, word := range strings.Fields(visible(text)) {
		switch {
		case i == 0:
		case displayWidth(line)+1+displayWidth(word) > t.opt.Width:
			lines = append(lines, line)
			line = indent
		default:
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

type textWriter struct {
	buf bytes.Buffer
	opt TextOptions
	hid bool // a column was left out
}

// line writes one line without trailing spaces.
func (t *textWriter) line(s string) {
	t.buf.WriteString(logLine(strings.TrimRight(s, " ")) + "\n")
}

// gap writes an empty line between two blocks.
func (t *textWriter) gap() {
	if t.buf.Len() > 0 {
		t.buf.WriteByte('\n')
	}
}

func (t *textWriter) facts(facts []Fact) {
	for _, f := range facts {
		line := f.Key + ": " + f.Value
		if f.Tail == "" {
			t.wrapped(visible(f.Key)+": ", f.Value)
			continue
		}
		t.line(visible(t.cut(visible(line+": "+f.Tail), displayWidth(visible(line)))))
	}
}

// longTail is how wide a line with words that may be cut is at most where there is no terminal.
const longTail = 120

// cut shortens a line to the width of the terminal, but not what stands in its first columns.
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

// changedFacts writes the facts that differ from those of the table before, as benchstat
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
			t.line(visible(f.Key) + ":")
		}
	}
}

func (t *textWriter) table(table Table) {
	if len(table.Columns) == 0 {
		return
	}
	lines, hidden := t.fit(table)
	for _, l := range lines {
		t.line(l)
	}
	if len(hidden) > 0 {
		t.hid = true
		t.wrapped("", fmt.Sprintf("(terminal too narrow for: %s)", strings.Join(hidden, ", ")))
	}
}

// fit returns the lines of a table on the terminal, and what of it there was no room for.
func (t *textWriter) fit(table Table) (lines, hidden []string) {
	for {
		lines = t.layOut(table)
		over := widest(lines) - t.opt.Width
		if t.opt.Width == 0 || over <= 0 {
			return lines, hidden
		}
		less, what := table.lessWide()
		least := longName
		if what == "" {
			least = leastName
		}
		if what == "" || t.opt.Width >= wideTerminal {
			if short, ok := table.shortened(over, least); ok {
				if shorter := t.layOut(short); widest(shorter) <= t.opt.Width || what == "" {
					return shorter, append(hidden, "whole names")
				}
			}
		}
		if what == "" {
			return lines, hidden
		}
		table, hidden = less, append(hidden, what)
	}
}

// lessWide returns the table without what matters least of it, and what that is; "" where all
// of it matters.
func (t Table) lessWide() (less Table, what string) {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if t.Columns[i].Extra {
			return t.Without(i), t.Columns[i].Title
		}
	}
	for i, c := range t.Columns {
		if c.Brief == "" {
			continue
		}
		t.Columns, t.Rows = slices.Clone(t.Columns), slices.Clone(t.Rows)
		for k, row := range t.Rows {
			t.Rows[k] = slices.Clone(row)
		}
		t.Footer = slices.Clone(t.Footer)
		for k := i; k < len(t.Columns); k++ { // all that are of this kind
			if t.Columns[k].Brief != c.Brief {
				continue
			}
			t.Columns[k].Brief = ""
			for _, row := range append(slices.Clone(t.Rows), t.Footer) {
				if k < len(row) {
					row[k].Range = ""
				}
			}
		}
		return t, c.Brief
	}
	return t, ""
}

func widest(lines []string) int {
	n := 0
	for _, l := range lines {
		n = max(n, displayWidth(strings.TrimRight(l, " ")))
	}
	return n
}

// layOut returns the lines of a table, two spaces between columns.
func (t *textWriter) layOut(table Table) []string {
	rows := table.Rows
	if table.Footer != nil {
		rows = append(append([][]Cell{}, rows...), table.Footer)
	}
	over := slices.ContainsFunc(table.Columns, func(c Column) bool { return c.Over != "" })
	var lines []string
	for j, c := range table.Columns {
		head := []string{visible(c.Title)}
		if over {
			head = []string{visible(c.Over), head[0]}
		}
		column := slices.Concat(head, t.column(c, j, rows))
		if lines == nil {
			lines = make([]string, len(column))
		}
		wide := 0
		for _, cell := range column {
			wide = max(wide, displayWidth(cell))
		}
		for i, cell := range column {
			before, free := 0, wide-displayWidth(cell)
			switch {
			case c.Right && i < len(head): // a title stands in the middle of its numbers
				before = free / 2
			case c.Right:
				before = free
			}
			lines[i] += pad(before) + cell + pad(free-before+2)
		}
	}
	return lines
}

// column composes the cells of column j so that their parts stand below each other: the
// numbers, the intervals, the footnotes.
func (t *textWriter) column(c Column, j int, rows [][]Cell) []string {
	text := make([]string, len(rows))
	var numbers, ranges, notes int
	part := func(row []Cell) (cell Cell, number, rng, marks string) {
		if j < len(row) {
			cell = row[j]
		}
		for _, n := range cell.Notes {
			marks += " " + superscript(n)
		}
		return cell, visible(cell.Text), visible(cell.Range), strings.TrimPrefix(marks, " ")
	}
	for _, row := range rows {
		_, number, rng, marks := part(row)
		numbers, ranges, notes = max(numbers, displayWidth(number)), max(ranges, displayWidth(rng)), max(notes, displayWidth(marks))
	}
	for i, row := range rows {
		cell, number, rng, marks := part(row)
		if !c.Right {
			text[i] = t.color(cell.Tone, number+spaced(rng)) + spaced(marks)
			continue
		}
		s := pad(numbers-displayWidth(number)) + t.color(cell.Tone, number)
		if ranges > 0 {
			fill := pad(ranges - displayWidth(rng))
			if after, ok := strings.CutPrefix(rng, "± "); ok {
				s += " ± " + fill + after
			} else {
				s += " " + rng + fill
			}
		}
		if notes > 0 {
			s += " " + marks + pad(notes-displayWidth(marks))
		}
		text[i] = s
	}
	return text
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

func pad(n int) string { return strings.Repeat(" ", max(0, n)) }

// displayWidth is how many columns of a terminal s takes, which does not depend on the reader's locale.
func displayWidth(s string) int { return displaywidth.Options{ControlSequences: true}.String(s) }

// color sets text in the colour of its tone.
func (t *textWriter) color(tone Tone, s string) string {
	codes := map[Tone]string{Good: "32", Bad: "31", Warn: "33", Muted: "2"}
	if code := codes[tone]; t.opt.Color && code != "" && s != "" {
		return "\x1b[" + code + "m" + s + "\x1b[0m"
	}
	return s
}

// Mark is how a footnote is called in a sentence.
func Mark(n int) string { return superscript(n) }

// caption is that of the table, drawn for the width of the terminal; 0 is that of no terminal.
func (t Table) caption(width int) string {
	if t.Curve == nil || width == 0 {
		return t.Caption
	}
	return t.Curve.Shown(width)
}

// superscript shows the number of a footnote.
func superscript(n int) string {
	return strings.Map(func(r rune) rune { return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0'] }, fmt.Sprint(n))
}
