package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// Markdown writes the report in GitHub's Markdown. Words from outside stand in
// code spans only, see CodeSpan.
func Markdown(w io.Writer, r Report) error {
	var b bytes.Buffer
	if r.Title != "" {
		fmt.Fprintf(&b, "## %s\n\n", Prose(r.Title))
	}
	if r.Summary != "" {
		fmt.Fprintf(&b, "**%s**\n\n", Prose(r.Summary))
	}
	for _, f := range r.Facts {
		fmt.Fprintf(&b, "- %s: %s", Prose(f.Key), CodeSpan(f.Value))
		if f.Tail != "" {
			b.WriteString(" " + CodeSpan(f.Tail))
		}
		b.WriteByte('\n')
	}
	if len(r.Facts) > 0 {
		b.WriteByte('\n')
	}
	var shown []Fact
	for _, t := range r.Tables {
		if t.Heading != "" {
			fmt.Fprintf(&b, "### %s\n\n", Prose(t.Heading))
		}
		markdownFacts(&b, shown, t.Facts)
		shown = t.Facts
		for _, w := range t.Words {
			fmt.Fprintf(&b, "%s\n\n", Prose(w))
		}
		if t.Caption != "" {
			fmt.Fprintf(&b, "%s\n\n", Prose(t.Caption))
		}
		markdownTable(&b, t)
		for _, w := range t.Below {
			fmt.Fprintf(&b, "%s\n\n", Prose(w))
		}
	}
	for i, n := range r.Notes {
		fmt.Fprintf(&b, "- %s %s\n", superscript(i+1), markdownNote(n))
	}
	for _, n := range r.Remarks {
		fmt.Fprintf(&b, "- note: %s\n", markdownNote(n))
	}
	if len(r.Notes)+len(r.Remarks) > 0 {
		b.WriteByte('\n')
	}
	for _, l := range r.Lists {
		fmt.Fprintf(&b, "**%s** (%d)\n\n", Prose(l.Title), l.Count())
		for _, item := range l.Items {
			text := CodeSpan(item.Detail)
			if item.Text != "" {
				text = Prose(item.Text) + " " + text
			}
			fmt.Fprintf(&b, "- %s\n", text)
		}
		b.WriteByte('\n')
	}
	markdownFailure(&b, r.Failure)
	if _, err := w.Write(append(bytes.TrimRight(b.Bytes(), "\n"), '\n')); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

func markdownNote(n Note) string {
	if n.Detail == "" {
		return Prose(n.Text)
	}
	return Prose(n.Text) + ": " + CodeSpan(n.Detail)
}

// markdownFacts writes the facts above a table unless the table before has the same.
func markdownFacts(b *bytes.Buffer, before, facts []Fact) {
	var parts []string
	same := len(before) == len(facts)
	for i, f := range facts {
		same = same && before[i] == f
		parts = append(parts, Prose(f.Key)+": "+CodeSpan(f.Value))
	}
	if !same && len(facts) > 0 {
		fmt.Fprintf(b, "%s\n\n", strings.Join(parts, ", "))
	}
}

func markdownTable(b *bytes.Buffer, t Table) {
	if len(t.Columns) == 0 {
		return
	}
	head, rule := "|", "|"
	for _, c := range t.Columns {
		title := Prose(c.Title)
		if c.Unit {
			title = CodeSpan(c.Title)
		}
		head += " " + strings.TrimSpace(c.Over+" "+title) + " |"
		if c.Right {
			rule += "---:|"
		} else {
			rule += "---|"
		}
	}
	fmt.Fprintf(b, "%s\n%s\n", head, rule)
	for _, row := range t.Rows {
		markdownRow(b, t.Columns, row, true)
	}
	if t.Footer != nil {
		markdownRow(b, t.Columns, t.Footer, false)
	}
	b.WriteByte('\n')
}

func markdownRow(b *bytes.Buffer, columns []Column, row []Cell, code bool) {
	b.WriteByte('|')
	for i, c := range columns {
		var cell Cell
		if i < len(row) {
			cell = row[i]
		}
		text := Prose(cell.Text)
		if c.Code && code && (cell.Text != "" || i == 0) {
			text = codeSpan(cell.Text, c.Whole)
		}
		if c.File && FileName(cell.Text) {
			text = "[" + Prose(cell.Text) + "](" + cell.Text + ")"
		}
		if cell.Range != "" {
			text += " " + Prose(cell.Range)
		}
		if cell.Tone == Bad {
			text = "**" + text + "**"
		}
		for _, n := range cell.Notes {
			text += " " + superscript(n)
		}
		b.WriteString(" " + strings.TrimSpace(text) + " |")
	}
	b.WriteByte('\n')
}
