package scopes

import (
	"bytes"
	"strings"
)

// FillsTable reports whether at least half of the lines in head are table rows and one of the
// tables is a readable table of methods. In markdown, the rows of any table count. Headings, and
// indented lines outside a table, are not counted.
func FillsTable(head []byte) bool {
	found, width, ours, others := false, 0, 0, 0
	for line := range strings.Lines(string(head)) {
		trimmed := strings.TrimSpace(line)
		isRow := strings.HasPrefix(trimmed, "|")
		if cols := methodColumns(trimmed, true); cols != nil && checkColumns(cols) == nil {
			found, width = true, 0
			if !isRow {
				width = len(cols)
			}
		}
		switch {
		case trimmed == "":
			width = 0
		case strings.HasPrefix(trimmed, "#"):
		case isRow, isRule(trimmed), width > 0 && isPlainRow(line, width):
			ours++
		case width > 0 || line[0] != ' ' && line[0] != '\t':
			others++
		}
	}
	return found && ours >= others
}

// isPlainRow reports whether line could be a row of a plain table with width columns, even if a
// cell is malformed.
func isPlainRow(line string, width int) bool {
	return len(plainCells(line, strings.Contains(line, "\t"))) == width
}

// FillsReport reports whether a file begins with the title of a profile report.
func FillsReport(head []byte) bool {
	head = bytes.TrimSpace(head)
	at := reportTitle.FindIndex(head)
	return at != nil && at[0] == 0
}
