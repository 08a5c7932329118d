package verdicts

import (
	"fmt"
	"io"
	"strings"

	"github.com/perftrack/perftrack/compare/internal/simulatetest/figures"

	"github.com/perftrack/perftrack/compare"
)

// Sizes are how many pull requests the tables draw of each scenario: of those in which
// nothing changed, of those that changed by the threshold, as which those of a goal are
// counted that says how many are found, and of others; for the rules that stand beside; of
// those whose error rate is shared, and promises.
type Sizes struct{ Null, Threshold, Found, Other, Beside, Peers, Shared, Promises int }

// Full are the sizes of docs/evaluation.md.
var Full = Sizes{Null: 4000, Threshold: 2000, Found: 3000, Other: 300, Beside: 300, Peers: 500, Shared: 1000, Promises: 60}

// of are those of a row.
func (n Sizes) of(f Family) [4]int {
	threshold := n.Threshold
	if f.Found > 0 {
		threshold = n.Found
	}
	return [4]int{n.Null, n.Other, threshold, n.Other}
}

// Tables writes the tables of docs/evaluation.md.
func Tables(w io.Writer, n Sizes, seed uint64) (failures []string) {
	fmt.Fprintf(w, "### What must be reached\n\n")
	failures = append(failures, NoiseTable(w, PairNoises(), n, seed)...)
	fmt.Fprintf(w, "\n")
	ThresholdTable(w, n, seed+1)
	fmt.Fprintf(w, "\n### Kinds of noise\n\n")
	failures = append(failures, NoiseTable(w, Noises(), n, seed+2)...)
	fmt.Fprintf(w, "\n### Run again\n\n")
	SharedTable(w, n.Shared, seed+6)
	fmt.Fprintf(w, "\n")
	PromiseTable(w, n.Promises, seed+7)
	fmt.Fprintf(w, "\n### Other rules on the same draws\n\n%d pull requests for each noise and effect, drift 0.25.\n\n", n.Peers)
	peerTable(w, n.Peers, seed+3)
	fmt.Fprintf(w, "\n### Layouts on the same draws\n\nCV 3 %%, drift 0.25, %d pull requests each.\n\n", n.Peers)
	layoutTable(w, n.Peers, seed+4)
	fmt.Fprintf(w, "\n### What each ingredient is for\n\n%d pull requests each in which nothing changed.\n\n", n.Peers)
	ingredientTable(w, n.Peers, seed+5)
	return failures
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
