package profile

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A needed is what the processes of a round of the suite needed, of which there is one, unless
// several packages have a suite of that name. What is not known is NaN.
type needed struct {
	round          int
	cycles, pause  float64 // collections, and how many nanoseconds they stopped the program
	heap, resident float64 // bytes, at most
}

// processes are those of the rounds that were recorded, by round.
func (p suite) processes() (out []needed) {
	for _, one := range record.Processes(p.run) {
		if one.Package != p.tree.Package || one.Suite != p.tree.Suite {
			continue
		}
		n := needed{one.Round, told(one.Cycles), told(one.Pause), told(one.Heap), told(&one.Resident)}
		if one.Resident == 0 {
			n.resident = math.NaN()
		}
		if last := len(out) - 1; last >= 0 && out[last].round == n.round {
			n = needed{n.round, out[last].cycles + n.cycles, out[last].pause + n.pause, max(out[last].heap, n.heap), max(out[last].resident, n.resident)}
			out = out[:last]
		}
		out = append(out, n)
	}
	return out
}

func told(x *int64) float64 {
	if x == nil {
		return math.NaN()
	}
	return float64(*x)
}

// processTable says how often the process collected and what memory it needed, in the round that is
// shown and in all. An imported report has none: it says what it says.
func (p suite) processTable() []reports.Table {
	if p.tree.Printed {
		return nil
	}
	all := p.processes()
	t := reports.Table{Heading: "Garbage collections and peak memory", Facts: p.facts(), Columns: []reports.Column{
		{Title: "of the process"}, {Title: "round shown", Right: true}, {Title: "all rounds", Right: true},
	}}
	if len(all) == 0 {
		t.Columns, t.Words = nil, []string{"Not recorded: perftrack notes it of profiles that it measures, and older versions of it did not."}
		return []reports.Table{t}
	}
	for _, row := range []struct {
		what  string
		value func(needed) float64
		show  func(float64) string
	}{
		{"collections", func(n needed) float64 { return n.cycles }, func(x float64) string { return reports.WithCommas(fmt.Sprintf("%.0f", x)) }},
		{"stopped for them", func(n needed) float64 { return n.pause }, nanos},
		{"peak heap", func(n needed) float64 { return n.heap }, sizeText},
		{"peak resident memory", func(n needed) float64 { return n.resident }, sizeText},
	} {
		t.Rows = append(t.Rows, p.neededRow(row.what, all, row.value, row.show))
	}
	t.Words = p.neededWords(all)
	return []reports.Table{t}
}

// neededRow is one figure: of the round that is shown, and its range.
func (p suite) neededRow(what string, all []needed, value func(needed) float64, show func(float64) string) []reports.Cell {
	shown, low, high := math.NaN(), math.Inf(1), math.Inf(-1)
	for _, n := range all {
		x := value(n)
		if n.round == p.tree.Round {
			shown = x
		}
		if !math.IsNaN(x) {
			low, high = min(low, x), max(high, x)
		}
	}
	const unknown = "not recorded"
	row := []reports.Cell{{Text: what}, {Text: unknown}, {Text: unknown}}
	if !math.IsNaN(shown) {
		row[1].Text = show(shown)
	}
	switch {
	case low > high:
	case show(low) == show(high):
		row[2].Text = show(low)
	default:
		row[2].Text = show(low) + " to " + show(high)
	}
	return row
}

// neededWords say what the figures are of, and of how many rounds, where that is not all.
func (p suite) neededWords(all []needed) []string {
	words := []string{"Collections while the scopes were timed. Peaks of the whole process, with the pass that counts allocations: the heap as Go took it from the system, in pieces of 4 MiB; resident as the system counts it."}
	if slices.ContainsFunc(all, func(n needed) bool { return math.IsNaN(n.resident) }) {
		words = append(words, "Of a process that needs less than perftrack itself, the system does not tell the resident memory: it has to print it itself.")
	}
	if !slices.ContainsFunc(all, func(n needed) bool { return !math.IsNaN(n.cycles) || !math.IsNaN(n.heap) }) {
		words = append(words, "The program says nothing of its collector: perftrack help profile has the lines that it can print.")
	}
	if n := len(p.tree.Totals); len(all) < n {
		words = append(words, fmt.Sprintf("Recorded of %d of %d rounds.", len(all), n))
	}
	return words
}

// ProcessText says in a sentence what the process of the round that a tree is of needed, as far as
// that was recorded; "" of an imported report.
func ProcessText(run *record.Run, t *tree.Tree) string {
	if t.Printed {
		return ""
	}
	n := needed{t.Round, math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	for _, one := range (suite{run: run, tree: t}).processes() {
		if one.round == t.Round {
			n = one
		}
	}
	var parts []string
	add := func(x float64, format func(float64) string) {
		if !math.IsNaN(x) {
			parts = append(parts, format(x))
		}
	}
	add(n.cycles, func(x float64) string { return "collected " + reports.Plural(int(x), "time") })
	add(n.pause, func(x float64) string { return "was stopped for that for " + nanos(x) })
	add(n.heap, func(x float64) string { return "had a heap of " + sizeText(x) + " at most" })
	add(n.resident, func(x float64) string { return "had " + sizeText(x) + " of resident memory at most" })
	if len(parts) == 0 {
		return "How often the process collected, and what memory it needed, was not recorded."
	}
	return "The process " + strings.Join(parts, ", ") + "."
}
