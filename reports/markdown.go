package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Markdown writes the report in GitHub's Markdown. External text is in code spans, see [CodeSpan].
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
	var d drawer
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
		if err := markdownTable(&b, &d, t); err != nil {
			return err
		}
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

// markdownFacts writes the facts above a table unless they equal those of the previous table.
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

func markdownTable(b *bytes.Buffer, d *drawer, t Table) error {
	if len(t.Columns) == 0 {
		return nil
	}
	rows := make([][]string, 1, len(t.Rows)+2)
	var align []tw.Align
	widths := tw.NewMapper[int, int]() // a width of 1 avoids padding, which would waste space in comments of limited length
	for j, c := range t.Columns {
		widths.Set(j, 1)
		title := Prose(c.Title)
		if c.Unit {
			title = CodeSpan(c.Title)
		}
		rows[0] = append(rows[0], strings.TrimSpace(c.Over+" "+title))
		if c.Right {
			align = append(align, tw.AlignRight)
		} else {
			align = append(align, tw.AlignLeft)
		}
	}
	for _, row := range t.Rows {
		rows = append(rows, markdownRow(t.Columns, row, true))
	}
	if t.Footer != nil {
		rows = append(rows, markdownRow(t.Columns, t.Footer, false))
	}
	text, err := d.draw(renderer.NewMarkdown(), rows, align, align, tablewriter.WithColumnWidths(widths))
	if err != nil {
		return err
	}
	b.WriteString(text + "\n")
	return nil
}

func markdownRow(columns []Column, row []Cell, code bool) []string {
	cells := make([]string, len(columns))
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
		cells[i] = strings.TrimSpace(text)
	}
	return cells
}
