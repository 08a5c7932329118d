package scopes

import (
	"bytes"
	"strings"
)

// FillsTable counts the rows of tables, in markdown of any table, once a table of methods
// that can be read is among them. Headings belong to a report as much as its tables.
func FillsTable(head []byte) bool {
	found, width, ours, others := false, 0, 0, 0
	for line := range strings.Lines(string(head)) {
		trimmed := strings.TrimSpace(line)
		isRow := strings.HasPrefix(trimmed, "|")
		if titles, plain := methodTitles(trimmed, isRow); titles > 0 {
			found, width = true, 0
			if plain {
				width = titles
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

// methodTitles returns how many columns the table has whose header line is, 0 when it is
// none, and whether the table is plain.
func methodTitles(line string, isRow bool) (n int, plain bool) {
	var titles []string
	if isRow {
		titles = splitRow(line)
	} else {
		titles, _ = plainTitles(line)
	}
	cols := columnsOf(titles)
	if !isMethods(cols) || checkColumns(cols) != nil {
		return 0, false
	}
	return len(cols), !isRow
}

// isPlainRow reports whether line has the cells of a plain table, be one of them broken.
func isPlainRow(line string, width int) bool {
	return len(plainCells(line, strings.Contains(line, "\t"))) == width
}

// FillsReport reports whether a file is a profile report from its beginning on, which is its title.
func FillsReport(head []byte) bool {
	head = bytes.TrimSpace(head)
	at := reportTitle.FindIndex(head)
	return at != nil && at[0] == 0
}
