package compare

import (
	"fmt"
	"math"
	"slices"

	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

// A Row is one series, a benchmark in one unit, on both sides.
type Row struct {
	record.BenchmarkID
	Target   string
	Unit     string // tidied; all values in the row are in this unit
	OrigUnit string // as the benchmark program printed it, and as stored
	Better   int    // +1 if higher values are better, -1 if lower, 0 if undeclared

	Base, Head Summary

	// Delta is the ratio of the centers minus 1. It is infinite if only the base is 0, and NaN
	// without comparable centers.
	Delta float64
	// P is benchmath's p-value, at most 1. It is 0 for a unit declared exact, and NaN if the sides
	// were not compared, or one of them is a summary.
	P float64

	// Derived is set for a unit derived from the benchmark's time (GFLOPS, tok/s, MB/s). A derived
	// row is shown but never tested, because this would test the same hypothesis twice. The only
	// hypothesis about a scope is the time of a call: if its self, minimum and maximum times were
	// tested, too, a call tree would be a family so large that no profile could ever be decided.
	// Constant counts need no test.
	Derived bool
	// Calls is the average number of calls to a scope in one run of base and of head. It is 0 for
	// benchmarks and for a side without calls.
	Calls [2]float64
	// Within lists the rows of the same table that directly contain this one.
	Within []*Row
	// CorrelatedWith is the row that explains this row's change. It either contains this row or is
	// inside it. It is nil if no other row explains the change.
	CorrelatedWith *Row
	// Method is the sampling method of the benchmark in a trial, or nil if it is unknown.
	Method *record.Method

	Decision
	Limits []RowLimit // the configured limits
	Notes  []Caveat

	paired   bool    // measured in one trial
	declared bool    // the unit is declared exact
	small    bool    // the shift is proven to be too small to matter in the unit
	reach    int     // rounds until a look (an analysis of the trial) could flag the row; 0 if a past look could have
	Sharing  float64 // for an unpaired row: the number of tests that share the error rate
	values   [2][]float64
}

// Compared reports whether both sides have comparable samples.
func (r *Row) Compared() bool { return r.P == r.P }

// HasDelta reports whether both sides have comparable centers: they were compared, or are
// summaries.
func (r *Row) HasDelta() bool { return r.Delta == r.Delta }

// Summarized reports whether a file has only a summary of the samples of a side. There is nothing
// to test in the row. In a trial each round has one value, and the values of all rounds are samples,
// so a summary there only means that there was a single round.
func (r *Row) Summarized() bool { return !r.paired && (r.Base.Told != nil || r.Head.Told != nil) }

// noteSummary adds the note that says which sides are summaries, and of how many samples.
func (r *Row) noteSummary() {
	of := func(s *record.Summary) string {
		switch s.N {
		case 0:
			return "an unknown number of samples"
		case 1:
			return "1 sample"
		}
		return fmt.Sprintf("%d samples", s.N)
	}
	text := ""
	switch b, h := r.Base.Told, r.Head.Told; {
	case h == nil:
		text = "base is a summary of " + of(b)
	case b == nil:
		text = "head is a summary of " + of(h)
	case b.N == h.N:
		text = "each side is a summary of " + of(b)
	default:
		text = "base is a summary of " + of(b) + ", head a summary of " + of(h)
	}
	r.Notes = append(r.Notes, Caveat{Code: CodeSummary, Text: text + ", no test"})
}

// Change returns the change from base to head, as a fraction, or NaN if it is unknown. In a trial
// it is computed from pairs, because the ratio of the centers ignores that the two samples in a
// pair share noise, and may even point the other way. A change that has no ratio, such as a first
// allocation, counts as larger than any other: +Inf for an increase, or -1 for a decrease.
func (r *Row) Change() float64 {
	switch up := r.Shift.Center; {
	case !r.paired:
		return r.Delta
	case !r.Shift.Absolute || up == 0:
		return up
	case up > 0:
		return math.Inf(1)
	}
	return -1
}

// Samples returns copies of both sides' samples, in the row's unit and in the order of measurement.
func (r *Row) Samples() (ofBase, ofHead []float64) {
	return slices.Clone(r.values[base]), slices.Clone(r.values[head])
}

// A RowLimit is a limit applied to a row of a comparison.
type RowLimit struct {
	limit.Limit
	Base, Head Judged
	// Worse is set if head misses a limit that base meets. In a trial, it is also set if head
	// misses a limit for which base has no value, unless base failed.
	Worse    bool
	Accepted string // why the miss is intended; see [acceptance.List.Explain]
}
