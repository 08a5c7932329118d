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

// A needed holds the garbage collections and the peak memory of the process in one round of a
// suite. If several processes were recorded for the round, it combines them. Unknown numbers are
// NaN.
type needed struct {
	round          int
	cycles, pause  float64 // number of collections, and for how long they stopped the program, in nanoseconds
	heap, resident float64 // peak memory in bytes
}

// processes returns the garbage collections and the peak memory of the recorded processes, with one
// element for each round.
func (p suite) processes() (out []needed) {
	for _, one := range record.Processes(p.run) {
		if one.Package != p.tree.Package || one.Suite != p.tree.Suite {
			continue
		}
		n := needed{one.Round, orNaN(one.Cycles), orNaN(one.Pause), orNaN(one.Heap), orNaN(&one.Resident)}
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

func orNaN(x *int64) float64 {
	if x == nil {
		return math.NaN()
	}
	return float64(*x)
}

// processTable returns the table with the garbage collections and the peak memory of the process,
// in the round shown and in all rounds. It returns nil for an imported report.
func (p suite) processTable() []reports.Table {
	if p.tree.Printed {
		return nil
	}
	all := p.processes()
	t := reports.Table{Heading: "Garbage collections and peak memory", Facts: p.facts(), Columns: []reports.Column{
		{Title: "process"}, {Title: "round shown", Right: true}, {Title: "all rounds", Right: true},
	}}
	if len(all) == 0 {
		t.Columns, t.Words = nil, []string{"Not recorded: only profiles from recent versions of perftrack have it."}
		return []reports.Table{t}
	}
	for _, row := range []struct {
		name  string
		value func(needed) float64
		show  func(float64) string
	}{
		{"collections", func(n needed) float64 { return n.cycles }, func(x float64) string { return reports.WithCommas(fmt.Sprintf("%.0f", x)) }},
		{"time stopped for them", func(n needed) float64 { return n.pause }, nanos},
		{"peak heap", func(n needed) float64 { return n.heap }, sizeText},
		{"peak resident memory", func(n needed) float64 { return n.resident }, sizeText},
	} {
		t.Rows = append(t.Rows, p.neededRow(row.name, all, row.value, row.show))
	}
	t.Words = p.neededWords(all)
	return []reports.Table{t}
}

// neededRow returns the row for a quantity, with its value in the round shown and its range over
// all rounds. value extracts the quantity.
func (p suite) neededRow(name string, all []needed, value func(needed) float64, show func(float64) string) []reports.Cell {
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
	row := []reports.Cell{{Text: name}, {Text: unknown}, {Text: unknown}}
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

// neededWords explains the table made by processTable, and names the values that could not be
// recorded and the number of rounds without them.
func (p suite) neededWords(all []needed) []string {
	words := []string{"Collections are those while the scopes were timed. Peaks are those of the whole process, including the pass that counts allocations: heap memory obtained from the system, in steps of 4 MiB, and resident memory as the system counts it."}
	if slices.ContainsFunc(all, func(n needed) bool { return math.IsNaN(n.resident) }) {
		words = append(words, "The system does not report the resident memory of a process that is smaller than perftrack itself, so the program must print it.")
	}
	if !slices.ContainsFunc(all, func(n needed) bool { return !math.IsNaN(n.cycles) || !math.IsNaN(n.heap) }) {
		words = append(words, "The program prints nothing about its collector: perftrack help profile lists the lines to print.")
	}
	if n := len(p.tree.Totals); len(all) < n {
		words = append(words, fmt.Sprintf("Recorded for %d of %d rounds.", len(all), n))
	}
	return words
}

// ProcessText describes, in one sentence, the garbage collections and the peak memory of the
// process in the round of a call tree. It returns "" for an imported report.
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
	add(n.heap, func(x float64) string { return "had a heap of up to " + sizeText(x) })
	add(n.resident, func(x float64) string { return "had up to " + sizeText(x) + " of resident memory" })
	if len(parts) == 0 {
		return "The process's collections and memory were not recorded."
	}
	return "The process " + strings.Join(parts, ", ") + "."
}
