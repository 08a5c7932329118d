package verdicts

import (
	"fmt"
	"io"
	"strings"

	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"

	"github.com/perftrack/perftrack/compare"
)

// Sizes are how many pull requests the tables draw of each scenario: of those in which
// nothing changed, or by the threshold, with more of them where a goal says how many are found
// or where alarms are so many that it takes more to show that they are few enough; of other
// changes; for the rules that stand beside; of those whose error rate is shared, and promises.
type Sizes struct{ Null, Threshold, Other, Beside, Peers, Shared, Promises int }

// Full are the sizes of docs/evaluation.md.
var Full = Sizes{Null: 1500, Threshold: 1000, Other: 200, Beside: 200, Peers: 500, Shared: 1000, Promises: 60}

// of are those of a row.
func (n Sizes) of(f Family) [4]int {
	const more = 3
	sizes := [4]int{n.Null, n.Other, n.Threshold, n.Other}
	if f.Close {
		sizes[0] *= more
	}
	if f.Close || f.Found > 0 {
		sizes[2] *= more
	}
	return sizes
}

// A Table is one of docs/evaluation.md. Write returns what was not shown to be reached.
type Table struct {
	Name  string
	Write func(w io.Writer, n Sizes, seed uint64) (failures []string)
}

// Tables are those of docs/evaluation.md.
func Tables() []Table {
	goalless := func(write func(io.Writer, Sizes, uint64)) func(io.Writer, Sizes, uint64) []string {
		return func(w io.Writer, n Sizes, seed uint64) []string {
			write(w, n, seed)
			return nil
		}
	}
	return []Table{
		{"Goals", func(w io.Writer, n Sizes, seed uint64) []string { return NoiseTable(w, PairNoises(), n, seed) }},
		{"Threshold", goalless(ThresholdTable)},
		{"Noise", func(w io.Writer, n Sizes, seed uint64) []string { return NoiseTable(w, Noises(), n, seed) }},
		{"Shared", SharedTable},
		{"Promises", goalless(PromiseTable)},
		{"Peers", goalless(peerTable)},
		{"Layouts", goalless(layoutTable)},
		{"Ingredients", goalless(ingredientTable)},
	}
}

const noiseHeader = "| noise | rule | falsely regressed % | falsely improved % | found +2 / +5 / +10 % | unchanged at +5 | undecided 0 / +5 | coverage 0 / +5 | rounds: all at 0, changed at +5 |\n" +
	"|---|---|--:|--:|--:|--:|--:|--:|--:|\n"

// NoiseTable writes what the shipped procedure, and the one before it on the first of the
// same draws, said of each kind of noise; it returns what was not shown to be reached.
func NoiseTable(w io.Writer, families []Family, n Sizes, seed uint64) (failures []string) {
	fmt.Fprint(w, noiseHeader)
	for i, f := range families {
		at := seed + uint64(i)<<36
		row := f.RunRow(n.of(f), at, Ours)
		f.write(w, row)
		beside := [4]int{n.Beside, n.Beside, n.Beside, n.Beside}
		if f.Off {
			f.write(w, f.RunRow(beside, at, Capped))
		}
		f.write(w, f.RunRow(beside, at, Before))
		for _, failure := range f.Failures(row, true) {
			failures = append(failures, f.Name+": "+failure)
		}
	}
	return failures
}

// ThresholdTable writes what was said of changes of the threshold where that is 2 %.
func ThresholdTable(w io.Writer, n Sizes, seed uint64) {
	fmt.Fprint(w, "| +2 % at a threshold of 2 % | found % | unchanged % | rounds: all, changed |\n|---|--:|--:|--:|\n")
	for i, f := range PairNoises()[:4] {
		s := f.Scenario
		s.Effect, s.Threshold = 0.02, 0.02
		t := Run(s, n.Threshold, seed+uint64(i)<<32, Ours)[0]
		fmt.Fprintf(w, "| %s | %s (≥ %s) | %s (≤ %s) | %.1f, %.1f |\n", f.Name,
			figures.Share(t.Found, t.PullRequests), decimals(figures.AtLeast(t.Found, t.PullRequests)),
			figures.Share(t.Unchanged, t.PullRequests), decimals(figures.AtMost(t.Unchanged, t.PullRequests)), t.MeanAll(), t.MeanSamples())
	}
}

func (f Family) write(w io.Writer, row Row) {
	null, changed := row[0], row[2]
	alarms := func(x int) string {
		if f.Alike {
			return figures.Share(x, null.PullRequests)
		}
		return fmt.Sprintf("%s (≤ %s)", figures.Share(x, null.PullRequests), decimals(figures.AtMost(x, null.PullRequests)))
	}
	var found []string
	for _, t := range row[1:] {
		found = append(found, figures.Share(t.Found, t.PullRequests))
	}
	coverage := "-"
	if !f.Shapeless {
		coverage = decimals(null.Coverage()) + " / " + decimals(changed.Coverage())
	}
	fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s (≤ %s) | %s / %s | %s | %.1f, %.1f |\n", f.Name, null.Rule,
		alarms(null.Alarms), alarms(null.Wrong.Of(compare.Improved)), strings.Join(found, " / "),
		figures.Share(changed.Unchanged, changed.PullRequests), decimals(figures.AtMost(changed.Unchanged, changed.PullRequests)),
		figures.Share(null.Undecided, null.PullRequests), figures.Share(changed.Undecided, changed.PullRequests),
		coverage, null.MeanAll(), changed.MeanSamples())
}

// decimals writes a rate in per cent, for columns that say so.
func decimals(p float64) string { return fmt.Sprintf("%.2f", 100*p) }
