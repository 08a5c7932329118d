package compare

import (
	"math"
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// sessions returns the last round of each measured pair of runs in the trial.
func (p *Pairing) sessions() []int {
	var ends []int
	for i := range min(len(p.runs[base]), len(p.runs[head])) {
		if last := max(p.runs[base][i].LastRound(), p.runs[head][i].LastRound()); last > 0 {
			ends = append(ends, last)
		}
	}
	return ends
}

// A seriesUnit identifies a series in a pairing.
type seriesUnit struct {
	record.BenchmarkID
	unit string // as stored
}

// ByRound returns a function for a row's samples by round, starting with round 1, in the form used
// to decide a trial. A round without a sample on one side is NaN on both. If a side has several
// samples in a round, their median is used. For unpaired runs, without rounds in common, the
// function returns nil.
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

// byRound returns the samples of all series by round, from 1 to the last round of the shorter side.
// If a side has several samples in a round, they come from one process, and their median is used.
func (p *Pairing) byRound() map[seriesUnit][]stat.Pair {
	return p.paired(func(b *record.Benchmark) []record.Samples { return b.Samples })
}

// paired is like byRound, but uses the samples that of returns for each benchmark.
func (p *Pairing) paired(of func(*record.Benchmark) []record.Samples) map[seriesUnit][]stat.Pair {
	type sample struct {
		values []float64
		order  int // order of the first sample
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
