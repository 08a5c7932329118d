package compare

import (
	"math"

	"github.com/perftrack/perftrack/runner/record"
)

// Whoever has nothing but runs measured apart may gate on them all the same. What then says
// that a row is worse is benchstat's test, whose error rate holds for samples, not for what a
// machine does between two runs.

// An ApartGate is what is asked of a row of runs that were measured apart.
type ApartGate string

// The gates.
const (
	NoApartGate   ApartGate = ""          // nothing: only a trial gates
	GateUnpaired  ApartGate = "unpaired"  // that it is suspect: p corrected for all rows, and at least the threshold
	GateBenchstat ApartGate = "benchstat" // that benchstat shows a change: plain p, of any size
)

// WorseApart returns the rows of runs measured apart that are worse by the gate, and that
// nobody accepted.
func (c *Comparison) WorseApart(gate ApartGate) (worse []*Row) {
	for _, r := range c.apart() {
		if Direction(int(math.Copysign(1, r.Delta)), r.Better) != Regressed || r.Delta == 0 || r.Accepted() {
			continue
		}
		if gate == GateUnpaired && r.Verdict == Suspect || gate == GateBenchstat && !r.Derived && r.P <= c.Options.CompareAlpha {
			worse = append(worse, r)
		}
	}
	return worse
}

// apart returns the rows of runs that were measured apart and may be compared.
func (c *Comparison) apart() (rows []*Row) {
	for _, t := range c.Tables {
		for _, r := range t.Rows {
			if !t.Trial && r.Compared() {
				rows = append(rows, r)
			}
		}
	}
	return rows
}

// BlindApart counts the benchmarks measured apart that have too few samples for the gate to
// flag them, however large their change is, and says how many a side would do.
func (c *Comparison) BlindApart(gate ApartGate) (benchmarks, samples int) {
	type benchmark struct {
		target string
		id     record.BenchmarkID
	}
	blind := map[benchmark]bool{}
	for _, r := range c.apart() {
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

// leastP is the smallest two-sided p that samples of these sizes can have without ties: all of
// one side above all of the other.
func leastP(n, m int) float64 {
	p := 2.
	for i := 1; i <= min(n, m); i++ {
		p *= float64(i) / float64(max(n, m)+i)
	}
	return min(p, 1)
}
