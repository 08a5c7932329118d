package reports

import (
	"slices"
	"strings"
)

// folded narrows the table by the given number of terminal columns. It breaks the longest sentences
// into lines.
func (t Table) folded(over int) Table {
	caps, _ := t.caps(over, leastText, func(c Column) bool { return c.Wraps && !c.Right })
	t.Columns = slices.Clone(t.Columns)
	for j, width := range caps {
		t.Columns[j].lines = width
	}
	return t
}

// caps narrows the columns selected by the function of, starting with the widest, until the table
// is narrower by the given number of terminal columns. No column becomes narrower than least. caps
// returns the new widths of the narrowed columns and the remaining excess width of the table in
// terminal columns.
func (t Table) caps(over, least int, of func(Column) bool) (caps map[int]int, left int) {
	caps = map[int]int{}
	widths, floors := map[int]int{}, map[int]int{}
	for j, c := range t.Columns {
		if !of(c) {
			continue
		}
		floors[j] = max(least, displayWidth(Visible(c.Title)), displayWidth(Visible(c.Over)))
		for _, row := range t.lines() {
			if j < len(row) {
				widths[j] = max(widths[j], displayWidth(Visible(row[j].Shown())))
			}
		}
	}
	for left = over; left > 0; left-- {
		widest := -1
		for j := range t.Columns {
			if w, ok := widths[j]; ok && w > floors[j] && (widest < 0 || w > widths[widest]) {
				widest = j
			}
		}
		if widest < 0 {
			break
		}
		widths[widest]--
		caps[widest] = widths[widest]
	}
	return caps, left
}

// list lays out a table as a list: for each row the first cell and, indented below it, the
// remaining cells with the titles of their columns. Commands to copy are never broken.
func (t *textWriter) list(table Table) (lines []string) {
	for i, row := range table.lines() {
		if i > 0 {
			lines = append(lines, "")
		}
		for j, cell := range row[:min(len(row), len(table.Columns))] {
			c := table.Columns[j]
			text := Visible(cell.Shown())
			for _, n := range cell.Notes {
				text += " " + superscript(n)
			}
			if title := Visible(strings.TrimSpace(c.Over + " " + c.Title)); title != "" && text != "" {
				text = title + ": " + text
			}
			first, more := "  ", "    "
			if j == 0 {
				first = ""
			}
			parts := []string{text}
			if !c.Whole {
				parts = broken(text, max(1, t.opt.Width-len(more)))
			}
			for k, part := range parts {
				if k > 0 {
					first = more
				}
				if part != "" {
					lines = append(lines, first+t.color(cell.Tone, part))
				}
			}
		}
	}
	return lines
}
