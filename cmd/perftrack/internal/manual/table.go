package manual

import (
	"slices"
	"strings"
)

const gap = 2 // blanks between two columns

// grid writes a table of Markdown in lines of at most so many columns: side by side where that
// can be, with cells of several lines, else each row as a list of what it says.
func grid(lines []string, page string, columns int) string {
	var rows [][]string
	for _, line := range lines {
		rows = append(rows, cells(line, page))
	}
	head, rows := rows[0], rows[min(2, len(rows)):] // the second is a rule
	widths, fit := columnWidths(append([][]string{head}, rows...), columns)
	if !fit {
		return list(head, rows, columns)
	}
	var out strings.Builder
	writeRow(&out, head, widths)
	var rules []string
	for _, w := range widths {
		rules = append(rules, strings.Repeat("-", w))
	}
	writeRow(&out, rules, widths)
	apart := slices.ContainsFunc(rows, func(row []string) bool { return width(row[0]) > widths[0] })
	for i, row := range rows {
		if apart && i > 0 {
			out.WriteByte('\n')
		}
		writeRow(&out, row, widths)
	}
	return out.String()
}

// cells returns the cells of a line; a bar in one is escaped.
func cells(line, page string) []string {
	const bar = "\x00"
	line = strings.ReplaceAll(strings.Trim(line, " "), `\|`, bar)
	parts := strings.Split(strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|"), "|")
	for i, cell := range parts {
		parts[i] = inline(strings.ReplaceAll(strings.TrimSpace(cell), bar, "|"), page)
	}
	return parts
}

// columnWidths returns how wide each column is, and whether all of them fit, each at least as
// wide as its longest word. Room that is short is taken where there is most.
func columnWidths(rows [][]string, columns int) ([]int, bool) {
	wanted, least := make([]int, len(rows[0])), make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row[:min(len(row), len(wanted))] {
			wanted[i] = max(wanted[i], width(cell))
			for _, word := range strings.Fields(cell) {
				least[i] = max(least[i], width(word))
			}
		}
	}
	room := columns - gap*(len(wanted)-1)
	for sum(wanted) > room {
		widest := -1
		for i := range wanted {
			if wanted[i] > least[i] && (widest < 0 || wanted[i] > wanted[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return nil, false
		}
		wanted[widest]--
	}
	return wanted, true
}

func sum(all []int) (n int) {
	for _, v := range all {
		n += v
	}
	return n
}

func writeRow(out *strings.Builder, row []string, widths []int) {
	var broken [][]string
	height := 1
	for i, w := range widths {
		cell := ""
		if i < len(row) {
			cell = row[i]
		}
		broken = append(broken, wrap(cell, w))
		height = max(height, len(broken[i]))
	}
	for at := range height {
		var line strings.Builder
		for i, w := range widths {
			part := ""
			if at < len(broken[i]) {
				part = broken[i][at]
			}
			line.WriteString(part + strings.Repeat(" ", w-width(part)+gap))
		}
		out.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// list writes each row as its first cell and, below it, what the other columns say.
func list(head []string, rows [][]string, columns int) string {
	var out strings.Builder
	for i, row := range rows {
		if i > 0 {
			out.WriteByte('\n')
		}
		for j, cell := range row[:min(len(row), len(head))] {
			indent, more := "  ", "    "
			if j == 0 {
				indent = ""
			}
			if head[j] != "" {
				cell = head[j] + ": " + cell
			}
			for _, line := range wrap(cell, columns-len(more)) {
				out.WriteString(indent + line + "\n")
				indent = more
			}
		}
	}
	return out.String()
}
