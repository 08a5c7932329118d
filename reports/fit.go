package reports

import (
	"fmt"
	"slices"
	"strings"
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
// sentences go on in a next line, then ranges give way and names get short; what does not fit in
// any way becomes a list.
func (t *textWriter) fit(table Table) (lines, hidden []string) {
	lines = t.layOut(table)
	if t.fits(lines) {
		return lines, nil
	}
	table = table.withoutEmptyExtra()
	order := table.leastFirst()
	for k := range len(order) + 1 {
		if lines, cut, ok := t.cutNames(table.less(order[:k])); ok {
			return t.regain(table, order[:k], lines, cut)
		}
	}
	hidden = table.titles(order)
	table = table.less(order)
	for {
		if lines, cut, ok := t.squeeze(table, t.readable()); ok {
			return lines, append(hidden, cut...)
		}
		what := table.leastBrief()
		if what == "" {
			break
		}
		table, hidden = table.withoutRanges(what), append(hidden, what)
	}
	if lines, cut, ok := t.squeeze(table, leastName); ok {
		return lines, append(hidden, cut...)
	}
	return t.list(table), hidden
}

// readable is how short long names are cut at most while something else can give way.
func (t *textWriter) readable() int { return min(max(leastName, t.opt.Width/3), longName) }

// cutNames returns the lines of a table, with names cut that are long where it does not fit without,
// and whether it fits then.
func (t *textWriter) cutNames(table Table) (lines, cut []string, ok bool) {
	if lines = t.layOut(table); t.fits(lines) {
		return lines, nil, true
	}
	short, ok := table.shortened(t.over(lines), t.readable())
	if !ok {
		return lines, nil, false
	}
	lines = t.layOut(short)
	return lines, []string{"whole names"}, t.fits(lines)
}

// regain returns the lines of a table without some of its columns, and where leaving out the last
// of them made room for others again, with these: all of a rank, as they may be a pair.
func (t *textWriter) regain(table Table, out []int, lines, cut []string) (_, hidden []string) {
	rank := func(i int) int { return table.Columns[i].Rank }
	for k := len(out) - 1; k >= 0; k-- {
		if k > 0 && rank(out[k-1]) == rank(out[k]) {
			continue // with the first of its rank
		}
		rest := slices.DeleteFunc(slices.Clone(out), func(i int) bool { return rank(i) == rank(out[k]) })
		if more, short, ok := t.cutNames(table.less(rest)); ok {
			out, lines, cut = rest, more, short
		}
	}
	return lines, append(table.titles(out), cut...)
}

// squeeze returns the lines of a table with its sentences broken and, where that is not enough,
// with names cut to a width at least, and whether it fits then.
func (t *textWriter) squeeze(table Table, least int) (lines, cut []string, ok bool) {
	lines = t.layOut(table)
	folded := table.folded(t.over(lines))
	if lines = t.layOut(folded); t.fits(lines) {
		return lines, nil, true
	}
	short, _ := table.shortened(t.over(lines), least)
	lines = t.layOut(short)
	lines = t.layOut(short.folded(t.over(lines)))
	return lines, []string{"whole names"}, t.fits(lines)
}

// over is by how much lines are wider than the terminal.
func (t *textWriter) over(lines []string) int { return widest(lines) - t.opt.Width }

func (t *textWriter) fits(lines []string) bool { return t.opt.Width == 0 || t.over(lines) <= 0 }

// withoutEmptyExtra is the table without the columns that are there for nothing.
func (t Table) withoutEmptyExtra() Table {
	for i, c := range slices.Backward(t.Columns) {
		if c.Extra && t.Empty(i) {
			t = t.Without(i)
		}
	}
	return t
}

// leastFirst are the columns that may be left out, those first that matter least.
func (t Table) leastFirst() (order []int) {
	for i, c := range slices.Backward(t.Columns) {
		if c.Extra {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return t.Columns[b].Rank - t.Columns[a].Rank })
	return order
}

func (t Table) titles(columns []int) (titles []string) {
	for _, i := range columns {
		titles = append(titles, t.Columns[i].Title)
	}
	return titles
}

// less is the table without some columns.
func (t Table) less(columns []int) Table {
	for _, i := range columns {
		t = t.marksKept(i)
	}
	columns = slices.Sorted(slices.Values(columns))
	for _, i := range slices.Backward(columns) {
		t = t.Without(i)
	}
	return t
}

// withoutRanges is the table without the ranges of a kind.
func (t Table) withoutRanges(brief string) Table {
	t.Columns = slices.Clone(t.Columns)
	t = t.cloned()
	for k := range t.Columns {
		if t.Columns[k].Brief != brief {
			continue
		}
		t.Columns[k].Brief = ""
		for _, row := range t.lines() {
			if k < len(row) {
				row[k].Range = ""
			}
		}
	}
	return t
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
