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

// warmUp is the number of pairs dropped at the beginning of a round.
const warmUp = 2

// A Round is the measurement of one process from each side, run in turns.
type Round struct {
	// Results holds the result of the selected slices of each side in all units that the benchmark
	// reports, as if the side had run them without a pause. The ratio of their times is the value
	// of the round.
	Results [2]*benchfmt.Result

	Kept   int     // number of slices of each side in Results
	Spread float64 // standard deviation of the log ratios of the pairs, estimated from their median absolute deviation
	Means  [2]Mean // of all slices of each side
}

// Measure measures a round beginning with the side first, 0 or 1. It uses the sides, name, flags,
// CPUs and time limit of spec. It returns a [turnstile.SliceError] if the benchmark can no longer
// be sliced. Other errors come from the machine, from ctx, or from too few slices. Measure leaves
// no process running.
func (w Method) Measure(ctx context.Context, spec turnstile.Spec, round, first int) (Round, error) {
	if !w.Sliced() {
		return Round{}, fmt.Errorf("slice benchmark %s: its method is fresh processes: %s", spec.Name, w.Why)
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
			// The first error has the reason. Close must still be called so that no process is left
			// running.
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

// A tally collects the results of a round's slices. It keeps the first result of each side, and the
// numbers from all of them.
type tally struct {
	first  [2]*benchfmt.Result
	values [2][][]float64 // by slice and unit, as in first; NaN if a slice lacks the unit
	waited [2][]float64   // by slice, the wait for a CPU in nanoseconds per operation
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

// valueOf returns the value of r in the given unit, or NaN. It first looks at r.Values[at], the
// most likely place.
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

// times returns the ns/op values of base and head for each pair after the warm-up.
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

// round combines the collected slices into a round.
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

// mean returns the mean over a side's slices after the warm-up.
func (t *tally) mean(side int, pairs [][2]float64) Mean {
	times := make([]float64, len(pairs))
	for i, p := range pairs {
		times[i] = p[side]
	}
	return MeanOf(times, t.waited[side][warmUp:])
}

// mean returns the mean of a unit's values in the kept slices, or NaN if they have no values.
// column has a value for each slice. Of allocations, mean returns the first decile of all slices.
func mean(unit string, column []float64, kept []int) float64 {
	switch {
	case unit == "B/op" || unit == "allocs/op":
		// Allocations are whole numbers. Those in every slice remain, but an allocation made once
		// per count drops out, such as refilling a pool emptied by the preceding collection.
		s := slices.DeleteFunc(slices.Clone(column), math.IsNaN)
		if len(s) == 0 {
			return math.NaN()
		}
		slices.Sort(s)
		return lowest(s)
	case strings.HasSuffix(unit, "/s"):
		// All slices do the same amount of work, so this is the total work divided by the total
		// time.
		inverse := func(x float64) float64 { return 1 / x }
		if x := average(column, kept, inverse, inverse); x > 0 && !math.IsInf(x, 1) {
			return x
		}
	}
	same := func(x float64) float64 { return x }
	return average(column, kept, same, same)
}

// lowest returns the first decile of sorted values.
func lowest(sorted []float64) float64 { return sorted[(len(sorted)-1)/10] }

// average applies f to the kept values, applies back to their mean, and limits the result to the
// range of the kept values. If they are all equal, it therefore returns exactly this value, despite
// rounding errors in the sum.
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

// tidied returns a value in the form used by the reader of results.
func tidied(x float64, unit string) benchfmt.Value {
	v := benchfmt.Value{}
	if v.Value, v.Unit = benchunit.Tidy(x, unit); v.Unit != unit {
		v.OrigValue, v.OrigUnit = x, unit
	}
	return v
}
