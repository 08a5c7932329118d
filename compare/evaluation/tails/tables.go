package tails

import (
	"fmt"
	"io"
	"strings"

	"github.com/perftrack/perftrack/compare/evaluation/figures"
)

// Cases returns the cases for a machine, in families of m benchmarks.
func Cases(machine Machine, m int) (out []Case) {
	for _, tail := range Tails {
		for _, base := range []bool{false, true} {
			if base && (tail.Both || tail.Mean() == 0) {
				continue
			}
			for _, k := range []int{20, 50, 100, 200} {
				for _, calls := range []int{1, 3, 10, 100} {
					if k*calls < 50 {
						continue // a real round has more calls; see package slicing
					}
					out = append(out, Case{machine, tail, k, calls, base, m})
				}
			}
		}
	}
	return out
}

// Name describes a case.
func (c Case) Name() string {
	who := ", head"
	switch {
	case c.Both || c.Mean() == 0:
		who = ""
	case c.Base:
		who = ", base"
	}
	return fmt.Sprintf("%s%s: %+.0f %%", c.Tail.Name, who, 100*c.Change())
}

// Table writes the outcomes of n trials for each case of a machine, with one row per case.
func Table(w io.Writer, machine Machine, m, n int, seed uint64) {
	fmt.Fprintf(w, "| %s; change of the mean; slices a round, calls a slice | regressed %% | improved %% | of these by the mean | unchanged %% | inconclusive (mean) %% | open %% | rounds |\n"+
		"|---|--:|--:|--:|--:|--:|--:|--:|\n", machine.Name)
	for i, c := range Cases(machine, m) {
		t := c.Run(n, seed+uint64(i)<<32)
		fmt.Fprintf(w, "| %s; %d, %d | %s | %s | %d | %s | %s | %s | %.1f |\n", c.Name(), c.Slices, c.Calls,
			share(t.Regressed, n), share(t.Improved, n), t.ByMean, share(t.Unchanged, n), share(t.Doubtful, n), share(t.Open, n), float64(t.Rounds)/float64(n))
	}
}

// share formats a rate as a percentage, with its confidence bounds except where they are trivial.
func share(x, n int) string {
	var bounds []string
	if x > 0 {
		bounds = append(bounds, fmt.Sprintf("≥ %.1f", 100*figures.AtLeast(x, n)))
	}
	if x < n {
		bounds = append(bounds, fmt.Sprintf("≤ %.1f", 100*figures.AtMost(x, n)))
	}
	return figures.Share(x, n) + " (" + strings.Join(bounds, ", ") + ")"
}
