package reports

import (
	"slices"
	"strings"
)

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
