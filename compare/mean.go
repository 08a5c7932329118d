package compare

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// showMeans replaces a row's samples with the means of its rounds if the mean decides the row or
// leaves it undecided, so that all numbers in the row agree. It adds a note about this, with the
// fraction of slices far longer than the others. In fresh processes, repetitions take the place of
// slices.
func (r *Row) showMeans(pairs []stat.Pair, o Options) {
	r.values = [2][]float64{}
	for _, p := range pairs {
		if !math.IsNaN(p.Base) && !math.IsNaN(p.Head) {
			r.values[base], r.values[head] = append(r.values[base], p.Base), append(r.values[head], p.Head)
		}
	}
	r.Base, r.Head = summarize(r.values[base], false, o.Confidence), summarize(r.values[head], false, o.Confidence)
	r.compare(assumption(false).Compare(newSample(r.values[base], o.CompareAlpha), newSample(r.values[head], o.CompareAlpha)))
	one, all := "slice", "slices"
	if r.Method != nil && r.Method.How == record.MethodFresh && r.Method.Sliced == 0 {
		one, all = "process", "repetitions"
	}
	text := "the numbers describe the mean of all " + all
	switch t := r.Mean.Typical; {
	case t.Absolute || math.IsInf(t.Lo, -1):
	case math.Abs(t.Center) < 0.001:
		text += "; the typical " + one + " changed by less than 0.1 %"
	default:
		text += fmt.Sprintf("; the typical %s changed by %+.1f %%", one, 100*t.Center)
	}
	if b, h := r.Mean.Slow[base], r.Mean.Slow[head]; max(b, h) > 0 {
		text += fmt.Sprintf("; %s of the %s on head and %s on base take far longer than the others", percent(h), all, percent(b))
	}
	r.Notes = append(r.Notes, Caveat{Code: CodeMean, Text: text})
}

// percent formats a fraction as a percentage with two significant digits, such as "2.1 %".
func percent(x float64) string { return fmt.Sprintf("%.2g %%", 100*x) }

// UnprovenMean reports whether the row is unchanged but its mean is not proven to be within
// r.MeanWithin. If each value comes from a fresh process, the values themselves serve as the mean.
func (r *Row) UnprovenMean() bool {
	bound := r.Bound
	switch {
	case r.MeanWithin <= 0 || r.Verdict != Unchanged || r.Exact:
		return false
	case r.Mean != nil:
		bound = r.Mean.Bound
	case r.Method != nil && r.Method.How == record.MethodSlices:
		return true // measured by a version of perftrack that recorded no means
	}
	return !(bound <= r.MeanWithin)
}

// UnprovenMeans returns the rows for which [Row.UnprovenMean] is true.
func (c *Comparison) UnprovenMeans() (rows []*Row) {
	for r := range c.Rows() {
		if r.UnprovenMean() {
			rows = append(rows, r)
		}
	}
	return rows
}
