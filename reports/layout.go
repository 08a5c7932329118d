package reports

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twcache"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

const between = "  " // separates two columns of a table on the terminal

// layOut lays out a table for the terminal and returns its lines.
func (t *textWriter) layOut(table Table) ([]string, error) {
	bare := renderer.NewBlueprint(tw.Rendition{
		Borders:  tw.BorderNone,
		Symbols:  tw.NewSymbolCustom("gap").WithColumn(between),
		Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.On, BetweenRows: tw.Off}, Lines: tw.LinesNone},
	})
	var head, body []tw.Align
	var columns [][]string
	for j, c := range table.Columns {
		column := append([]string{table.heading(c)}, t.column(table, j)...)
		if !slices.ContainsFunc(column, func(cell string) bool { return widest(cell) > 0 }) {
			continue
		}
		columns = append(columns, column)
		if c.Right {
			head, body = append(head, tw.AlignCenter), append(body, tw.AlignRight)
		} else {
			head, body = append(head, tw.AlignLeft), append(body, tw.AlignLeft)
		}
	}
	rows := make([][]string, 1+len(table.lines()))
	for i := range rows {
		for _, column := range columns {
			rows[i] = append(rows[i], column[i])
		}
	}
	text, err := t.drawer.draw(bare, rows, head, body, tablewriter.WithPadding(tw.PaddingNone))
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n"), err
}

// A drawer draws tables one after another with a single tablewriter. Each new tablewriter would
// allocate a large cache.
type drawer struct {
	table *tablewriter.Table
	out   strings.Builder
}

// draw returns the text of a table of finished cells, with the heading in the first row. It does not
// change the cells.
func (d *drawer) draw(as tw.Renderer, rows [][]string, head, body []tw.Align, more ...tablewriter.Option) (string, error) {
	twwidth.SetEastAsian(false) // the width of µ and ± must not depend on the reader's locale
	d.out.Reset()
	if d.table == nil {
		d.table = tablewriter.NewTable(&d.out, tablewriter.WithStringerCacheCustom(twcache.NewLRU[reflect.Type, reflect.Value](1)))
	}
	table := d.table
	table.Reset()
	table.Options(append([]tablewriter.Option{
		tablewriter.WithRenderer(as),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithTrimLine(tw.Off),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignmentConfig(tw.CellAlignment{PerColumn: head}),
		tablewriter.WithRowAutoFormat(tw.Off),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{PerColumn: body}),
	}, more...)...)
	table.Header(rows[0])
	if err := table.Bulk(rows[1:]); err != nil {
		return "", fmt.Errorf("lay out table: %w", err)
	}
	if err := table.Render(); err != nil {
		return "", fmt.Errorf("lay out table: %w", err)
	}
	return d.out.String(), nil
}

// heading returns the title of a column. If any column in the table has a second title above its
// own, the heading has two lines.
func (t Table) heading(c Column) string {
	if slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Over != "" }) {
		return Visible(c.Over) + "\n" + Visible(c.Title)
	}
	return Visible(c.Title)
}

// width returns the width of a table on the terminal.
func (t *textWriter) width(table Table) (width int) {
	left := 0
	for j, c := range table.Columns {
		wide := widest(table.heading(c))
		for _, cell := range t.column(table, j) {
			wide = max(wide, widest(cell))
		}
		if wide > 0 {
			width = left + wide
			left = width + len(between)
		}
	}
	return width
}

// widest returns the width of the longest line in a cell.
func widest(cell string) (width int) {
	for line := range strings.SplitSeq(cell, "\n") {
		width = max(width, displayWidth(line))
	}
	return width
}

// column returns the cells of column j, with their numbers, intervals and footnotes aligned.
func (t *textWriter) column(table Table, j int) []string {
	c, rows := table.Columns[j], table.lines()
	text := make([]string, len(rows))
	var numbers, ranges, intervals, notes int // widths
	part := func(row []Cell) (cell Cell, number, rng, marks string) {
		if j < len(row) {
			cell = row[j]
		}
		for _, n := range cell.Notes {
			marks += " " + superscript(n)
		}
		return cell, Visible(cell.Text), Visible(cell.Range), strings.TrimPrefix(marks, " ")
	}
	for _, row := range rows {
		_, number, rng, marks := part(row)
		numbers, ranges, notes = max(numbers, displayWidth(number)), max(ranges, displayWidth(rng)), max(notes, displayWidth(marks))
		if strings.HasPrefix(rng, "± ") {
			intervals = max(intervals, displayWidth(rng))
		}
	}
	for i, row := range rows {
		cell, number, rng, marks := part(row)
		if !c.Right {
			text[i] = t.Words(cell.Tone, number+spaced(rng), c.lines) + spaced(marks)
			continue
		}
		s := pad(numbers-displayWidth(number)) + t.color(cell.Tone, number)
		if ranges > 0 {
			fill := pad(ranges - displayWidth(rng))
			if after, ok := strings.CutPrefix(rng, "± "); ok {
				s += " ± " + pad(intervals-displayWidth(rng)) + after + pad(ranges-intervals)
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

// Words returns text in the color of its tone, broken into lines of the given width. A width of 0
// means a single line.
func (t *textWriter) Words(tone Tone, text string, width int) string {
	lines := []string{text}
	if width > 0 {
		lines = broken(text, width)
	}
	for i, line := range lines {
		lines[i] = t.color(tone, line)
	}
	return strings.Join(lines, "\n")
}
