package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// sessions are the last rounds of the pairs of runs that make up the trial and were
// measured.
func (p *Pairing) sessions() []int {
	var ends []int
	for i := range min(len(p.runs[base]), len(p.runs[head])) {
		if last := max(p.runs[base][i].LastRound(), p.runs[head][i].LastRound()); last > 0 {
			ends = append(ends, last)
		}
	}
	return ends
}

// A seriesUnit is one series of a pairing.
type seriesUnit struct {
	record.BenchmarkID
	unit string // as the store keeps it
}

// ByRound returns a function that gives the samples of a row of the pairing by their round, from
// 1, as they decide a trial: NaN on both sides where one has no sample in the round, the median
// where a side has several. Runs that were measured apart have no rounds in common, and nil.
func (p *Pairing) ByRound() func(*Row) []stat.Pair {
	if !p.Trial {
		return func(*Row) []stat.Pair { return nil }
	}
	all, means := p.byRound(), p.means()
	return func(r *Row) []stat.Pair {
		if r.ByMean {
			return means[r.BenchmarkID]
		}
		return all[seriesUnit{r.BenchmarkID, r.OrigUnit}]
	}
}

// byRound returns the samples of all series by their round, from 1, up to the last one
// of the side that has fewer. Of several samples of a side in a round it is their median: they came
// from one process.
func (p *Pairing) byRound() map[seriesUnit][]stat.Pair {
	return p.paired(func(b *record.Benchmark) []record.Samples { return b.Samples })
}

// paired is byRound of the samples that of makes of a benchmark.
func (p *Pairing) paired(of func(*record.Benchmark) []record.Samples) map[seriesUnit][]stat.Pair {
	type sample struct {
		values []float64
		order  int // of the first
	}
	all := map[seriesUnit]*[2]map[int]sample{}
	for side, runs := range p.runs {
		for _, run := range runs {
			for i := range run.Benchmarks {
				b := &run.Benchmarks[i]
				for _, s := range of(b) {
					key := seriesUnit{b.BenchmarkID, s.Unit}
					if all[key] == nil {
						all[key] = &[2]map[int]sample{{}, {}}
					}
					of := all[key][side]
					for k, v := range s.Values {
						round := b.Rounds[k]
						if math.IsNaN(v) || round.N <= 0 || round.N > record.MaxSamples {
							continue
						}
						one, have := of[round.N]
						if !have || round.Order < one.order {
							one.order = round.Order
						}
						one.values = append(one.values, v)
						of[round.N] = one
					}
				}
			}
		}
	}
	pairs := map[seriesUnit][]stat.Pair{}
	for key, sides := range all {
		factor, _ := benchunit.Tidy(1, key.unit)
		var last [2]int
		for side := range sides {
			for n := range sides[side] {
				last[side] = max(last[side], n)
			}
		}
		list := slices.Repeat([]stat.Pair{{Base: math.NaN(), Head: math.NaN()}}, min(last[base], last[head]))
		for n := range list {
			b, atBase := sides[base][n+1]
			h, atHead := sides[head][n+1]
			if atBase && atHead {
				list[n] = stat.Pair{Base: factor * stat.Median(b.values), Head: factor * stat.Median(h.values), HeadFirst: h.order < b.order}
			}
		}
		pairs[key] = list
	}
	return pairs
}
