package reports

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	longName  = 40 // as long as names stay before a column gives way, on a wide terminal
	leastName = 12 // and where nothing else can give way
	leastText = 16 // of a line of a cell that goes on in the next one
)

// table writes the rows under their columns, no wider than the terminal.
func (t *textWriter) table(table Table) {
	if len(table.Columns) == 0 {
		return
	}
	lines, hidden := t.fit(table)
	for _, l := range lines {
		t.line(l)
	}
	if len(hidden) > 0 {
		for _, l := range broken(visible(fmt.Sprintf("(terminal too narrow for: %s)", strings.Join(hidden, ", "))), t.opt.Width) {
			t.line(l)
		}
	}
}

// fit returns the lines of a table on the terminal, and what of it there was no room for. First
// names are cut that are long, then columns give way in the order of what they matter, then
// sentences go on in a next line and names get short; what does not fit in any way becomes a list.
func (t *textWriter) fit(table Table) (lines, hidden []string) {
	readable := min(max(leastName, t.opt.Width/3), longName)
	for {
		lines = t.layOut(table)
		if t.fits(lines) {
			return lines, hidden
		}
		if short, ok := table.shortened(t.over(lines), readable); ok {
			if lines = t.layOut(short); t.fits(lines) {
				return lines, append(hidden, "whole names")
			}
		}
		less, what := table.lessWide()
		if what == "" {
			return t.squeeze(table, hidden)
		}
		table, hidden = less, append(hidden, what)
	}
}

// squeeze fits a table of which no column may be left out.
func (t *textWriter) squeeze(table Table, hidden []string) (lines, _ []string) {
	over := func(t0 Table) int { return t.over(t.layOut(t0)) }
	folded := table.folded(over(table))
	if lines = t.layOut(folded); t.fits(lines) {
		return lines, hidden
	}
	short, _ := table.shortened(over(folded), leastName)
	if lines = t.layOut(short.folded(over(short))); t.fits(lines) {
		return lines, append(hidden, "whole names")
	}
	return t.list(table), hidden
}

// over is by how much lines are wider than the terminal.
func (t *textWriter) over(lines []string) int { return widest(lines) - t.opt.Width }

func (t *textWriter) fits(lines []string) bool { return t.opt.Width == 0 || t.over(lines) <= 0 }

// lessWide returns the table without what matters least of it, and what that is; "" where all
// of it matters.
func (t Table) lessWide() (less Table, what string) {
	least := -1
	for i, c := range t.Columns {
		if c.Extra && (least < 0 || c.Rank >= t.Columns[least].Rank) {
			least = i
		}
	}
	if least >= 0 {
		return t.marksKept(least).Without(least), t.Columns[least].Title
	}
	what = t.leastBrief()
	if what == "" {
		return t, ""
	}
	t.Columns = slices.Clone(t.Columns)
	t = t.cloned()
	for k := range t.Columns { // all that are of this kind
		if t.Columns[k].Brief != what {
			continue
		}
		t.Columns[k].Brief = ""
		for _, row := range t.lines() {
			if k < len(row) {
				row[k].Range = ""
			}
		}
	}
	return t, what
}

// leastBrief says which ranges are to be left out first.
func (t Table) leastBrief() string {
	least := Column{Rank: -1}
	for _, c := range t.Columns {
		if c.Brief != "" && c.Rank > least.Rank {
			least = c
		}
	}
	return least.Brief
}

// marksKept moves the footnotes of a column that is to be left out to what the row is about: its
// name, or else its first cell.
func (t Table) marksKept(column int) Table {
	name := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Code && !c.Extra })
	t = t.cloned()
	for _, row := range t.lines() {
		if column >= len(row) || len(row[column].Notes) == 0 {
			continue
		}
		to := name
		if to < 0 || to >= len(row) {
			to = 0
		}
		notes := slices.Concat(row[to].Notes, row[column].Notes)
		slices.Sort(notes)
		row[to].Notes = slices.Compact(notes)
	}
	return t
}

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

// lines are all rows, the last one last.
func (t Table) lines() [][]Cell {
	if t.Footer == nil {
		return t.Rows
	}
	return append(t.Rows[:len(t.Rows):len(t.Rows)], t.Footer)
}

// cloned returns the table with cells of its own.
func (t Table) cloned() Table {
	t.Rows = slices.Clone(t.Rows)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Clone(row)
	}
	t.Footer = slices.Clone(t.Footer)
	return t
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
