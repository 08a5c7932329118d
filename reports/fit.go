package reports

import (
	"slices"
	"strings"
)

const (
	longName  = 40 // minimum width of a shortened name on a wide terminal, while there are still columns to leave out
	leastName = 12 // minimum width of a shortened name in all other cases
	leastText = 16 // minimum width of the lines of a broken sentence

	mostName = 120 // maximum width of a name if there is no terminal
)

// table writes the rows below their column titles, no wider than the terminal.
func (t *textWriter) table(table Table) error {
	if len(table.Columns) == 0 {
		return nil
	}
	narrow, hidden, ok := t.fit(table)
	var lines []string
	if ok {
		var err error
		if lines, err = t.layOut(narrow); err != nil {
			return err
		}
	} else {
		lines = t.list(narrow)
	}
	for _, l := range lines {
		t.line(l)
	}
	if len(hidden) > 0 {
		parts := strings.Join(hidden, ", ")
		if t.opt.Width == 0 {
			t.line("(too long for a line: " + parts + ")")
			return nil
		}
		for _, l := range broken(Visible("(terminal too narrow for: "+parts+")"), t.opt.Width) {
			t.line(l)
		}
	}
	return nil
}

// fit narrows a table to the terminal and returns the names of the omitted parts. Until the table
// fits, it takes these steps in order: it shortens long names, leaves out columns by rank, breaks
// sentences into lines, leaves out ranges, and shortens all names. ok is false if the table still
// does not fit.
func (t *textWriter) fit(table Table) (narrow Table, hidden []string, ok bool) {
	if t.opt.Width == 0 {
		narrow, hidden = table.endlessCut()
		return narrow, hidden, true
	}
	if t.fits(table) {
		return table, nil, true
	}
	table = table.withoutEmptyExtra()
	order := table.leastFirst()
	for k := range len(order) + 1 {
		if narrow, cut, ok := t.cutNames(table.less(order[:k])); ok {
			narrow, hidden = t.regain(table, order[:k], narrow, cut)
			return narrow, hidden, true
		}
	}
	hidden = table.titles(order)
	table = table.less(order)
	for {
		if narrow, cut, ok := t.squeeze(table, t.readable()); ok {
			return narrow, append(hidden, cut...), true
		}
		brief := table.leastBrief()
		if brief == "" {
			break
		}
		table, hidden = table.withoutRanges(brief), append(hidden, brief)
	}
	if narrow, cut, ok := t.squeeze(table, leastName); ok {
		return narrow, append(hidden, cut...), true
	}
	return table, hidden, false
}

// readable returns the minimum width of a shortened name while there are other parts to leave out.
func (t *textWriter) readable() int { return min(max(leastName, t.opt.Width/3), longName) }

// cutNames shortens the long names of a table that is too wide, and reports whether the result
// fits.
func (t *textWriter) cutNames(table Table) (narrow Table, cut []string, ok bool) {
	if t.fits(table) {
		return table, nil, true
	}
	short, ok := table.shortened(t.over(table), t.readable())
	return short, []string{"whole names"}, ok && t.fits(short)
}

// regain puts back columns that fit again because a later one was left out. It puts back all
// columns of the same rank together, because they may be a pair.
func (t *textWriter) regain(table Table, out []int, narrow Table, cut []string) (_ Table, hidden []string) {
	rank := func(i int) int { return table.Columns[i].Rank }
	for k := len(out) - 1; k >= 0; k-- {
		if k > 0 && rank(out[k-1]) == rank(out[k]) {
			continue // handled with the first column of the rank
		}
		rest := slices.DeleteFunc(slices.Clone(out), func(i int) bool { return rank(i) == rank(out[k]) })
		if more, short, ok := t.cutNames(table.less(rest)); ok {
			out, narrow, cut = rest, more, short
		}
	}
	return narrow, append(table.titles(out), cut...)
}

// squeeze breaks the sentences of a table and, if it is still too wide, shortens its names, but to
// no fewer than least terminal columns. ok reports whether the result fits.
func (t *textWriter) squeeze(table Table, least int) (narrow Table, cut []string, ok bool) {
	folded := table.folded(t.over(table))
	if t.fits(folded) {
		return folded, nil, true
	}
	short, _ := table.shortened(t.over(folded), least)
	narrow = short.folded(t.over(short))
	return narrow, []string{"whole names"}, t.fits(narrow)
}

// endlessCut cuts the names that are too long for any line. One such name in a table would make each of
// its lines as long.
func (t Table) endlessCut() (narrow Table, hidden []string) {
	caps := map[int]int{}
	for j, c := range t.Columns {
		if c.name() && slices.ContainsFunc(t.lines(), func(row []Cell) bool { return j < len(row) && displayWidth(Visible(row[j].Text)) > mostName }) {
			caps[j] = mostName
		}
	}
	if len(caps) == 0 {
		return t, nil
	}
	return t.capped(caps), []string{"whole names"}
}

// over returns the excess width of the table over the terminal's width, in columns.
func (t *textWriter) over(table Table) int { return t.width(table) - t.opt.Width }

func (t *textWriter) fits(table Table) bool { return t.opt.Width == 0 || t.over(table) <= 0 }

// withoutEmptyExtra returns the table without its empty Extra columns.
func (t Table) withoutEmptyExtra() Table {
	for i, c := range slices.Backward(t.Columns) {
		if c.Extra && t.Empty(i) {
			t = t.Without(i)
		}
	}
	return t
}

// leastFirst returns the indexes of the Extra columns, with the least important first.
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

// less returns the table without the given columns. Their footnotes are kept.
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

// withoutRanges returns the table without the ranges of the columns whose Brief is brief.
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

// leastBrief returns the Brief of the ranges to be left out first, or "".
func (t Table) leastBrief() string {
	least := Column{Rank: -1}
	for _, c := range t.Columns {
		if c.Brief != "" && c.Rank > least.Rank {
			least = c
		}
	}
	return least.Brief
}

// marksKept moves the footnote marks in a column to the name in each row, or to the first cell if
// there is no column of names.
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

// lines returns all rows followed by the footer.
func (t Table) lines() [][]Cell {
	if t.Footer == nil {
		return t.Rows
	}
	return append(t.Rows[:len(t.Rows):len(t.Rows)], t.Footer)
}

// cloned returns a copy of the table whose cells can be changed.
func (t Table) cloned() Table {
	t.Rows = slices.Clone(t.Rows)
	for i, row := range t.Rows {
		t.Rows[i] = slices.Clone(row)
	}
	t.Footer = slices.Clone(t.Footer)
	return t
}
