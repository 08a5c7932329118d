package reports

import (
	"strings"
	"unicode/utf8"
)

// folded returns the table with its sentences broken into lines, so that it is less wide by as
// much as over if that can be.
func (t Table) folded(over int) Table {
	caps, _ := t.caps(over, leastText, func(c Column) bool { return c.Wraps })
	if len(caps) == 0 {
		return t
	}
	split := func(row []Cell) (rows [][]Cell) {
		for j, width := range caps {
			if j >= len(row) {
				continue
			}
			cell := row[j]
			parts := broken(visible(cell.Shown()), width)
			for k, part := range parts {
				if k == len(rows) {
					rows = append(rows, make([]Cell, len(row)))
				}
				rows[k][j] = Cell{Text: part, Tone: cell.Tone}
				if k == len(parts)-1 {
					rows[k][j].Notes = cell.Notes
				}
			}
		}
		for j, cell := range row {
			if _, ok := caps[j]; !ok && len(rows) > 0 {
				rows[0][j] = cell
			}
		}
		if len(rows) == 0 {
			return [][]Cell{row}
		}
		return rows
	}
	var rows [][]Cell
	for _, row := range t.lines() {
		rows = append(rows, split(row)...)
	}
	t.Rows, t.Footer = rows, nil
	return t
}

// caps says how wide the texts of each column of a kind may be so that the table is less wide by
// as much as over, the widest being taken from first, and none getting narrower than least; left
// is by how much the table stays too wide.
func (t Table) caps(over, least int, of func(Column) bool) (caps map[int]int, left int) {
	caps = map[int]int{}
	widths, floors := map[int]int{}, map[int]int{}
	for j, c := range t.Columns {
		if !of(c) {
			continue
		}
		floors[j] = max(least, displayWidth(visible(c.Title)), displayWidth(visible(c.Over)))
		for _, row := range t.lines() {
			if j < len(row) {
				widths[j] = max(widths[j], displayWidth(visible(row[j].Shown())))
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

// list returns the lines of a table as a list of its rows: what a row is about and, below it, what
// the other columns say. Only what is to be copied is never broken.
func (t *textWriter) list(table Table) (lines []string) {
	for i, row := range table.lines() {
		if i > 0 {
			lines = append(lines, "")
		}
		for j, cell := range row[:min(len(row), len(table.Columns))] {
			c := table.Columns[j]
			text := visible(cell.Shown())
			for _, n := range cell.Notes {
				text += " " + superscript(n)
			}
			if title := visible(strings.TrimSpace(c.Over + " " + c.Title)); title != "" && text != "" {
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

// broken returns a text in lines of a width at most; words that are wider are broken, too.
func broken(text string, width int) []string {
	lines := []string{""}
	for word := range strings.FieldsSeq(text) {
		last := &lines[len(lines)-1]
		switch {
		case *last == "":
			*last = word
		case displayWidth(*last)+1+displayWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
		for displayWidth(lines[len(lines)-1]) > width {
			at := len(lines) - 1
			head, rest := cutColumns(lines[at], width)
			if rest == "" {
				break // one character is wider than that
			}
			lines[at] = head
			lines = append(lines, rest)
		}
	}
	return lines
}

// cutColumns cuts s where its first columns end, but not before its first character does.
func cutColumns(s string, width int) (head, rest string) {
	end := 0
	for end < len(s) {
		_, n := utf8.DecodeRuneInString(s[end:])
		if end > 0 && displayWidth(s[:end+n]) > width {
			break
		}
		end += n
	}
	return s[:end], s[end:]
}
