package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/record"
)

// topChanges is how many improvements and regressions are listed.
const topChanges = 10

// A profileLayout sets the numbers of one comparison of profiles.
type profileLayout struct {
	*profiles.Diff
	c     *compare.Comparison
	notes *Footnotes
}

// profileTables are the sections of a comparison of profiles, the summary first.
func profileTables(c *compare.Comparison, p *profiles.Diff, notes *Footnotes) []Table {
	l := profileLayout{p, c, notes}
	tables := []Table{l.overall(), l.top("Improvements, top ten", -1), l.top("Regressions, top ten", +1)}
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
	facts := tableFacts(p.Table)
	for i := range tables {
		tables[i].Facts = facts
	}
	return tables
}

// shownWhole reports whether the methods of p tell all that a table of rows can.
func shownWhole(p *profiles.Diff, t *compare.Table) bool {
	of := p.Table
	return p.Single && t.Kind == record.Scope && t.Pairing == of.Pairing && t.Kind == of.Kind && t.Package == of.Package && t.Suite == of.Suite
}

func (l profileLayout) overall() Table {
	t := Table{Heading: "Overall", Words: l.words(), Columns: []Column{
		{}, {Title: "base", Right: true}, {Title: "head", Right: true}, {Title: "difference", Right: true}, {Title: "change", Right: true},
	}}
	add := func(name string, p tree.Pair, format func(float64) string) {
		t.Rows = append(t.Rows, append([]Cell{{Text: name}}, l.quantity(p, format, false)...))
	}
	shared := l.Both < max(l.Count[0], l.Count[1])
	switch {
	case l.oneRun():
		add("the run, sum of the rows that lie in no other", l.Outer, l.duration)
		if shared {
			add("of those that both sides have", l.OuterShared, l.duration)
		}
		add("allocations of the run", l.OuterBytes, l.size)
	default:
		all := "total runtime, sum of all rows"
		switch {
		case l.Table.Kind == record.Bench:
			all = "one operation of each, sum of all rows"
		case !l.Placed:
			all = "sum of all rows, which may lie in each other"
		}
		add(all, l.Time, l.duration)
		if shared {
			add("of rows that both sides have", l.Shared, l.duration)
		}
		if l.Outer != l.Time && l.Placed {
			add("of rows that lie in no other", l.Outer, l.duration)
		}
		add("allocations, sum of all rows", l.Bytes, l.size)
	}
	t.Rows = append(t.Rows, []Cell{{Text: "methods"}, {Text: fmt.Sprint(l.Count[0])}, {Text: fmt.Sprint(l.Count[1])}, {Text: fmt.Sprintf("%d in both", l.Both)}})
	return t
}

// oneRun reports whether what lies in no other row is the run: not of a report
// that was imported, whose rows are nested in ways that it does not tell.
func (l profileLayout) oneRun() bool {
	return l.Table.Kind == record.Scope && l.Placed && (l.Paths || !l.Printed && l.Outer == l.Time)
}

// words are the verdict, in words that claim no more than was measured.
func (l profileLayout) words() []string {
	subject, change := "All rows together take", l.Time.Ratio()
	switch {
	case l.Table.Kind == record.Bench:
		subject = "One operation of each, together, takes"
	case l.oneRun():
		subject, change = "The run takes", l.Outer.Ratio()
	}
	by := ""
	if !l.Single {
		by = ", by the medians"
	}
	var out []string
	switch {
	case change > 0:
		out = append(out, fmt.Sprintf("%s %s longer%s.", subject, longer(change), by))
	case change < 0:
		out = append(out, fmt.Sprintf("%s %.1f%% less time%s.", subject, -100*change, by))
	case change == 0:
		out = append(out, subject+" the same time.")
	}
	slower, faster := 0, 0
	for _, c := range l.Changes {
		if c.Delta > 0 {
			slower++
		} else {
			faster++
		}
	}
	shown := fmt.Sprintf("With nested rows as one change, %d became slower and %d faster by %s or more", slower, faster, thresholds(l.c))
	switch n := l.UndecidedRows; {
	case n > 0 && slower+faster == 0:
		out = append(out, fmt.Sprintf("No change could be shown; %s undecided.", Plural(n, "row")))
	case n > 0:
		out = append(out, fmt.Sprintf("%s; %s undecided.", shown, Plural(n, "row")))
	default:
		out = append(out, shown+".")
	}
	if l.Single {
		out = append(out, "One sample a side: no test is possible, and how much of this is noise cannot be told.")
	}
	return out
}

func (l profileLayout) top(title string, direction float64) Table {
	t := Table{Heading: title, Columns: l.timeColumns()}
	t.Columns = append(t.Columns, Column{Title: "one change with", Code: true})
	for _, c := range l.Changes {
		if c.Delta*direction < 0 || len(t.Rows) == topChanges {
			continue
		}
		t.Rows = append(t.Rows, append(l.timeCells(c.Method), Cell{Text: l.with(c)}))
	}
	switch {
	case len(t.Rows) == 0 && l.UndecidedRows > 0:
		return Table{Heading: title, Words: []string{"none could be shown"}}
	case len(t.Rows) == 0:
		return Table{Heading: title, Words: []string{"none"}}
	}
	return t.WithoutEmpty(len(t.Columns) - 1)
}

// with names the rows that show a change, too: of call paths, which lie in each
// other, the last element says it.
func (l profileLayout) with(c profiles.MethodChange) string {
	names := make([]string, len(c.With))
	for i, m := range c.With {
		names[i] = m.Name
		if l.Paths {
			names[i] = m.Name[strings.LastIndexByte(m.Name, '/')+1:]
		}
	}
	return strings.Join(names, ", ")
}

// undecided lists the largest differences that could be noise, but none of
// scopes that hardly count.
func (l profileLayout) undecided() (Table, bool) {
	t := Table{
		Heading: "Undecided, top ten",
		Words:   []string{fmt.Sprintf("These differ by %s or more, and nothing shows that it is more than noise.", thresholds(l.c))},
		Columns: append(l.timeColumns(), Column{Title: "verdict"}, Column{Title: "would be one change with", Code: true}),
	}
	small := l.small()
	for _, c := range l.Undecided {
		if len(t.Rows) < topChanges && !small(c.Row) {
			t.Rows = append(t.Rows, append(l.timeCells(c.Method), verdictCell(c.Row), Cell{Text: l.with(c)}))
		}
	}
	return t.WithoutEmpty(len(l.timeColumns())), len(t.Rows) > 0
}

func (l profileLayout) timeColumns() []Column {
	unit := "ms"
	if l.Table.Kind == record.Bench {
		unit = l.Table.Unit
	}
	return []Column{
		{Title: "method", Code: true},
		{Over: "base", Title: unit, Unit: true, Right: true},
		{Over: "head", Title: unit, Unit: true, Right: true},
		{Title: "difference", Right: true},
		{Title: "change", Right: true},
	}
}

func (l profileLayout) timeCells(m *profiles.Method) []Cell {
	cells := append([]Cell{{Text: m.Name}}, l.quantity(m.Time, l.plainDuration, true)...)
	change := &cells[len(cells)-1]
	if change.Text != "" {
		change.Text = shortPercent(m.Change())
	}
	if !m.SameCalls() && m.Time.Known() {
		cells[len(cells)-2].Text = ""
		change.Notes = append(change.Notes, l.notes.Add(Note{Text: "per call: the sides differ in calls", Detail: ""}))
	}
	return cells
}

// methods lists every method side by side.
func (l profileLayout) methods() Table {
	t := Table{Heading: "Every method", Columns: l.methodColumns()}
	for _, m := range l.Methods {
		t.Rows = append(t.Rows, l.methodCells(m))
	}
	return t.WithoutEmpty(3)
}

func (l profileLayout) methodColumns() []Column {
	return append(l.timeColumns(),
		Column{Title: "verdict"},
		Column{Title: "calls", Right: true},
		Column{Over: "base", Title: "self ms", Right: true, Extra: true},
		Column{Over: "head", Title: "self ms", Right: true, Extra: true},
		Column{Over: "base", Title: "MiB", Right: true},
		Column{Over: "head", Title: "MiB", Right: true},
		Column{Title: "within", Code: true, Extra: true})
}

func (l profileLayout) methodCells(m *profiles.Method) []Cell {
	cells := l.timeCells(m)
	change := &cells[len(cells)-1]
	change.Notes = append(change.Notes, oneWith(m.Row, l.notes)...)
	self, size := l.quantity(m.Self, l.plainDuration, true), l.quantity(m.Bytes, l.plainSize, true)
	for i := range size[:2] {
		if [2]float64{m.Bytes.Base, m.Bytes.Head}[i] == 0 && l.Printed {
			size[i].Notes = FootnotesOf(m.Notes[i], l.notes)
		}
	}
	return append(cells, verdictCell(m.Row), Cell{Text: callsText(m)}, self[0], self[1], size[0], size[1], Cell{Text: within(m.Row)})
}

func callsText(m *profiles.Method) string {
	b, h := m.Calls[0], m.Calls[1]
	switch {
	case b == h || h == 0:
		return withCommas(fmt.Sprintf("%.0f", b))
	case b == 0:
		return withCommas(fmt.Sprintf("%.0f", h))
	}
	return withCommas(fmt.Sprintf("%.0f", b)) + " / " + withCommas(fmt.Sprintf("%.0f", h))
}

// within names the rows that directly contain one, in few words.
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

func (l profileLayout) models() Table {
	t := Table{Heading: "Models", Columns: []Column{
		{Title: "model"}, {}, {Title: "base", Right: true}, {Title: "head", Right: true},
		{Title: "difference", Right: true}, {Title: "change", Right: true},
	}}
	for _, m := range l.Models {
		for _, q := range []struct {
			name string
			tree.Pair
			format func(float64) string
		}{
			{"time of an inference", m.Inference.Time, l.duration},
			{"throughput", m.Tokens, func(x float64) string { return fixed(x) + " tok/s" }},
			{"latency per token", m.Latency, l.duration},
			{"time to the first token", m.FirstToken, l.duration},
			{"memory per token", m.Memory, l.size},
		} {
			if q.Base == q.Base || q.Head == q.Head {
				t.Rows = append(t.Rows, append([]Cell{{Text: m.Name}, {Text: q.name}}, l.quantity(q.Pair, q.format, false)...))
			}
		}
	}
	return t
}

func (l profileLayout) scaling() Table {
	s := l.Scaling
	small, large := s.Small, s.Large
	times := func(x float64) string { return plain(x, 2) + "x" }
	row := func(name string, p tree.Pair) []Cell {
		return append([]Cell{{Text: name}}, l.quantity(p, times, false)[:2]...)
	}
	ratio := fmt.Sprintf(" %s / %s", large.Name, small.Name)
	return Table{
		Heading: "Scaling, " + large.Name + " against " + small.Name,
		Words: []string{fmt.Sprintf("efficiency = (parameters%s) / (time per token%s); parameters %s and %s. Above 1.00x the time grows more slowly than the parameters.",
			ratio, ratio, withCommas(fmt.Sprint(large.Parameters)), withCommas(fmt.Sprint(small.Parameters)))},
		Columns: []Column{{}, {Title: "base", Right: true}, {Title: "head", Right: true}},
		Rows: [][]Cell{
			row("time per token,"+ratio, s.Time),
			row("parameters,"+ratio, tree.Pair{Base: s.Parameters, Head: s.Parameters}),
			row("efficiency", s.Efficiency),
		},
	}
}

func (l profileLayout) kernels() Table {
	t := Table{
		Heading: "Kernels",
		Words:   []string{"GFLOPS as reported; else 1e-9 operations / seconds of a call, by the name: 2 n n n of MatMul_NxN, for an element 9 of GELU, 5 of Softmax, 1 of the others."},
		Columns: []Column{
			{Title: "kernel", Code: true}, {Over: "base", Title: "GFLOPS", Unit: true, Right: true}, {Over: "head", Title: "GFLOPS", Unit: true, Right: true},
			{Title: "difference", Right: true}, {Title: "change", Right: true},
		},
	}
	if len(l.Repeats) > 0 {
		var times []string
		for _, r := range l.Repeats {
			times = append(times, fmt.Sprintf("%s %.3g", r.Kernel, r.Times))
		}
		t.Words = append(t.Words, "They count one operation a call, as reports do. A call ran its kernel several times: "+strings.Join(times, ", ")+".")
	}
	for _, k := range l.Kernels {
		t.Rows = append(t.Rows, append([]Cell{{Text: k.Name}}, l.quantity(k.GFLOPS, func(x float64) string { return atLeast(2, x) }, true)...))
	}
	return t
}

// quantity is base, head, difference and change as four cells.
func (l profileLayout) quantity(p tree.Pair, format func(float64) string, plain bool) []Cell {
	cells := make([]Cell, 4)
	for i, v := range []float64{p.Base, p.Head} {
		if v == v {
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
		cells[3].Text = shortPercent(p.Ratio())
	}
	return cells
}

func (l profileLayout) duration(seconds float64) string {
	return l.digits(1e3*seconds) + " ms"
}

// plainDuration is for columns that name the unit.
func (l profileLayout) plainDuration(seconds float64) string {
	if l.Table.Kind == record.Bench {
		return Scaled(seconds, benchunit.Decimal)
	}
	return l.digits(1e3 * seconds)
}

func (l profileLayout) size(bytes float64) string {
	switch {
	case l.Printed || bytes >= 1<<20:
		return l.plainSize(bytes) + " MiB"
	case bytes >= 1<<10:
		return l.digits(bytes/(1<<10)) + " KiB"
	}
	return strconv.FormatFloat(math.Round(10*bytes)/10, 'f', -1, 64) + " B"
}

func (l profileLayout) plainSize(bytes float64) string { return l.digits(bytes / (1 << 20)) }

// digits are the two after the point that a report prints, or of what was
// measured at least three that count.
func (l profileLayout) digits(x float64) string {
	if l.Printed {
		return fixed(x)
	}
	return atLeast(3, x)
}
