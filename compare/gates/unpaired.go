package gates

import (
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/record"
)

// If there are only unpaired runs, the gate can still use benchstat's test. The error rate of this
// test applies to samples and does not cover changes in the machine between two runs.

// An UnpairedRule is the condition under which a row of unpaired runs fails the gate.
type UnpairedRule string

// The conditions.
const (
	NoUnpaired        UnpairedRule = ""          // never: only a trial can fail the gate
	UnpairedSuspect   UnpairedRule = "unpaired"  // the row is suspect: corrected p, and a change of at least the threshold
	UnpairedBenchstat UnpairedRule = "benchstat" // benchstat shows a change of any size: p is significant without a correction
)

// WorseUnpaired returns the rows of unpaired runs that are worse according to gate and were not
// accepted.
func WorseUnpaired(c *compare.Comparison, gate UnpairedRule) (worse []*compare.Row) {
	for _, r := range unpaired(c) {
		if compare.Direction(int(math.Copysign(1, r.Delta)), r.Better) != compare.Regressed || r.Delta == 0 || r.Accepted() {
			continue
		}
		if gate == UnpairedSuspect && r.Verdict == compare.Suspect || gate == UnpairedBenchstat && !r.Derived && r.P <= c.Options.CompareAlpha {
			worse = append(worse, r)
		}
	}
	return worse
}

// unpaired returns the rows of unpaired runs with comparable centers.
func unpaired(c *compare.Comparison) (rows []*compare.Row) {
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if !t.Trial && r.HasDelta() {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// BlindUnpaired returns the number of unpaired benchmarks that have too few samples for the gate to
// flag them, however large their change, and the number of samples per side that would suffice.
func BlindUnpaired(c *compare.Comparison, gate UnpairedRule) (benchmarks, samples int) {
	type benchmark struct {
		target string
		id     record.BenchmarkID
	}
	unseen := map[benchmark]bool{}
	for _, r := range unpaired(c) {
		limit, least := c.Options.CompareAlpha, leastP(r.Base.N, r.Head.N)
		if gate == UnpairedSuspect {
			limit = min(limit, c.Options.Alpha/max(r.Sharing, 1))
			if min(r.Base.N, r.Head.N) < 2 {
				least = 1 // nothing is tested
			}
		}
		if r.Summarized() {
			least = 1
		}
		if r.Derived || r.Exact || least <= limit {
			continue
		}
		unseen[benchmark{r.Target, r.BenchmarkID}] = true
		for samples < record.MaxSamples && leastP(samples, samples) > limit {
			samples++
		}
	}
	return len(unseen), samples
}

// leastP returns the smallest two-sided p that n and m samples without ties can have. It is reached
// if all values on one side are above all values on the other.
func leastP(n, m int) float64 {
	p := 2.
	for i := 1; i <= min(n, m); i++ {
		p *= float64(i) / float64(max(n, m)+i)
	}
	return min(p, 1)
}
