package history

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
)

// Overview lists how all benchmarks stand, a row each, those with a regression in force first.
func Overview(all steps.Overview) reports.Report {
	t := reports.Table{Columns: []reports.Column{
		{Title: "benchmark", Code: true}, {Title: "trend", Bar: true}, {Title: "last", Right: true}, {Title: "state"}, {Title: "runs", Right: true},
		{Title: "last commit", Extra: true}, {Title: "package", Code: true, Extra: true}, {Title: "suite", Code: true, Extra: true}, {Title: "target", Code: true, Extra: true}, {Title: "branch", Code: true, Extra: true},
	}}
	outlines := slices.Clone(all.Outlines)
	slices.SortStableFunc(outlines, func(x, y steps.Outline) int { return int(stateOf(x).rank) - int(stateOf(y).rank) })
	counts, apart := map[stateRank]int{}, 0
	for _, o := range outlines {
		s := stateOf(o)
		counts[s.rank]++
		apart += o.Apart
		row := []reports.Cell{{Text: o.Name}, {}, {Text: "-"}, {Text: s.text, Tone: s.tone}, {Text: "0", Value: 0}, {Text: reports.Day(o.When)}, {Text: o.Package}, {Text: o.Suite}, {Text: o.Target}, {Text: o.Branch}}
		if len(o.Lines) > 0 {
			l := o.Lines[0]
			last := l.Runs[len(l.Runs)-1].Value
			row[1].Text = sparkline(valuesOf(l.Runs))
			row[2] = reports.Cell{Text: reports.ScaleFor(l.Tidied, last).Format(last) + " " + l.Tidied, Value: last}
			row[4] = reports.Cell{Text: fmt.Sprint(len(l.Runs)), Value: len(l.Runs)}
		}
		t.Rows = append(t.Rows, row)
	}
	for column := len(t.Columns) - 1; column >= 6; column-- {
		if t.Empty(column) {
			t = t.Without(column)
		}
	}
	r := reports.Listing("Benchmarks", t)
	if len(outlines) == 0 {
		r.Tables = nil
	}
	r.Summary, r.Tone = overviewSummary(counts, len(outlines))
	r.Remarks = overviewRemarks(all, counts, apart)
	return r
}

// A stateRank orders rows, and groups them in the summary.
type stateRank int

const (
	worse stateRank = iota
	accepted
	better
	steady
	tooFew
	noRun
)

// rankNames are what the summary calls the benchmarks of a rank.
var rankNames = [...]string{"regressed", "changed and accepted", "improved", "steady", "with too few runs to tell", "without a complete run of a clean commit"}

// A benchmarkState is how a benchmark stands.
type benchmarkState struct {
	rank stateRank
	text string
	tone reports.Tone
}

// stateOf is the worst that the units of a benchmark show.
func stateOf(o steps.Outline) benchmarkState {
	found := benchmarkState{noRun, "no complete run of a clean commit", reports.Warn}
	for i, l := range o.Lines {
		s := lineState(l)
		if i > 0 {
			s.text = l.Tidied + " " + s.text
		}
		if i == 0 || s.rank == worse && found.rank != worse {
			found = s
		}
	}
	return found
}

// lineState is what one unit shows: a regression that is in force, else its newest step.
func lineState(l steps.UnitLine) benchmarkState {
	for _, s := range slices.Backward(l.Steps) {
		if s.InForce {
			word := "regressed "
			if s.Drift > 0 {
				word = "drifted "
			}
			return benchmarkState{worse, word + relative(s.Now), reports.Bad}
		}
	}
	if n := len(l.Steps); n > 0 {
		size := reports.Change(l.Tidied, l.Steps[n-1].Shift.Center, l.Steps[n-1].Shift.Absolute)
		switch s := l.Steps[n-1]; {
		case s.Accepted:
			return benchmarkState{accepted, "accepted " + size, reports.Plain}
		case s.Verdict == compare.Improved:
			return benchmarkState{better, "improved " + size, reports.Good}
		}
	}
	if !l.Enough {
		return benchmarkState{tooFew, fmt.Sprintf("too few runs: %d of %d", len(l.Runs), max(l.Needs, len(l.Runs)+1)), reports.Plain}
	}
	return benchmarkState{steady, "steady", reports.Plain}
}

func overviewSummary(counts map[stateRank]int, n int) (string, reports.Tone) {
	if n == 0 {
		return "no benchmark is stored: `perftrack run` measures what is here, `perftrack backfill A..B` commits of the past, `perftrack import` reads results", reports.Warn
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
	case counts[tooFew]+counts[noRun] > 0:
		tone = reports.Warn
	}
	return reports.Plural(n, "benchmark") + ": " + strings.Join(parts, ", "), tone
}

func overviewRemarks(all steps.Overview, counts map[stateRank]int, apart int) (notes []reports.Note) {
	if counts[worse] > 0 {
		notes = append(notes, reports.Note{Text: "which commits regressed", Detail: "perftrack history --steps"})
	}
	if apart > 0 {
		notes = append(notes, reports.Note{Text: "of each benchmark the line and the environment that come first are shown; all of one", Detail: "perftrack history NAME"})
	}
	if all.Hidden > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Hidden, "run") + " left out: partial, failed or of uncommitted changes"})
	}
	if all.Scopes > 0 {
		notes = append(notes, reports.Note{Text: reports.Plural(all.Scopes, "scope") + " of profiles not shown", Detail: "perftrack list benchmarks"})
	}
	return notes
}

func valuesOf(runs []steps.Point) []float64 {
	values := make([]float64, len(runs))
	for i, p := range runs {
		values[i] = p.Value
	}
	return values
}

// sparkWidth is how many of the newest values a sparkline shows.
const sparkWidth = 16

// sparkline draws the newest values. Of ten or more, one that lies far off at either end does not
// set the scale: it is drawn at its end.
func sparkline(values []float64) string {
	levels := []rune("▁▂▃▄▅▆▇█")
	values = values[max(0, len(values)-sparkWidth):]
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) >= 10 {
		sorted = sorted[1 : len(sorted)-1]
	}
	if len(sorted) == 0 {
		return ""
	}
	least, most := sorted[0], sorted[len(sorted)-1]
	var b strings.Builder
	for _, v := range values {
		at := 0.
		if most > least {
			at = math.Floor(float64(len(levels)) * (v - least) / (most - least))
		}
		b.WriteRune(levels[int(max(0, min(at, float64(len(levels)-1))))])
	}
	return b.String()
}
