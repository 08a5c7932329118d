package slicing

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"
	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// warmUp is how many pairs at the beginning of a round are dropped.
const warmUp = 2

// A Round is what one process of each side measured, in turns.
type Round struct {
	// Results are those of the kept slices, in all units of the benchmark, as if each side had
	// run them in one go. So the ratio of their times is the value of the round.
	Results [2]*benchfmt.Result

	Kept   int     // slices of each side that Results are of
	Spread float64 // standard deviation of the log ratios of the pairs, by their median absolute deviation
	Means  [2]Mean // of all slices of each side, also those that are not kept
}

// Measure measures a round, in which the side first (0 or 1) goes first. Of the spec it needs
// the sides, the name, the flags, the CPUs and the time limit. A [turnstile.SliceError] says that
// the benchmark cannot be sliced, or no more; other errors are those of the machine, of ctx, or say
// that the round has too few slices to be believed. Nothing is left running after any.
func (w Way) Measure(ctx context.Context, spec turnstile.Spec, round, first int) (Round, error) {
	if !w.Sliced() {
		return Round{}, fmt.Errorf("slice benchmark %s: it is measured in fresh processes: %s", spec.Name, w.Why)
	}
	spec.N, spec.Slices, spec.Unstopped, spec.First = w.iterations(spec.Name, round), w.Slices+warmUp, !w.Stopped, first
	if w.Calm {
		spec = calmed(spec)
	}
	if w.Pinned {
		spec.OnCPU = 1 + max(0, round)
	}
	p, err := turnstile.Open(ctx, spec)
	if err != nil {
		return Round{}, err
	}
	var t tally
	for side := range turnstile.Order(first, 2*spec.Slices) {
		s, err := p.Slice(side)
		if err != nil {
			// What is left running would be worse than the first error; but it is that which tells why.
			_ = p.Close()
			return Round{}, err
		}
		t.add(side, s)
	}
	if err := p.Close(); err != nil {
		return Round{}, err
	}
	r, err := t.round()
	if err != nil {
		return Round{}, fmt.Errorf("slice benchmark %s: round %d: %w", spec.Name, round, err)
	}
	return r, nil
}

// A tally has what the slices of a round printed: the first result of each side, and of all the
// numbers alone.
type tally struct {
	first  [2]*benchfmt.Result
	values [2][][]float64 // by slice and unit as in first; NaN where a slice has no such unit
	waited [2][]float64   // by slice, for a CPU: nanoseconds by operation
}

func (t *tally) add(side int, s turnstile.Slice) {
	r := s.Result
	if t.first[side] == nil {
		t.first[side] = r
	}
	row := make([]float64, len(t.first[side].Values))
	for i, v := range t.first[side].Values {
		row[i] = valueOf(r, i, format.UnitOf(v))
	}
	t.values[side] = append(t.values[side], row)
	t.waited[side] = append(t.waited[side], float64(s.Waited)/float64(max(1, r.Iters)))
}

// valueOf returns the value with the unit, which is most likely at the index.
func valueOf(r *benchfmt.Result, at int, unit string) float64 {
	is := func(v benchfmt.Value) bool { return format.UnitOf(v) == unit }
	if at >= len(r.Values) || !is(r.Values[at]) {
		at = slices.IndexFunc(r.Values, is)
	}
	switch {
	case at < 0:
		return math.NaN()
	case r.Values[at].OrigUnit != "":
		return r.Values[at].OrigValue
	}
	return r.Values[at].Value
}

// times are base's and head's ns/op, pair by pair, after the warm-up.
func (t *tally) times() [][2]float64 {
	pairs := make([][2]float64, max(0, min(len(t.values[0]), len(t.values[1]))-warmUp))
	for side, first := range t.first {
		at := slices.IndexFunc(first.Values, func(v benchfmt.Value) bool { return format.UnitOf(v) == "ns/op" })
		for i := range pairs {
			if at >= 0 {
				pairs[i][side] = t.values[side][warmUp+i][at]
			}
		}
	}
	return pairs
}

// round makes a round of what was measured.
func (t *tally) round() (Round, error) {
	pairs := t.times()
	s := selectionOf(pairs)
	if len(s.kept) == 0 {
		return Round{}, fmt.Errorf("fewer than %d of %d pairs of slices have a time", leastPairs, len(pairs))
	}
	r := Round{Kept: len(s.kept), Spread: s.spread}
	for side, first := range t.first {
		res := first.Clone()
		res.Iters = first.Iters * r.Kept
		res.Values = res.Values[:0]
		for i, v := range first.Values {
			column := make([]float64, len(pairs))
			for j := range column {
				column[j] = t.values[side][warmUp+j][i]
			}
			if x := mean(format.UnitOf(v), column, s.kept); !math.IsNaN(x) {
				res.Values = append(res.Values, tidied(x, format.UnitOf(v)))
			}
		}
		r.Results[side] = res
		r.Means[side] = t.mean(side, pairs)
	}
	return r, nil
}

// mean is of all slices of a side after the warm-up.
func (t *tally) mean(side int, pairs [][2]float64) Mean {
	times := make([]float64, len(pairs))
	for i, p := range pairs {
		times[i] = p[side]
	}
	return MeanOf(times, t.waited[side][warmUp:])
}

// mean is the value of a unit of all slices together, given those of each; NaN if it has none.
func mean(unit string, column []float64, kept []int) float64 {
	switch {
	case unit == "B/op" || unit == "allocs/op":
		// They are whole numbers. What every slice pays stays; what is paid once a count drops out, as a pool
		// that is filled again after the collection before it.
		s := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
		if len(s) == 0 {
			return math.NaN()
		}
		slices.Sort(s)
		return lowest(s)
	case strings.HasSuffix(unit, "/s"):
		// All slices do the same work: its sum by the sum of the times.
		inverse := func(x float64) float64 { return 1 / x }
		if x := average(column, kept, inverse, inverse); x > 0 && !math.IsInf(x, 1) {
			return x
		}
	}
	same := func(x float64) float64 { return x }
	return average(column, kept, same, same)
}

// lowest is that of sorted values below which a tenth of them lie.
func lowest(sorted []float64) float64 { return sorted[(len(sorted)-1)/10] }

// average is that of what f makes of the kept values, taken back. It lies between them: of one value that
// repeats it is that value, whatever sums are rounded to, so that what is exact stays so.
func average(column []float64, kept []int, f, back func(float64) float64) float64 {
	total, n, low, high := 0.0, 0, math.Inf(1), math.Inf(-1)
	for _, i := range kept {
		if x := column[i]; !math.IsNaN(x) {
			total, n, low, high = total+f(x), n+1, min(low, x), max(high, x)
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return min(max(back(total/float64(n)), low), high)
}

// tidied is a value as the reader of results has it.
func tidied(x float64, unit string) benchfmt.Value {
	v := benchfmt.Value{}
	if v.Value, v.Unit = benchunit.Tidy(x, unit); v.Unit != unit {
		v.OrigValue, v.OrigUnit = x, unit
	}
	return v
}
