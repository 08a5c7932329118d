package compare

import (
	"math"

	"github.com/perftrack/perftrack/runner/record"
)

// If there are only unpaired runs, the gate can still use benchstat's test. The error rate of this
// test applies to samples and does not cover changes in the machine between two runs.

// An UnpairedGate is the condition under which a row of unpaired runs fails the gate.
type UnpairedGate string

// The conditions.
const (
	NoUnpairedGate UnpairedGate = ""          // never: only a trial can fail the gate
	GateUnpaired   UnpairedGate = "unpaired"  // the row is suspect: corrected p, and a change of at least the threshold
	GateBenchstat  UnpairedGate = "benchstat" // benchstat shows a change of any size: p is significant without a correction
)

// WorseUnpaired returns the rows of unpaired runs that are worse according to gate and were not
// accepted.
func (c *Comparison) WorseUnpaired(gate UnpairedGate) (worse []*Row) {
	for _, r := range c.unpaired() {
		if Direction(int(math.Copysign(1, r.Delta)), r.Better) != Regressed || r.Delta == 0 || r.Accepted() {
			continue
		}
		if gate == GateUnpaired && r.Verdict == Suspect || gate == GateBenchstat && !r.Derived && r.P <= c.Options.CompareAlpha {
			worse = append(worse, r)
		}
	}
	return worse
}

// unpaired returns the rows of unpaired runs with comparable samples.
func (c *Comparison) unpaired() (rows []*Row) {
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if !t.Trial && r.Compared() {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// BlindUnpaired returns the number of unpaired benchmarks that have too few samples for the gate to
// flag them, however large their change, and the number of samples per side that would suffice.
func (c *Comparison) BlindUnpaired(gate UnpairedGate) (benchmarks, samples int) {
	type benchmark struct {
		target string
		id     record.BenchmarkID
	}
	blind := map[benchmark]bool{}
	for _, r := range c.unpaired() {
		limit, least := c.Options.CompareAlpha, leastP(r.Base.N, r.Head.N)
		if gate == GateUnpaired {
			limit = min(limit, c.Options.Alpha/max(r.sharing, 1))
			if min(r.Base.N, r.Head.N) < 2 {
				least = 1 // nothing is tested
			}
		}
		if r.Derived || r.Exact || least <= limit {
			continue
		}
		blind[benchmark{r.Target, r.BenchmarkID}] = true
		for samples < record.MaxSamples && leastP(samples, samples) > limit {
			samples++
		}
	}
	return len(blind), samples
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
