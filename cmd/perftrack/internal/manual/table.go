package manual

import (
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/perftrack/perftrack/reports"
)

const gap = 2 // number of spaces between columns

// table lays out a table in columns or, if the table is too wide, as a list of its rows.
func (p Page) table(n ast.Node, columns int) string {
	var rows [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, p.inline(cell))
		}
		rows = append(rows, cells)
	}
	widths, fit := columnWidths(rows, columns)
	if !fit {
		return list(rows[0], rows[1:], columns)
	}
	var rules []string
	for _, w := range widths {
		rules = append(rules, strings.Repeat("-", w))
	}
	spaced := slices.ContainsFunc(rows[1:], func(row []string) bool { return width(row[0]) > widths[0] })
	var out strings.Builder
	writeRow(&out, rows[0], widths)
	writeRow(&out, rules, widths)
	for i, row := range rows[1:] {
		if spaced && i > 0 {
			out.WriteByte('\n')
		}
		writeRow(&out, row, widths)
	}
	return out.String()
}

// columnWidths narrows the widest columns until the table fits. It returns false if the table is
// still too wide when each column is as narrow as its longest word.
func columnWidths(rows [][]string, columns int) ([]int, bool) {
	widths, least := make([]int, len(rows[0])), make([]int, len(rows[0]))
	total := gap * (len(widths) - 1)
	for i := range widths {
		for _, row := range rows {
			widths[i] = max(widths[i], width(row[i]))
			for word := range strings.FieldsSeq(row[i]) {
				least[i] = max(least[i], width(word))
			}
		}
		total += widths[i]
	}
	for ; total > columns; total-- {
		widest := -1
		for i := range widths {
			if widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil, false
		}
		widths[widest]--
	}
	return widths, true
}

func writeRow(out *strings.Builder, row []string, widths []int) {
	var cells [][]string
	height := 1
	for i, w := range widths {
		cells = append(cells, reports.Wrap(row[i], w))
		height = max(height, len(cells[i]))
	}
	for at := range height {
		line := ""
		for i, w := range widths {
			part := ""
			if at < len(cells[i]) {
				part = cells[i][at]
			}
			line += part + strings.Repeat(" ", w-width(part)+gap)
		}
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// list writes the first cell of each row, followed by the row's other cells on the lines below it.
func list(head []string, rows [][]string, columns int) string {
	var out strings.Builder
	for i, row := range rows {
		if i > 0 {
			out.WriteByte('\n')
		}
		for j, cell := range row {
			if head[j] != "" {
				cell = head[j] + ": " + cell
			}
			first := "  "
			if j == 0 {
				first = ""
			}
			out.WriteString(indent(strings.Join(reports.Wrap(cell, columns-4), "\n")+"\n", first, "    "))
		}
	}
	return out.String()
}
