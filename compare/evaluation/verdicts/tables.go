package verdicts

import (
	"fmt"
	"io"
	"strings"

	"github.com/perftrack/perftrack/compare/evaluation/figures"

	"github.com/perftrack/perftrack/compare"
)

// Sizes contains the number of pull requests a table draws for each scenario.
type Sizes struct {
	// Null is the number of pull requests without a change, Threshold the number with a change as
	// large as the threshold, and Other the number for each other change. Found replaces Threshold
	// if there is a goal for the share found.
	Null, Threshold, Found, Other int
	Beside                        int // per effect, for the additional rules
	Each                          int // for tables with the same number everywhere
}

// of returns the sizes for a row, one per effect. If the rate of false alarms is close to the
// limit, the sizes for no change and for the threshold are tripled, because it takes more pull
// requests to show that the rate is low enough.
func (n Sizes) of(f Family) [4]int {
	sizes := [4]int{n.Null, n.Other, n.Threshold, n.Other}
	if f.Found > 0 {
		sizes[2] = n.Found
	}
	if f.Close {
		sizes[0], sizes[2] = 3*sizes[0], 3*sizes[2]
	}
	return sizes
}

// A Table is one of the tables in docs/evaluation.md. The published version is drawn with the sizes
// Full. Write returns the goals not proven to be met.
type Table struct {
	Name  string
	Full  Sizes
	Write func(w io.Writer, n Sizes, seed uint64) (failures []string)
}

// Tables returns the tables in docs/evaluation.md.
func Tables() []Table {
	rows := func(families []Family) func(io.Writer, Sizes, uint64) []string {
		return func(w io.Writer, n Sizes, seed uint64) []string { return NoiseTable(w, families, n, seed) }
	}
	means := func(m int, elsewhere bool) func(io.Writer, Sizes, uint64) []string {
		return func(w io.Writer, n Sizes, seed uint64) []string {
			families := MeanNoises()
			if elsewhere {
				families = append(PairNoises(), Noises()...)
			}
			return MeanTable(w, families, m, n, seed)
		}
	}
	goalless := func(write func(io.Writer, int, uint64)) func(io.Writer, Sizes, uint64) []string {
		return func(w io.Writer, n Sizes, seed uint64) []string {
			write(w, n.Each, seed)
			return nil
		}
	}
	return []Table{
		{"Goals", Sizes{Null: 4000, Threshold: 2000, Found: 3000, Other: 300, Beside: 300}, rows(PairNoises())},
		{"Threshold", Sizes{Each: 1000}, goalless(ThresholdTable)},
		{"Noise", Sizes{Null: 1500, Threshold: 1000, Other: 200, Beside: 200}, rows(Noises())},
		{"Shared", Sizes{Each: 1000}, SharedTable},
		{"Shards", Sizes{Each: 2000}, ShardTable},
		{"Promises", Sizes{Each: 60}, goalless(PromiseTable)},
		{"Peers", Sizes{Each: 200}, goalless(peerTable)},
		{"Layouts", Sizes{Each: 200}, goalless(layoutTable)},
		{"Ingredients", Sizes{Each: 200}, goalless(ingredientTable)},
		{"MeansOf1", Sizes{Null: 1500, Threshold: 300, Other: 300}, means(1, false)},
		{"MeansOf8", Sizes{Null: 1500, Threshold: 300, Other: 300}, means(8, false)},
		{"MeansOf29", Sizes{Null: 1000, Threshold: 200, Other: 200}, means(29, false)},
		{"MeansOf200", Sizes{Null: 100, Threshold: 20, Other: 20}, means(200, false)},
		{"MeansElsewhere", Sizes{Null: 300, Threshold: 20, Other: 20}, means(29, true)},
		{"Spread", Sizes{Null: 1200, Found: 600}, SpreadTable},
		{"Queues", Sizes{Each: 200}, goalless(QueueTable)},
	}
}

const noiseHeader = "| noise | rule | falsely regressed % | falsely improved % | found +2 / +5 / +10 % | unchanged at +5 | undecided 0 / +5 | coverage 0 / +5 | rounds: all at 0, changed at +5 |\n" +
	"|---|---|--:|--:|--:|--:|--:|--:|--:|\n"

// NoiseTable writes the verdicts of the shipped procedure for each kind of noise. It returns the
// goals not proven to be met.
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
		for _, failure := range f.Failures(row, true) {
			failures = append(failures, f.Name+": "+failure)
		}
	}
	return failures
}

// MeanTable writes the verdicts on m benchmarks with means. The last row combines the pull requests
// of all kinds of noise. MeanTable returns the goals that the draws rule out for one kind of noise,
// or do not prove for all kinds combined.
func MeanTable(w io.Writer, families []Family, m int, n Sizes, seed uint64) (failures []string) {
	fmt.Fprintf(w, "| noise, benchmarks: %d | falsely regressed %% | falsely improved %% | found +5 / +10 %% | unchanged at +5 | undecided 0 / +5 / +10 | rounds: all at 0, changed at +5 / +10 |\n"+
		"|---|--:|--:|--:|--:|--:|--:|\n", m)
	var all Tally
	better := 0
	for i, f := range families {
		f.Benchmarks, f.AllSlices = m, meanNoise
		row := f.RunRow([4]int{n.Null, 0, n.Threshold, n.Other}, seed+uint64(i)<<36, Ours)
		null, least, twice := row[0], row[2], row[3]
		improved := null.Wrong.Of(compare.Improved)
		fmt.Fprintf(w, "| %s | %s (≤ %s) | %s (≤ %s) | %s / %s (≥ %s) | %s | %s / %s / %s | %.1f, %.1f / %.1f |\n", f.Name,
			figures.Share(null.Alarms, null.PullRequests), decimals(figures.AtMost(null.Alarms, null.PullRequests)),
			figures.Share(improved, null.PullRequests), decimals(figures.AtMost(improved, null.PullRequests)),
			figures.Share(least.Found, least.PullRequests), figures.Share(twice.Found, twice.PullRequests), decimals(figures.AtLeast(twice.Found, twice.PullRequests)),
			figures.Share(least.Unchanged, least.PullRequests),
			figures.Share(null.Undecided, null.PullRequests), figures.Share(least.Undecided, least.PullRequests), figures.Share(twice.Undecided, twice.PullRequests),
			null.MeanAll(), least.MeanSamples(), twice.MeanSamples())
		if f.Alike {
			continue
		}
		all.PullRequests += null.PullRequests
		all.Alarms += null.Alarms
		better += improved
		if bound := figures.AtLeast(max(null.Alarms, improved), null.PullRequests); bound > mostAlarms {
			failures = append(failures, fmt.Sprintf("%s, %d benchmarks: flagged in at least %s %% of pull requests", f.Name, m, decimals(bound)))
		}
		if f.Twice > 0 && figures.AtMost(twice.Found, twice.PullRequests) < f.Twice {
			failures = append(failures, fmt.Sprintf("%s, %d benchmarks: %d of %d changes of 10 %% found", f.Name, m, twice.Found, twice.PullRequests))
		}
	}
	fmt.Fprintf(w, "| all %d pull requests | %s (≤ %s) | %s (≤ %s) | | | | |\n", all.PullRequests,
		figures.Share(all.Alarms, all.PullRequests), decimals(figures.AtMost(all.Alarms, all.PullRequests)),
		figures.Share(better, all.PullRequests), decimals(figures.AtMost(better, all.PullRequests)))
	if bound := figures.AtMost(max(all.Alarms, better), all.PullRequests); bound > mostAlarms {
		failures = append(failures, fmt.Sprintf("%d benchmarks: flagged in up to %s %% of all pull requests", m, decimals(bound)))
	}
	return failures
}

// ThresholdTable writes the verdicts on changes of 2 % with a threshold of 2 %.
func ThresholdTable(w io.Writer, n int, seed uint64) {
	fmt.Fprint(w, "| +2 % at a threshold of 2 % | found % | unchanged % | rounds: all, changed |\n|---|--:|--:|--:|\n")
	for i, f := range PairNoises()[:4] {
		s := f.Scenario
		s.Effect, s.Threshold = 0.02, 0.02
		t := Run(s, n, seed+uint64(i)<<32, Ours)[0]
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

// decimals formats a rate as a percentage without the percent sign, for columns with it in their
// title.
func decimals(p float64) string { return fmt.Sprintf("%.2f", 100*p) }
