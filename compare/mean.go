package compare

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// timeUnit is the unit of the mean of slices, as the store keeps it.
const timeUnit = "ns/op"

// means returns the means of all slices by round, as [Pairing.byRound] returns the samples, of the benchmarks
// that have any: in seconds, NaN in rounds without one on both sides.
func (p *Pairing) means() map[record.BenchmarkID][]stat.Pair {
	out := map[record.BenchmarkID][]stat.Pair{}
	for key, pairs := range p.paired(func(b *record.Benchmark) []record.Samples {
		times := record.Samples{Unit: timeUnit}
		has := false
		for _, r := range b.Rounds {
			v := math.NaN()
			if r.Mean > 0 {
				v, has = r.Mean, true
			}
			times.Values = append(times.Values, v)
		}
		if !has {
			return nil
		}
		return []record.Samples{times}
	}) {
		out[key.BenchmarkID] = pairs
	}
	return out
}

// slow is the part of each side's slices that take far longer than the others, over all rounds.
func (p *Pairing) slow(id record.BenchmarkID) (sides [2]float64) {
	for side, runs := range p.runs {
		n := 0
		for _, run := range runs {
			for i := range run.Benchmarks {
				if run.Benchmarks[i].BenchmarkID != id {
					continue
				}
				for _, r := range run.Benchmarks[i].Rounds {
					if r.Mean > 0 {
						sides[side], n = sides[side]+r.Slow, n+1
					}
				}
			}
		}
		sides[side] /= float64(max(1, n))
	}
	return sides
}

// showMeans gives a row that the mean decides, or keeps open, the means of its rounds as its samples: all
// numbers of a row fit each other. A note says so, and which part of the slices makes the difference.
func (r *Row) showMeans(pairs []stat.Pair, o Options) {
	r.values = [2][]float64{}
	for _, p := range pairs {
		if !math.IsNaN(p.Base) && !math.IsNaN(p.Head) {
			r.values[base], r.values[head] = append(r.values[base], p.Base), append(r.values[head], p.Head)
		}
	}
	r.Base, r.Head = summarize(r.values[base], false, o.Confidence), summarize(r.values[head], false, o.Confidence)
	r.compare(assumption(false).Compare(newSample(r.values[base], o.CompareAlpha), newSample(r.values[head], o.CompareAlpha)))
	text := "the numbers are of the mean of all its slices"
	switch t := r.Mean.Typical; {
	case t.Absolute || math.IsInf(t.Lo, -1):
	case math.Abs(t.Center) < 0.001:
		text += ", the typical slice changed by less than 0.1 %"
	default:
		text += fmt.Sprintf(", the typical slice changed by %+.1f %%", 100*t.Center)
	}
	if b, h := r.Mean.Slow[base], r.Mean.Slow[head]; max(b, h) > 0 {
		text += fmt.Sprintf("; %s of its slices take far longer than the others, %s of base's", percent(h), percent(b))
	}
	r.Notes = append(r.Notes, Caveat{Code: CodeMean, Text: text})
}

// percent is a part of all, to two digits: "2.1 %".
func percent(x float64) string { return fmt.Sprintf("%.2g %%", 100*x) }

// UnprovenMean reports whether the row is unchanged, and more is wanted of its mean than was proven: that of
// fresh processes is their value.
func (r *Row) UnprovenMean() bool {
	bound := r.Bound
	switch {
	case r.MeanWithin <= 0 || r.Verdict != Unchanged || r.Exact:
		return false
	case r.Mean != nil:
		bound = r.Mean.Bound
	case r.Way != nil && r.Way.How == record.WaySlices:
		return true // measured by a perftrack that kept no means
	}
	return !(bound <= r.MeanWithin)
}

// UnprovenMeans are the rows that are unchanged by a mean of which less was proven than wanted.
func (c *Comparison) UnprovenMeans() (rows []*Row) {
	for r := range c.Rows() {
		if r.UnprovenMean() {
			rows = append(rows, r)
		}
	}
	return rows
}
