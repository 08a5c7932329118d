package record

import (
	"cmp"
	"math"
	"slices"
)

// A Round describes when in a trial a sample was measured, and how.
type Round struct {
	N     int    // number of the round in the trial, from 1; the warm-up is round 0, which is discarded and never stored
	Order int    // position among all samples in the round, from 0
	Iters int    // iterations that the sample averages
	Seed  uint64 // layout seed of the binary, 0 for the toolchain's default layout

	// Slices and Spread are set only if the processes of the two sides took turns in short slices.
	// Both sides have the same values.
	Slices int     // number of slice pairs that the values are based on; 0 if the process ran alone
	Spread float64 // standard deviation of the log ratios of head to base over the round's pairs of slices; 0 if unknown

	// Mean and Slow cover all slices on this side, even if the values are based on only some of
	// them. Without slices, they cover all repetitions in the process, whose medians are the values.
	Mean float64 // ns/op, without the slices' waits for a CPU; 0 if unknown
	Slow float64 // fraction of slices or repetitions far longer than most, from 0 to 1
}

// normalize replaces -0 with 0.
func (r *Round) normalize() {
	for _, v := range []*float64{&r.Spread, &r.Mean, &r.Slow} {
		if *v == 0 {
			*v = 0
		}
	}
}

// Samples holds a benchmark's values in one unit, with one value for each of its Rounds. NaN marks
// a round without a value in this unit. It cannot be a measured value, because package
// decode rejects NaN.
type Samples struct {
	Unit   string // as printed by the benchmark program: ns/op, MB/s, GFLOPS
	Values []float64

	summary *Summary // set only by [Benchmark.Series] and [Benchmark.Unit]
}

// Summary returns the summary that the only value belongs to; see [Benchmark.Summary].
func (s Samples) Summary() (sum Summary, ok bool) {
	if s.summary == nil {
		return Summary{}, false
	}
	return *s.summary, true
}

// Present returns the values, without the NaNs of rounds that have no value.
func (s Samples) Present() []float64 {
	out := make([]float64, 0, len(s.Values))
	for _, v := range s.Values {
		if !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out
}

// normalize replaces -0 with 0 and reports whether there is any value.
func (s Samples) normalize() (any bool) {
	for i, v := range s.Values {
		if v == 0 {
			s.Values[i] = 0
		}
		any = any || !math.IsNaN(v)
	}
	return any
}

// A Benchmark holds one run's results for a benchmark.
type Benchmark struct {
	BenchmarkID
	Rounds  []Round
	Samples []Samples // one per unit, in the order of CompareUnits
}

// Unit returns the samples measured in the given unit. The unit is spelled as the benchmark program
// printed it.
func (b *Benchmark) Unit(unit string) (Samples, bool) {
	s, ok := b.find(unit)
	if ok {
		s = b.summarized(s)
	}
	return s, ok
}

func (b *Benchmark) find(unit string) (Samples, bool) {
	for _, s := range b.Samples {
		if s.Unit == unit {
			return s, true
		}
	}
	return Samples{}, false
}

// LastRound returns the number of the last round with a sample, or 0 if there are no samples.
func (b *Benchmark) LastRound() int {
	last := 0
	for _, round := range b.Rounds {
		last = max(last, round.N)
	}
	return last
}

// Normalize puts the benchmark into canonical form, as part of [Run.Normalize].
func (b *Benchmark) Normalize() {
	b.sortRounds()
	for k := range b.Rounds {
		b.Rounds[k].normalize()
	}
	b.Samples = slices.DeleteFunc(b.Samples, func(s Samples) bool { return !s.normalize() })
	slices.SortFunc(b.Samples, func(x, y Samples) int { return CompareUnits(x.Unit, y.Unit) })
}

// Compare orders the rounds of a benchmark as they were measured.
func (r Round) Compare(other Round) int {
	return cmp.Or(cmp.Compare(r.N, other.N), cmp.Compare(r.Order, other.Order))
}

func (b *Benchmark) sortRounds() {
	sorted := true
	for i := 1; i < len(b.Rounds) && sorted; i++ { // without a copy of each round
		x, y := &b.Rounds[i-1], &b.Rounds[i]
		sorted = x.N < y.N || x.N == y.N && x.Order <= y.Order
	}
	if sorted {
		return
	}
	perm := make([]int, len(b.Rounds))
	for i := range perm {
		perm[i] = i
	}
	slices.SortStableFunc(perm, func(i, j int) int { return b.Rounds[i].Compare(b.Rounds[j]) })
	rounds := make([]Round, len(perm))
	for to, from := range perm {
		rounds[to] = b.Rounds[from]
	}
	b.Rounds = rounds
	for s := range b.Samples {
		values := make([]float64, len(perm))
		for to, from := range perm {
			values[to] = b.Samples[s].Values[from]
		}
		b.Samples[s].Values = values
	}
}
