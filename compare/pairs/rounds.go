package pairs

import (
	"math"
	"slices"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
	"github.com/perftrack/perftrack/runner/record"
)

// Sessions returns the last round of each measured pair of runs in the trial. A session of a spread
// trial has several of them.
func (p *Pairing) Sessions() []int {
	if isSpread(p.Runs[base], p.Runs[head]) {
		return spreadSessions(slices.Concat(p.Runs[base], p.Runs[head]))
	}
	var ends []int
	for i := range min(len(p.Runs[base]), len(p.Runs[head])) {
		if last := max(p.Runs[base][i].LastRound(), p.Runs[head][i].LastRound()); last > 0 {
			ends = append(ends, last)
		}
	}
	return ends
}

// A SeriesUnit identifies a series in a pairing.
type SeriesUnit struct {
	record.BenchmarkID
	Unit string // as stored
}

// Rounds returns the samples of all series by round, from 1 to the last round of the shorter side.
// If a side has several samples in a round, they come from one process, and their median is used. A
// round whose sides come from different machines does not count.
func (p *Pairing) Rounds() map[SeriesUnit][]stat.Pair {
	return p.paired((*record.Benchmark).Series)
}

// paired is like [Pairing.Rounds], but uses the samples that of returns for each benchmark.
func (p *Pairing) paired(of func(*record.Benchmark) []record.Samples) map[SeriesUnit][]stat.Pair {
	type sample struct {
		values []float64
		order  int // order of the first sample
		at     int // number of the machine in a spread trial
	}
	all := map[SeriesUnit]*[2]map[int]sample{}
	for side, runs := range p.Runs {
		for _, run := range runs {
			for i := range run.Benchmarks {
				b := &run.Benchmarks[i]
				for _, s := range of(b) {
					key := SeriesUnit{b.BenchmarkID, s.Unit}
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
						one.values, one.at = append(one.values, v), p.machineOf[run]
						of[round.N] = one
					}
				}
			}
		}
	}
	pairs := map[SeriesUnit][]stat.Pair{}
	for key, sides := range all {
		factor, _ := benchunit.Tidy(1, key.Unit)
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
			if atBase && atHead && b.at == h.at {
				list[n] = stat.Pair{Base: factor * stat.Median(b.values), Head: factor * stat.Median(h.values), HeadFirst: h.order < b.order}
			}
		}
		pairs[key] = list
	}
	return pairs
}

// Means returns the means of all slices by round, in the form of [Pairing.Rounds], for each
// benchmark that has means. They are in seconds, and NaN for rounds that lack a mean on one side.
func (p *Pairing) Means() map[record.BenchmarkID][]stat.Pair {
	out := map[record.BenchmarkID][]stat.Pair{}
	for key, pairs := range p.paired(func(b *record.Benchmark) []record.Samples {
		times := record.Samples{Unit: units.Time}
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

// Slow returns, for each side, the fraction of slices that take far longer than the others,
// averaged over all rounds.
func (p *Pairing) Slow(id record.BenchmarkID) (sides [2]float64) {
	for side, runs := range p.Runs {
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

func (s SeriesUnit) Tidied() string {
	_, unit := benchunit.Tidy(1, s.Unit)
	return unit
}
