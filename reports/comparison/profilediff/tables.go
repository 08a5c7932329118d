// Package profilediff reports how two profiles, or two runs of one suite of the engine, differ as a
// whole: totals, largest changes, models, kernels and the call hierarchy.
//
// Begin with tables.go. callpaths.go arranges scopes as a tree, and json.go writes the document.
package profilediff

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison/rowcells"
	"github.com/perftrack/perftrack/runner/record"
)

// topChanges is the maximum number of improvements and of regressions to list.
const topChanges = 10

// A pair lays out the comparison of two profiles.
type pair struct {
	*profiles.Diff
	c     *compare.Comparison
	all   bool // also show small rows
	notes *reports.Footnotes
}

// Tables returns the tables comparing two profiles as a whole, with the summary first.
func Tables(c *compare.Comparison, p *profiles.Diff, all bool, notes *reports.Footnotes) []reports.Table {
	l := pair{p, c, all, notes}
	tables := []reports.Table{l.overall(), l.top("Improvements, top ten", -1), l.top("Regressions, top ten", +1)}
	if t, ok := l.undecided(); ok {
		tables = append(tables, t)
	}
	if len(p.Models) > 0 {
		tables = append(tables, l.models())
	}
	if p.Scaling != nil {
		tables = append(tables, l.scaling())
	}
	if len(p.Kernels) > 0 {
		tables = append(tables, l.kernels())
	}
	switch {
	case p.Paths:
		tables = append(tables, l.hierarchy())
	case p.Table.Kind == record.Scope:
		tables = append(tables, l.methods())
	}
	facts := rowcells.TableFacts(p.Table)
	for i := range tables {
		tables[i].Facts = facts
	}
	return tables
}

func (l pair) overall() reports.Table {
	t := reports.Table{Heading: "Overall", Words: l.words(), Columns: []reports.Column{
		{}, {Title: "base", Right: true}, {Title: "head", Right: true}, {Title: "difference", Right: true, Extra: true}, {Title: "change", Right: true},
	}}
	add := func(name string, p tree.Pair, format func(float64) string) {
		t.Rows = append(t.Rows, append([]reports.Cell{{Text: name}}, l.quantity(p, format, false)...))
	}
	shared := l.Both < max(l.Count[0], l.Count[1])
	switch {
	case l.oneRun():
		add("the run, sum of the outermost rows", l.Outer, l.duration)
		if shared {
			add("only rows on both sides", l.OuterShared, l.duration)
		}
		add("allocations of the run", l.OuterBytes, l.size)
	default:
		all := "total runtime, sum of all rows"
		if l.Table.Kind == record.Bench {
			all = "one operation each, sum of all rows"
		}
		longest := l.longest()
		if longest != nil {
			add("the longest row, "+longest.Name, longest.Time, l.duration)
		} else {
			add(all, l.Time, l.duration)
		}
		if shared && longest == nil {
			add("only rows on both sides", l.Shared, l.duration)
		}
		if l.Outer != l.Time && l.Placed {
			add("only outermost rows", l.Outer, l.duration)
		}
		if !math.IsNaN(l.Bytes.Base) || !math.IsNaN(l.Bytes.Head) {
			add("allocations, sum of all rows", l.Bytes, l.size)
		}
	}
	for _, one := range []struct{ name, key, unit string }{
		{"runtime, as printed", "total-runtime", "ms"}, {"allocations, as printed", "total-allocations", "MB"},
	} {
		if p := l.printed(one.key, one.unit); l.Printed && p.Known() {
			add(one.name, p, func(x float64) string { return l.digits(x) + " " + one.unit })
		}
	}
	t.Rows = append(t.Rows, []reports.Cell{{Text: "methods"}, {Text: fmt.Sprint(l.Count[0])}, {Text: fmt.Sprint(l.Count[1])}, {Text: fmt.Sprintf("%d in both", l.Both)}})
	return t
}

// longest returns the row that takes longest on both sides of profiles without nesting. This row
// may contain all others. longest returns nil if no row is the longest on both sides.
func (l pair) longest() *profiles.Method {
	if l.Placed || l.Table.Kind != record.Scope || len(l.Methods) == 0 || !l.Methods[0].Time.Known() {
		return nil
	}
	most := l.Methods[0]
	for _, m := range l.Methods {
		if m.Time.Base > most.Time.Base || m.Time.Head > most.Time.Head {
			return nil
		}
	}
	return most
}

// printed returns the total that imported reports print under key, in the given unit. The value of
// a side is unknown unless exactly one of its runs has the total.
func (l pair) printed(key, unit string) tree.Pair {
	of := func(s compare.Side) float64 {
		found := math.NaN()
		for _, r := range s.Runs {
			if !slices.ContainsFunc(r.Benchmarks, func(b record.Benchmark) bool { return b.Kind == record.Scope && b.Suite == l.Table.Suite }) {
				continue
			}
			number, in, _ := strings.Cut(r.Facts.Get(key), " ")
			x, err := strconv.ParseFloat(strings.ReplaceAll(number, ",", ""), 64)
			if err != nil || in != unit || !(x >= 0) || !math.IsNaN(found) {
				return math.NaN()
			}
			found = x
		}
		return found
	}
	return tree.Pair{Base: of(l.c.Base), Head: of(l.c.Head)}
}

// oneRun reports whether the outermost rows add up to the whole run. They do not in imported
// reports without nesting.
func (l pair) oneRun() bool {
	return l.Table.Kind == record.Scope && l.Placed && (l.Paths || !l.Printed && l.Outer == l.Time)
}

// byMedians explains that the numbers are computed from medians and not from pairs. It returns nil
// for single samples.
func (l pair) byMedians() []string {
	if l.Single {
		return nil
	}
	return []string{"Based on the medians of both sides; the verdicts are in the rows."}
}

// words summarizes the comparison in sentences.
func (l pair) words() []string {
	subject, change := "All rows together take", l.Time.Ratio()
	switch {
	case l.Table.Kind == record.Bench:
		subject = "One operation of each benchmark takes together"
	case l.oneRun():
		subject, change = "The run takes", l.Outer.Ratio()
	case l.longest() != nil:
		subject, change = "The longest row takes", l.longest().Time.Ratio()
	}
	by := ""
	if !l.Single {
		by = ", comparing the medians"
	}
	var out []string
	switch {
	case change > 0:
		out = append(out, fmt.Sprintf("%s %s longer%s.", subject, reports.Portion(change), by))
	case change < 0:
		out = append(out, fmt.Sprintf("%s %s less time%s.", subject, reports.Portion(-change), by))
	case change == 0:
		out = append(out, subject+" the same time.")
	}
	slower, faster := 0, 0
	for _, c := range l.Changes {
		if c.Change() > 0 {
			slower++
		} else {
			faster++
		}
	}
	shown := fmt.Sprintf("Counting nested rows as one change, %d became slower and %d faster by %s or more", slower, faster, rowcells.Thresholds(l.c))
	switch n := l.UndecidedRows; {
	case n > 0 && slower+faster == 0:
		out = append(out, fmt.Sprintf("No change could be shown; %s undecided.", reports.Plural(n, "row")))
	case n > 0:
		out = append(out, fmt.Sprintf("%s; %s undecided.", shown, reports.Plural(n, "row")))
	default:
		out = append(out, shown+".")
	}
	if l.Single {
		out = append(out, "Each side has only one sample, so nothing can be tested and the noise is unknown.")
	}
	return out
}

func (l pair) top(title string, direction float64) reports.Table {
	t := reports.Table{Heading: title, Columns: l.timeColumns()}
	t.Columns = append(t.Columns, reports.Column{Title: "correlated with", Code: true})
	for _, c := range l.Changes {
		if c.Change()*direction < 0 || len(t.Rows) == topChanges {
			continue
		}
		t.Rows = append(t.Rows, append(l.timeCells(c.Method), reports.Cell{Text: l.with(c)}))
	}
	switch {
	case len(t.Rows) == 0 && l.UndecidedRows > 0:
		return reports.Table{Heading: title, Words: []string{"none could be shown"}}
	case len(t.Rows) == 0:
		return reports.Table{Heading: title, Words: []string{"none"}}
	}
	return t.WithoutEmpty(len(t.Columns) - 1)
}

// with names the other rows that show the same change as c. It shortens a call path to its last
// element.
func (l pair) with(c profiles.MethodChange) string {
	names := make([]string, len(c.With))
	for i, m := range c.With {
		names[i] = m.Name
		if l.Paths {
			names[i] = m.Name[strings.LastIndexByte(m.Name, '/')+1:]
		}
	}
	return strings.Join(names, ", ")
}

// undecided lists the largest differences that may be noise, except those of small scopes. It
// returns false if there are none.
func (l pair) undecided() (reports.Table, bool) {
	t := reports.Table{
		Heading: "Undecided, top ten",
		Words:   []string{fmt.Sprintf("These differ by %s or more, but that may be noise.", rowcells.Thresholds(l.c))},
		Columns: append(l.timeColumns(), reports.Column{Title: "verdict", Wraps: true}, reports.Column{Title: "would be correlated with", Code: true, Extra: true, Rank: 1}),
	}
	small := l.small()
	for _, c := range l.Undecided {
		if len(t.Rows) < topChanges && !small(c.Row) {
			t.Rows = append(t.Rows, append(l.timeCells(c.Method), rowcells.Verdict(c.Row), reports.Cell{Text: l.with(c)}))
		}
	}
	return t.WithoutEmpty(len(l.timeColumns())), len(t.Rows) > 0
}

func (l pair) timeColumns() []reports.Column {
	unit := "ms"
	if l.Table.Kind == record.Bench {
		unit = l.Table.Unit
	}
	return []reports.Column{
		{Title: "method", Code: true},
		{Over: "base", Title: unit, Unit: true, Right: true},
		{Over: "head", Title: unit, Unit: true, Right: true},
		{Title: "difference", Right: true, Extra: true},
		{Title: "change", Right: true},
	}
}

func (l pair) timeCells(m *profiles.Method) []reports.Cell {
	cells := append([]reports.Cell{{Text: m.Name}}, l.quantity(m.Time, l.plainDuration, true)...)
	change := &cells[len(cells)-1]
	if change.Text != "" {
		change.Text = reports.PlainChange(m.Change())
	}
	if !m.SameCalls() && m.Time.Known() {
		cells[len(cells)-2].Text = ""
		change.Notes = append(change.Notes, l.notes.Add(reports.Note{Text: "per call, because the sides made different numbers of calls", Detail: ""}))
	}
	return cells
}

// methods lists all methods, with both sides next to each other.
func (l pair) methods() reports.Table {
	t := reports.Table{Heading: "Every method", Columns: l.methodColumns()}
	for _, m := range l.Methods {
		t.Rows = append(t.Rows, l.methodCells(m))
	}
	return t.WithoutEmpty(3)
}

func (l pair) methodColumns() []reports.Column {
	return append(l.timeColumns(),
		reports.Column{Title: "verdict", Wraps: true},
		reports.Column{Title: "calls", Right: true},
		reports.Column{Over: "base", Title: "self ms", Right: true, Extra: true, Rank: 2},
		reports.Column{Over: "head", Title: "self ms", Right: true, Extra: true, Rank: 2},
		reports.Column{Over: "base", Title: "MiB", Right: true, Extra: true},
		reports.Column{Over: "head", Title: "MiB", Right: true, Extra: true},
		reports.Column{Title: "within", Code: true, Extra: true, Rank: 3})
}

func (l pair) methodCells(m *profiles.Method) []reports.Cell {
	cells := l.timeCells(m)
	change := &cells[len(cells)-1]
	change.Notes = append(change.Notes, rowcells.CorrelatedWith(m.Row, l.notes)...)
	self, size := l.quantity(m.Self, l.plainDuration, true), l.quantity(m.Bytes, l.plainSize, true)
	for i := range size[:2] {
		if [2]float64{m.Bytes.Base, m.Bytes.Head}[i] == 0 && l.Printed {
			size[i].Notes = reports.FootnotesOf(m.Notes[i], l.notes)
		}
	}
	return append(cells, rowcells.Verdict(m.Row), reports.Cell{Text: callsText(m)}, self[0], self[1], size[0], size[1], reports.Cell{Text: within(m.Row)})
}

func callsText(m *profiles.Method) string {
	b, h := m.Calls[0], m.Calls[1]
	switch {
	case b == h || h == 0:
		return reports.WithCommas(fmt.Sprintf("%.0f", b))
	case b == 0:
		return reports.WithCommas(fmt.Sprintf("%.0f", h))
	}
	return reports.WithCommas(fmt.Sprintf("%.0f", b)) + " / " + reports.WithCommas(fmt.Sprintf("%.0f", h))
}

// within names the rows that directly contain a row. If there are more than two, it names the first
// row and counts the others.
func within(r *compare.Row) string {
	switch n := len(r.Within); {
	case n == 0:
		return ""
	case n <= 2:
		names := make([]string, n)
		for i, p := range r.Within {
			names[i] = p.Name
		}
		return strings.Join(names, ", ")
	default:
		return fmt.Sprintf("%s and %d more", r.Within[0].Name, n-1)
	}
}

// quantity returns four cells: base, head, difference and change.
func (l pair) quantity(p tree.Pair, format func(float64) string, plain bool) []reports.Cell {
	cells := make([]reports.Cell, 4)
	for i, v := range []float64{p.Base, p.Head} {
		if !math.IsNaN(v) {
			cells[i].Text = format(v)
		}
	}
	if p.Known() {
		d, sign := p.Difference(), "+"
		if d < 0 {
			sign = "-"
		}
		if cells[2].Text = format(math.Abs(d)); d != 0 && cells[2].Text != format(0) {
			cells[2].Text = sign + cells[2].Text
		}
		cells[3].Text = reports.PlainChange(p.Ratio())
	}
	return cells
}

func (l pair) duration(seconds float64) string {
	return l.digits(1e3*seconds) + " ms"
}

// plainDuration formats a time without a unit, for a column with the unit in its title.
func (l pair) plainDuration(seconds float64) string {
	if l.Table.Kind == record.Bench {
		return reports.ScaleFor("sec", seconds).Format(seconds)
	}
	return l.digits(1e3 * seconds)
}

func (l pair) size(bytes float64) string {
	if l.Printed {
		return l.plainSize(bytes) + " MiB"
	}
	return reports.Quantity{Value: bytes, Unit: "B"}.String()
}

func (l pair) plainSize(bytes float64) string { return l.digits(bytes / (1 << 20)) }

// digits formats a number from a printed report with two decimals, as the report itself does, and a
// measured number with at least three significant digits.
func (l pair) digits(x float64) string {
	if l.Printed {
		return reports.Fixed(x)
	}
	return reports.AtLeast(3, x)
}
