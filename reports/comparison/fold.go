package comparison

import (
	"fmt"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
)

// foldAbove is the largest number of rows to be shown in full. If there are more, unchanged rows
// are counted instead of shown.
const foldAbove = 12

// folds reports whether unchanged rows are counted instead of shown.
func (v View) folds(c *compare.Comparison) bool {
	rows := 0
	for r := range c.Rows() {
		if v.keeps(r) && !sameCount(r) {
			rows++
		}
	}
	return !v.All && v.Sort == "" && rows > foldAbove
}

// If more than openMany rows are undecided, only the first openShown of them are shown.
const openMany, openShown = 20, 10

// capped leaves out all but the first few undecided rows if there are many, and returns lines that
// count the rows left out.
func (s *screen) capped(rows []tableRow) (shown []tableRow, lines []string) {
	isOpen := func(r tableRow) bool { return r.Verdict == compare.Inconclusive || r.Verdict == compare.NotChecked }
	all := 0
	for _, r := range rows {
		if isOpen(r) {
			all++
		}
	}
	if !s.fold || s.v.Changed || all <= openMany {
		return rows, nil
	}
	open, more := 0, map[compare.Verdict]int{}
	for _, r := range rows {
		if isOpen(r) {
			if open++; open > openShown {
				more[r.Verdict]++
				continue
			}
		}
		shown = append(shown, r)
	}
	for _, v := range []compare.Verdict{compare.NotChecked, compare.Inconclusive} {
		if n := more[v]; n > 0 {
			lines = append(lines, fmt.Sprintf("%d more %s: perftrack compare --changed shows them", n, v))
		}
	}
	return shown, lines
}

// folded reports whether a row is counted instead of shown. Equal counts of allocations are usually
// folded; if there are many rows, so are unchanged rows and rows derived from the time.
func (s *screen) folded(r *compare.Row) bool {
	if r.Base.N == 0 || r.Head.N == 0 {
		return false
	}
	return s.fold && (r.Verdict == compare.Unchanged || r.Derived) || !s.v.All && s.v.Sort == "" && sameCount(r)
}

// foldedLines returns lines that count the folded rows. Units with the same counts share a line:
// "B/op, allocs/op: 58 unchanged".
func (s *screen) foldedLines(rows []tableRow) (lines []string) {
	var units []string
	words := map[string]string{}
	count := map[string]int{}
	slight := 0
	follows := map[string]bool{}
	for _, r := range rows {
		count[r.Unit]++
		if rowcells.Negligible(r.Row) {
			slight++
		}
		follows[r.Unit] = r.Derived
		if !slices.Contains(units, r.Unit) {
			units = append(units, r.Unit)
		}
	}
	for _, u := range units {
		words[u] = fmt.Sprintf("%d unchanged", count[u])
		if follows[u] {
			words[u] = fmt.Sprintf("%d derived from the time", count[u])
		}
		if u == "B/op" && slight > 0 {
			words[u] += fmt.Sprintf(" (%d of them differ by one size class, which is too small to matter)", slight)
		}
	}
	for len(units) > 0 {
		text, of := words[units[0]], []string{}
		rest := units[:0:0]
		for _, u := range units {
			if words[u] == text {
				of = append(of, u)
			} else {
				rest = append(rest, u)
			}
		}
		lines, units = append(lines, strings.Join(of, ", ")+": "+text), rest
	}
	return lines
}
