package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
)

// A View selects and orders the benchmarks in an overview. The summary always counts all
// benchmarks.
type View struct {
	Changed bool                   // only benchmarks that regressed, changed, improved, were accepted, or have a newest run far off
	Bench   func(name string) bool // filters by name; nil means all
	Sort    string                 // one of Orders; "" sorts by state
}

// Orders lists the valid values of [View.Sort].
var Orders = []string{"change", "name", "noise"}

// keeps reports whether the filters keep a benchmark.
func (v View) keeps(o steps.Outline, s benchmarkState) bool {
	return (v.Bench == nil || v.Bench(o.Name)) && (!v.Changed || s.rank <= off)
}

// order compares two benchmarks by the sort order of the view.
func (v View) order(a, b standing) int {
	switch v.Sort {
	case "name":
		return cmp.Or(cmp.Compare(a.Package, b.Package), reports.CompareNames(a.Name, b.Name))
	case "change":
		return cmp.Compare(b.size, a.size)
	case "noise":
		return cmp.Compare(b.noise(), a.noise())
	}
	return cmp.Compare(a.rank, b.rank)
}

// A standing is a benchmark together with its state.
type standing struct {
	steps.Outline
	benchmarkState
}

// noise returns the noise in the unit shown, or -1 if it is unknown.
func (s standing) noise() float64 {
	if len(s.Lines) == 0 || math.IsNaN(s.Lines[0].Noise) {
		return -1
	}
	return s.Lines[0].Noise
}

// Overview lists the benchmarks in the default view.
func Overview(all steps.Overview) reports.Report { return View{}.Overview(all) }

// Overview lists the benchmarks that the view selects.
func (v View) Overview(all steps.Overview) reports.Report {
	t := reports.Table{Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "trend", Bar: true}, {Title: "last", Right: true}, {Title: "state", Wraps: true}, {Title: "runs", Right: true},
		{Title: "noise", Right: true, Extra: true}, {Title: "last commit", Extra: true}, {Title: "package", Code: true, Extra: true}, {Title: "suite", Code: true, Extra: true}, {Title: "target", Code: true, Extra: true}, {Title: "branch", Code: true, Extra: true},
	}}
	counts, others := map[stateRank]int{}, 0
	var shown []standing
	bySteps := 0
	var proved *steps.Checked
	for _, o := range all.Outlines {
		s := stateOf(o)
		counts[s.rank]++
		switch {
		case s.checked != nil:
			proved = s.checked
		case s.rank == worse:
			bySteps++
		}
		if v.keeps(o, s) {
			shown, others = append(shown, standing{o, s}), others+o.Others
		}
	}
	slices.SortStableFunc(shown, v.order)
	for _, s := range shown {
		t.Rows = append(t.Rows, s.row())
	}
	for column := len(t.Columns) - 1; column >= 7; column-- {
		if t.Empty(column) {
			t = t.Without(column)
		}
	}
	r := reports.Listing("Benchmarks", t)
	if len(shown) == 0 {
		r.Tables = nil
	}
	r.Summary, r.Tone = overviewSummary(counts, len(all.Outlines))
	if hidden := len(all.Outlines) - len(shown); hidden > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: hiddenWords(hidden, len(all.Outlines))})
	}
	if bySteps > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: "to list the commits that regressed", Detail: "perftrack history --steps"})
	}
	if proved != nil {
		r.Remarks = append(r.Remarks, reports.Note{Text: "to see the proof", Detail: checkCommand(proved)})
	}
	r.Remarks = append(r.Remarks, overviewRemarks(all, counts, others)...)
	return r
}

// hiddenWords describes the number of benchmarks that the filters leave out.
func hiddenWords(hidden, all int) string {
	if hidden == all {
		return "all are filtered out by --bench or --changed"
	}
	return fmt.Sprintf("%d of %s filtered out", hidden, reports.Plural(all, "benchmark"))
}

// row returns the cells of a benchmark in the overview.
func (s standing) row() []reports.Cell {
	row := []reports.Cell{
		{Text: s.Name}, {}, {Text: "-"}, {Text: s.text, Tone: s.tone}, {Text: "0", Value: 0}, {}, {Text: reports.Day(s.When)},
		{Text: s.Package}, {Text: s.Suite}, {Text: s.Target}, {Text: s.Branch},
	}
	if len(s.Lines) > 0 {
		l := s.Lines[0]
		last := l.Values[len(l.Values)-1]
		row[1].Text = reports.Sparkline(l.Values)
		row[2] = reports.Cell{Text: reports.ScaleFor(l.Tidied, last).Format(last) + " " + l.Tidied, Value: last}
		row[4] = reports.Cell{Text: fmt.Sprint(l.Runs), Value: l.Runs}
	}
	if noise := s.noise(); noise >= 0 {
		row[5] = reports.Cell{Text: reports.Portion(noise), Value: noise}
	}
	return row
}

// A stateRank determines the order of the rows and how the summary groups them.
type stateRank int

const (
	worse   stateRank = iota
	changed           // in a unit without a direction
	accepted
	better
	off
	recovered
	steady
	tooFew
	noRun
)

// rankNames holds the words for each rank in the summary.
var rankNames = [...]string{"regressed", "changed", "changed and accepted", "improved", "with the newest run far off", "recovered", "steady", "with too few runs to tell", "without a complete run at a clean commit"}

// A benchmarkState describes the current state of a benchmark.
type benchmarkState struct {
	rank stateRank
	text string
	tone reports.Tone
	size float64 // size of the change, or -1

	checked *steps.Checked // the check that proved the state, or nil if the state follows from the history
	first   bool           // the state belongs to the first unit: the time if it was measured
}

// stateOf returns the state to show for a benchmark: the state of its first unit, of another
// regressed unit, or of a check, whichever ranks first.
func stateOf(o steps.Outline) benchmarkState {
	found := benchmarkState{rank: noRun, text: "no complete run at a clean commit", tone: reports.Warn, size: -1}
	for i, l := range o.Lines {
		s := lineState(l)
		if s.first = i == 0; !s.first {
			s.text = l.Tidied + " " + s.text
		}
		if i == 0 || s.rank == worse && found.rank != worse {
			found = s
		}
	}
	s, ok := checkedState(o)
	if ok && (s.rank < found.rank || s.rank == found.rank && s.first && !found.first) {
		return s
	}
	return found
}

// lineState returns the state of one unit.
func lineState(l steps.Brief) benchmarkState {
	change := relative(l.Stand.Change)
	if change == "" {
		change = "from 0"
	}
	is := func(rank stateRank, text string, tone reports.Tone) benchmarkState {
		return benchmarkState{rank, text, tone, sizeOf(l.Stand.Change), nil, false}
	}
	switch l.Stand.State {
	case steps.Regressed:
		return is(worse, "regressed "+change, reports.Bad)
	case steps.Drifting:
		return is(worse, "drifted "+change, reports.Bad)
	case steps.Off:
		return is(off, reports.NewestOff+": "+change, reports.Warn)
	case steps.Accepted:
		return is(accepted, "accepted "+change, reports.Plain)
	case steps.Improved:
		return is(better, "improved "+change, reports.Good)
	case steps.Changed:
		return is(changed, "changed "+change, reports.Warn)
	case steps.Recovered:
		return benchmarkState{recovered, "recovered", reports.Plain, -1, nil, false}
	case steps.TooFew:
		return benchmarkState{tooFew, fmt.Sprintf("too few runs: %d of %d", l.Runs, max(l.Needs, l.Runs+1)), reports.Plain, -1, nil, false}
	}
	return benchmarkState{steady, "steady", reports.Plain, -1, nil, false}
}

// sizeOf returns the size of a relative change on a scale on which doubling and halving are the
// same size, or -1 if the change is unknown.
func sizeOf(change float64) float64 {
	if size := math.Abs(math.Log1p(change)); !math.IsNaN(size) {
		return size
	}
	return -1
}

// NothingStored suggests ways to make a first measurement.
const NothingStored = "no benchmark is stored: measure the work tree with `perftrack run` or past commits with `perftrack backfill A..B`, or read results with `perftrack import`"

func overviewSummary(counts map[stateRank]int, n int) (string, reports.Tone) {
	if n == 0 {
		return NothingStored, reports.Warn
	}
	var parts []string
	for rank, name := range rankNames {
		if c := counts[stateRank(rank)]; c > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", c, name))
		}
	}
	tone := reports.Plain
	switch {
	case counts[worse] > 0:
		tone = reports.Bad
	case counts[changed]+counts[off]+counts[tooFew]+counts[noRun] > 0:
		tone = reports.Warn
	}
	return reports.Plural(n, "benchmark") + ": " + strings.Join(parts, ", "), tone
}

func overviewRemarks(all steps.Overview, counts map[stateRank]int, others int) (notes []reports.Note) {
	if counts[tooFew] > 0 {
		notes = append(notes, reports.Note{Text: "finding a step takes several runs before and after it: \"too few runs\" shows how many there are and how many are needed"})
	}
	if others > 0 {
		notes = append(notes, reports.Note{Text: "only each benchmark's first line and environment are shown; for all, use", Detail: "perftrack history NAME"})
	}
	if all.Level > 0 {
		notes = append(notes, levelNote(all.Level))
	}
	if all.Hidden > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Hidden, "run") + " left out: partial, failed or with uncommitted changes"})
	}
	if all.Scopes > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Scopes, "profiled scope") + " not shown", Detail: "perftrack list benchmarks"})
	}
	return notes
}
