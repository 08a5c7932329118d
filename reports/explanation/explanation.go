// Package explanation reports the functions or scopes that cause a difference in the time or the
// allocations of a benchmark.
//
// An [Explanation] holds the contributions of functions or scopes, as computed by package compare.
// [Report] shows the largest certain contributions, and [Read] reads an explanation back from its
// JSON.
package explanation

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/functions"
	"github.com/perftrack/perftrack/runner/record"
)

// An Explanation holds the contributions to the difference between the two sides of a benchmark, or
// of a profile with scopes.
type Explanation struct {
	Target string
	record.BenchmarkID
	Base, Head record.Commit
	Labels     [2]string    // the user's names for the sides
	Trial      string       // the trial that measured the time
	Time       *compare.Row // nil for scopes
	Parts      []*tree.Contributions
	Profiles   []ProfileFile
}

// A ProfileFile is a profile that go tool pprof can read.
type ProfileFile struct {
	Kind string // cpu or allocs
	Side record.Side
	Path string
}

// shownContributors is the maximum number of functions to show for each kind of cost.
const shownContributors = 12

// Report reports the functions or scopes that cause the differences.
func Report(explained ...*Explanation) reports.Report {
	r := reports.Report{
		Title:    "Explanation",
		Kind:     "explanation",
		Document: func() reports.Object { return document(&explained) },
		Records:  func() [][]any { return records(explained) },
	}
	for _, e := range explained {
		about := "" // names the benchmark if there are several
		if len(explained) > 1 {
			about = reports.BenchmarkName(e.Target, e.BenchmarkID)
		}
		if units := e.sameAllocations(); units != "" {
			r.Remarks = append(r.Remarks, reports.Note{Text: "no function clearly allocates more or less, in " + units, Detail: about})
		}
		for _, c := range e.Parts {
			if c.Counted() && c.Certain() == 0 {
				continue
			}
			r.Tables = append(r.Tables, e.table(c))
			for _, caveat := range c.Caveats {
				if caveat.Code == tree.CodeSampling && len(explained) == 1 {
					continue // the summary is enough
				}
				r.Remarks = append(r.Remarks, reports.Note{Text: caveat.Text, Detail: cmp.Or(caveat.Detail, about)})
			}
		}
		r.Lists = append(r.Lists, e.files()...)
		if e.Time != nil && e.Time.Verdict != compare.Regressed && e.Time.Verdict != compare.Improved {
			r.Remarks = append(r.Remarks, reports.Note{Text: "no difference in time is proven, so the contributions may be noise", Detail: strings.TrimSpace(about + " " + string(e.Time.Verdict))})
		}
	}
	r.Remarks = append(r.Remarks, remarks(explained)...)
	if len(explained) == 1 {
		r.Summary, r.Tone = explained[0].summary()
		r.Verdict = r.Summary != ""
	}
	return r
}

// sameAllocations names the units without a function that is certain to allocate more or less.
func (e *Explanation) sameAllocations() string {
	var units []string
	for _, c := range e.Parts {
		if c.Counted() && c.Certain() == 0 {
			units = append(units, c.Unit)
		}
	}
	return strings.Join(units, " and ")
}

func remarks(explained []*Explanation) (notes []reports.Note) {
	sampled := false
	for _, e := range explained {
		for _, c := range e.Parts {
			sampled = sampled || c.Samples[0]+c.Samples[1] > 0
		}
	}
	if sampled {
		notes = append(notes, reports.Note{Text: "own time is the measured time multiplied by the function's share of the samples; with its calls, by the share of samples that contain the function; the intervals cover sampling and timing, with 95 % confidence for all functions together. " +
			"If a function is inlined on only one side, its time moves to its caller", Detail: ""})
	}
	return notes
}

func (e *Explanation) facts(c *tree.Contributions) []reports.Fact {
	name := reports.BenchmarkName(e.Target, e.BenchmarkID)
	if c.Suite != "" && e.Name == "" {
		name = e.Target + " " + c.Suite
	}
	facts := []reports.Fact{{Key: "benchmark", Value: name}, {Key: "base", Value: sideName(e.Labels[0], e.Base)}, {Key: "head", Value: sideName(e.Labels[1], e.Head)}}
	if e.Time != nil {
		text := fmt.Sprintf("%v → %v, %s", reports.Quantity{Value: e.Time.Base.Center, Unit: "sec"}, reports.Quantity{Value: e.Time.Head.Center, Unit: "sec"}, e.Time.Verdict)
		if shift := reports.EstimateCell(e.Time.Unit, e.Time.Shift, e.Time.Exact); shift.Text != "" {
			text += " " + shift.Shown()
		}
		facts = append(facts, reports.Fact{Key: "time", Value: text})
	}
	return facts
}

func sideName(label string, c record.Commit) string {
	name := reports.CommitName(c)
	if label == "" || strings.HasPrefix(c.SHA, label) {
		return name
	}
	return label + ", " + name
}

var headings = map[string]string{
	"sec/op": "Time by function", "B/op": "Bytes by allocating function", "allocs/op": "Objects by allocating function", "sec": "Self time by scope",
}

func (e *Explanation) table(c *tree.Contributions) reports.Table {
	what := "function"
	if c.Unit == "sec" {
		what = "scope"
	}
	t := reports.Table{Heading: strings.TrimSpace(headings[c.Unit] + " " + c.Suite), Facts: e.facts(c), Columns: []reports.Column{
		{Title: what, Code: true}, {Title: "base", Right: true, Extra: true}, {Title: "head", Right: true, Extra: true},
		{Title: "difference", Right: true, Brief: "intervals of the difference"}, {Over: "share of", Title: "change", Right: true},
	}}
	if withCalls(c) {
		t.Columns = append(t.Columns, reports.Column{Over: "with", Title: "its calls", Right: true, Brief: "intervals with its calls", Rank: 1}, reports.Column{Over: "in the", Title: "diff"})
	}
	t.Caption = basis(c)
	names, shown := shortFunctions(c.Parts, c.Unit == "sec"), shownParts(c)
	rest, others := tree.Contributor{}, 0
	for _, i := range shown {
		t.Rows = append(t.Rows, e.row(c, c.Parts[i], names[i]))
	}
	for i, p := range c.Parts {
		if slices.Contains(shown, i) || p.Base == 0 && p.Head == 0 {
			continue
		}
		others++
		rest.Base, rest.Head = rest.Base+p.Base, rest.Head+p.Head
		rest.Difference.Center += p.Difference.Center
	}
	if others > 0 {
		row := e.row(c, rest, "")
		row[0], row[3].Range, row[3].Tone = reports.Cell{Text: "(" + reports.Plural(others, "other") + ")"}, "", reports.Plain
		t.Rows = append(t.Rows, row)
	}
	whole := tree.Contributor{Pair: c.Total}
	whole.Difference = c.Change
	t.Footer = e.row(c, whole, "total")
	t.Footer[3].Tone = reports.Plain
	return t
}

// withCalls reports whether the cost of functions including their calls is known.
func withCalls(c *tree.Contributions) bool {
	return slices.ContainsFunc(c.Parts, func(p tree.Contributor) bool { return p.Cumulative != nil })
}

// shownCallers is the maximum number of functions shown only for the cost of their calls.
const shownCallers = 3

// shownParts returns the indexes of the parts to show: functions changed by the commits come first,
// then functions with different self costs, then their callers.
func shownParts(c *tree.Contributions) (shown []int) {
	add := func(function string) {
		i := slices.IndexFunc(c.Parts, func(p tree.Contributor) bool { return p.Function == function })
		if !slices.Contains(shown, i) && len(shown) < shownContributors {
			shown = append(shown, i)
		}
	}
	for _, p := range c.Causes() {
		add(p.Function)
	}
	certain := c.Certain()
	if certain == 0 && len(shown) == 0 {
		certain = 3 // show the three largest ones; the summary calls them uncertain
	}
	for _, p := range c.Parts[:min(certain, len(c.Parts))] {
		add(p.Function)
	}
	callers := c.Callers()
	for _, p := range callers[:min(shownCallers, len(callers))] {
		add(p.Function)
	}
	return shown
}

// basis describes the data that a table is based on: rounds, counts or samples.
func basis(c *tree.Contributions) string {
	switch {
	case c.Unit == "sec":
		return fmt.Sprintf("medians of %d and %d rounds", c.Processes[0], c.Processes[1])
	case c.Counted():
		return "counts of all allocations, in equally many operations on both sides"
	}
	return fmt.Sprintf("%.0f samples at base and %.0f at head, from %d and %d processes", c.Samples[0], c.Samples[1], c.Processes[0], c.Processes[1])
}

func (e *Explanation) row(c *tree.Contributions, p tree.Contributor, name string) []reports.Cell {
	amount := e.amount(c)
	difference := differenceCell(c, p.Difference, p.Certain(), amount)
	part := reports.Cell{Text: "-"} // a difference that may be due to chance has no share
	if s := c.Share(p); !math.IsNaN(s) && c.Certain() > 0 {
		part.Text = fmt.Sprintf("%.0f %%", 100*s)
		if part.Text == "-0 %" {
			part.Text = "0 %"
		}
	}
	cells := []reports.Cell{{Text: name}, {Text: amount(p.Base).String()}, {Text: amount(p.Head).String()}, difference, part}
	if !withCalls(c) {
		return cells
	}
	calls, changed := reports.Cell{}, reports.Cell{}
	if p.Cumulative != nil {
		calls = differenceCell(c, p.Cumulative.Difference, p.Cumulative.Certain(), amount)
	}
	if p.Changed {
		changed.Text = "yes"
	}
	return append(cells, calls, changed)
}

// amount returns a function from values to quantities in the unit of c. It replaces rounding errors
// by 0.
func (e *Explanation) amount(c *tree.Contributions) func(float64) reports.Quantity {
	return func(x float64) reports.Quantity {
		if rounding := 1e-9 * max(c.Total.Base, c.Total.Head); math.Abs(x) < rounding {
			x = 0
		}
		return reports.Quantity{Value: x, Unit: c.Unit}
	}
}

func differenceCell(c *tree.Contributions, d stat.Shift, certain bool, amount func(float64) reports.Quantity) reports.Cell {
	cell := reports.Cell{Text: amount(d.Center).Signed(), Tone: reports.Muted}
	if !c.Counted() {
		cell.Range = fmt.Sprintf("[%s, %s]", amount(d.Lo).Signed(), amount(d.Hi).Signed())
	}
	switch {
	case !certain:
	case d.Center > 0:
		cell.Tone = reports.Bad
	default:
		cell.Tone = reports.Good
	}
	return cell
}

// shortFunctions returns the names of functions without the directories of their packages. Names
// that would become equal stay complete, as do the names of scopes, which are call paths.
func shortFunctions(parts []tree.Contributor, scopes bool) []string {
	short := func(name string) string {
		head, args, _ := strings.Cut(name, "[")
		if args != "" {
			args = "[" + args
		}
		return head[strings.LastIndexByte(head, '/')+1:] + args
	}
	seen := map[string]int{}
	for _, p := range parts {
		seen[short(p.Function)]++
	}
	names := make([]string, len(parts))
	for i, p := range parts {
		if names[i] = short(p.Function); scopes || seen[names[i]] > 1 || strings.HasPrefix(p.Function, "(") {
			names[i] = p.Function
		}
	}
	return names
}

// summary returns a line with the number of certain contributions or, if functions in the diff
// cause the change, the size of their contributions.
func (e *Explanation) summary() (string, reports.Tone) {
	if len(e.Parts) == 0 {
		return "", reports.Plain
	}
	c := e.Parts[0]
	what := "function"
	if c.Unit == "sec" {
		what = "scope"
	}
	if causes := c.Causes(); len(causes) > 0 {
		return e.causes(c, causes), reports.Plain
	}
	switch n := c.Certain(); n {
	case 0:
		return "no " + what + " differs by more than noise", reports.Warn
	case 1:
		return "1 " + what + " differs by more than noise", reports.Plain
	default:
		return reports.Plural(n, what) + " differ by more than noise", reports.Plain
	}
}

// causes describes how much the first function in the diff contributes. If it replaced another
// function, causes subtracts the cost of that function. If its contribution and the whole change
// have opposite signs, causes also gives the contribution of all other functions.
func (e *Explanation) causes(c *tree.Contributions, causes []tree.Contributor) string {
	first, change := causes[0], c.Change.Center
	amount := func(x float64) string { return e.amount(c)(x).Signed() }
	calls := first.Cumulative.Difference.Center
	if other := c.Replaced(first); other != nil {
		pair := []tree.Contributor{*other, first}
		if calls < 0 {
			pair[0], pair[1] = pair[1], pair[0]
		}
		names := shortFunctions(pair, false)
		return fmt.Sprintf("%s, which replaced %s, causes %s of the %s, including its calls", names[1], names[0], amount(calls+other.Cumulative.Difference.Center), amount(change))
	}
	if change != 0 && (calls < 0) != (change < 0) {
		return fmt.Sprintf("%s in all: %s in the diff causes %s including its calls, other functions %s", amount(change), shortFunctions(causes[:1], false)[0], amount(calls), amount(change-calls))
	}
	if len(causes) == 1 {
		return fmt.Sprintf("1 function in the diff causes %s of the %s, including its calls", amount(calls), amount(change))
	}
	return fmt.Sprintf("%d functions in the diff take more or less, including their calls; the first causes %s of the %s", len(causes), amount(calls), amount(change))
}

func (e *Explanation) files() []reports.List {
	if len(e.Profiles) == 0 {
		return nil
	}
	l := reports.List{Title: "profiles, for go tool pprof", Whole: true}
	for _, kind := range []string{"cpu", "allocs"} {
		if command := e.difference(kind); command != "" {
			l.Items = append(l.Items, reports.Note{Text: kind + " difference", Detail: command})
			continue
		}
		for _, p := range e.Profiles {
			if p.Kind == kind {
				l.Items = append(l.Items, reports.Note{Text: p.Kind + " " + string(p.Side), Detail: p.Path})
			}
		}
	}
	return []reports.List{l}
}

// difference returns the command to open the difference between the profiles of a kind. It returns
// "" unless both sides have a profile of this kind.
func (e *Explanation) difference(kind string) string {
	var sides [2]string
	for _, p := range e.Profiles {
		if p.Kind == kind {
			sides[map[record.Side]int{record.Head: 1}[p.Side]] = p.Path
		}
	}
	if sides[0] == "" || sides[1] == "" {
		return ""
	}
	return functions.Command(sides[:])
}
