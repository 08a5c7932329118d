package reports

import (
	"strings"
	"unicode/utf8"
)

// shortened narrows the table by the given number of terminal columns. It cuts the longest names in
// the middle. ok is false if a name would have to become shorter than least. Names to copy are
// never cut.
func (t Table) shortened(over, least int) (_ Table, ok bool) {
	caps, left := t.caps(over, least, Column.name)
	return t.capped(caps), left == 0
}

// name reports whether the cells are names that may be cut.
func (c Column) name() bool { return c.Code && !c.Right && !c.Whole && !c.Wraps }

// capped cuts the names in the given columns to the given widths.
func (t Table) capped(caps map[int]int) Table {
	t = t.cloned()
	for column, width := range caps {
		var names []string
		longest := 0
		for _, row := range t.lines() {
			if column < len(row) {
				names = append(names, Visible(row[column].Text))
				longest = max(longest, displayWidth(Visible(row[column].Text)))
			}
		}
		short := shortNames(names, width)
		for at := width + 1; at < longest && !allWithin(short, at-1); at++ {
			short = shortNames(names, at) // some names would become equal at a smaller width
		}
		for _, row := range t.lines() {
			if column < len(row) {
				row[column].Text = short[Visible(row[column].Text)]
			}
		}
	}
	return t
}

func allWithin(short map[string]string, width int) bool {
	for _, name := range short {
		if displayWidth(name) > width {
			return false
		}
	}
	return true
}

// shortNames cuts names in the middle to at most width columns. Different names stay different: if
// two of them would look the same, they are cut in another place or stay whole.
func shortNames(names []string, width int) map[string]string {
	short, taken := map[string]string{}, map[string]bool{}
	groups := map[string][]string{} // names that become equal when cut in the usual place
	var order []string
	usual := width / 3
	for _, name := range names {
		if _, seen := short[name]; seen {
			continue
		}
		short[name] = name
		if displayWidth(name) <= width {
			taken[name] = true
			continue
		}
		cut := cutAt(name, usual, width)
		if groups[cut] == nil {
			order = append(order, cut)
		}
		groups[cut] = append(groups[cut], name)
	}
	for _, cut := range order {
		group := groups[cut]
		for off := range width {
			if at := usual + (off+1)/2*(1-2*(off%2)); at >= 0 && at < width && distinct(group, at, width, taken) {
				for _, name := range group {
					short[name] = cutAt(name, at, width)
					taken[short[name]] = true
				}
				break
			}
		}
	}
	return short
}

// distinct reports whether names cut at the given position differ from each other and from the
// taken names.
func distinct(names []string, at, width int, taken map[string]bool) bool {
	seen := map[string]bool{}
	for _, name := range names {
		cut := cutAt(name, at, width)
		if taken[cut] || seen[cut] {
			return false
		}
		seen[cut] = true
	}
	return true
}

// cutAt cuts a name to width columns. It keeps the beginning up to column at, and as much of the
// end as fits.
func cutAt(name string, at, width int) string {
	head, tail := "", name
	for tail != "" {
		_, n := utf8.DecodeRuneInString(tail)
		if displayWidth(head)+displayWidth(tail[:n]) > at {
			break
		}
		head, tail = head+tail[:n], tail[n:]
	}
	for tail != "" && displayWidth(head)+1+displayWidth(tail) > width {
		_, n := utf8.DecodeRuneInString(tail)
		tail = tail[n:]
	}
	return head + "…" + strings.TrimLeft(tail, " ")
}
