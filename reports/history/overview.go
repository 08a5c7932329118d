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

// A View says which benchmarks of an overview a person sees, and in which order. The summary
// counts all of them, shown or not.
type View struct {
	Changed bool                   // only what regressed, improved or was accepted, or is far off
	Bench   func(name string) bool // only benchmarks whose name it accepts; nil is all
	Sort    string                 // one of Orders; "" is by state
}

// Orders are what an overview can be sorted by.
var Orders = []string{"change", "name", "noise"}

// keeps reports whether the filters keep a benchmark.
func (v View) keeps(o steps.Outline, s benchmarkState) bool {
	return (v.Bench == nil || v.Bench(o.Name)) && (!v.Changed || s.rank <= off)
}

// order compares two benchmarks as the view sorts them.
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

// A standing is a benchmark and how it stands.
type standing struct {
	steps.Outline
	benchmarkState
}

// noise is that of the unit that is shown, -1 where it is not known.
func (s standing) noise() float64 {
	if len(s.Lines) == 0 || math.IsNaN(s.Lines[0].Noise) {
		return -1
	}
	return s.Lines[0].Noise
}

// Overview lists how all benchmarks stand, a row each, those with a regression in force first.
func Overview(all steps.Overview) reports.Report { return View{}.Overview(all) }

// Overview lists the benchmarks that the view has.
func (v View) Overview(all steps.Overview) reports.Report {
	t := reports.Table{Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "trend", Bar: true}, {Title: "last", Right: true}, {Title: "state", Wraps: true}, {Title: "runs", Right: true},
		{Title: "noise", Right: true, Extra: true}, {Title: "last commit", Extra: true}, {Title: "package", Code: true, Extra: true}, {Title: "suite", Code: true, Extra: true}, {Title: "target", Code: true, Extra: true}, {Title: "branch", Code: true, Extra: true},
	}}
	counts, apart := map[stateRank]int{}, 0
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
			shown, apart = append(shown, standing{o, s}), apart+o.Apart
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
		r.Remarks = append(r.Remarks, reports.Note{Text: "which commits regressed", Detail: "perftrack history --steps"})
	}
	if proved != nil {
		r.Remarks = append(r.Remarks, reports.Note{Text: "what was proved", Detail: checkCommand(proved)})
	}
	r.Remarks = append(r.Remarks, overviewRemarks(all, counts, apart)...)
	return r
}

// hiddenWords says how many benchmarks the filters leave out.
func hiddenWords(hidden, all int) string {
	if hidden == all {
		return "none of them is what you asked for: without --bench and --changed they are shown"
	}
	return fmt.Sprintf("%d of %s not shown, as you asked", hidden, reports.Plural(all, "benchmark"))
}

// row is a row of the overview.
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
		row[5] = reports.Cell{Text: fmt.Sprintf("%.1f%%", 100*noise), Value: noise}
	}
	return row
}

// A stateRank orders rows, and groups them in the summary.
type stateRank int

const (
	worse stateRank = iota
	accepted
	better
	off
	recovered
	steady
	tooFew
	noRun
)

// rankNames are what the summary calls the benchmarks of a rank.
var rankNames = [...]string{"regressed", "changed and accepted", "improved", "with the newest run far off", "recovered", "steady", "with too few runs to tell", "without a complete run of a clean commit"}

// A benchmarkState is how a benchmark stands.
type benchmarkState struct {
	rank stateRank
	text string
	tone reports.Tone
	size float64 // of its change, up and down alike; -1 without one

	checked *steps.Checked // that proved it; nil where the runs of the line show it
	first   bool           // it is of the unit that comes first, the time
}

// stateOf is the worst that the units of a benchmark show.
func stateOf(o steps.Outline) benchmarkState {
	found := benchmarkState{rank: noRun, text: "no complete run of a clean commit", tone: reports.Warn, size: -1}
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

// lineState is what one unit shows.
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
		return is(steady, "changed "+change, reports.Plain)
	case steps.Recovered:
		return benchmarkState{recovered, "recovered", reports.Plain, -1, nil, false}
	case steps.TooFew:
		return benchmarkState{tooFew, fmt.Sprintf("too few runs: %d of %d", l.Runs, max(l.Needs, l.Runs+1)), reports.Plain, -1, nil, false}
	}
	return benchmarkState{steady, "steady", reports.Plain, -1, nil, false}
}

// sizeOf is how large a relative change is: twice is as far as half.
func sizeOf(change float64) float64 {
	if size := math.Abs(math.Log1p(change)); !math.IsNaN(size) {
		return size
	}
	return -1
}

// NothingStored says where nothing was measured so far what changes that.
const NothingStored = "no benchmark is stored: `perftrack run` measures what is here, `perftrack backfill A..B` commits of the past, `perftrack import` reads results"

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
	case counts[off]+counts[tooFew]+counts[noRun] > 0:
		tone = reports.Warn
	}
	return reports.Plural(n, "benchmark") + ": " + strings.Join(parts, ", "), tone
}

func overviewRemarks(all steps.Overview, counts map[stateRank]int, apart int) (notes []reports.Note) {
	if counts[tooFew] > 0 {
		notes = append(notes, reports.Note{Text: "a step is seen in several runs before it and after it: behind \"too few runs\" stands how many there are, and how many it takes"})
	}
	if apart > 0 {
		notes = append(notes, reports.Note{Text: "of each benchmark the line and the environment that come first are shown; all of one", Detail: "perftrack history NAME"})
	}
	if all.Level > 0 {
		notes = append(notes, levelNote(all.Level))
	}
	if all.Hidden > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Hidden, "run") + " left out: partial, failed or of uncommitted changes"})
	}
	if all.Scopes > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Scopes, "scope") + " of profiles not shown", Detail: "perftrack list benchmarks"})
	}
	return notes
}
