package runner

import (
	"slices"
	"strconv"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// Harnesses of many languages repeat each benchmark within a process. The repetitions have the
// process in common, with its memory layout and its state of the machine, so they are one sample and
// not several.

// perProcess returns one result for each benchmark of a process, in the order of their first
// results. Its values are the medians of the repetitions.
func perProcess(results []*benchfmt.Result) (out []*benchfmt.Result) {
	of := map[string][]*benchfmt.Result{}
	var keys []string
	for _, res := range results {
		withoutSpread(res)
		key := string(res.Name)
		for _, k := range sampleKeys {
			key += "\x00" + res.GetConfig(k)
		}
		if of[key] == nil {
			keys = append(keys, key)
		}
		of[key] = append(of[key], res)
	}
	for _, key := range keys {
		out = append(out, typical(of[key]))
	}
	return out
}

// typical returns the medians of repetitions, with the mean of their times and the part that takes
// far longer than the others.
func typical(all []*benchfmt.Result) *benchfmt.Result {
	one := all[0]
	if len(all) == 1 {
		return one
	}
	iters := 0
	var values []benchfmt.Value // the first value in every unit
	in := map[string]*[2][]float64{}
	for _, res := range all {
		iters += res.Iters
		for _, v := range res.Values {
			unit := format.UnitOf(v)
			if in[unit] == nil {
				in[unit] = new([2][]float64)
				values = append(values, v)
			}
			in[unit][0], in[unit][1] = append(in[unit][0], v.Value), append(in[unit][1], v.OrigValue)
			if i := slices.IndexFunc(values, func(have benchfmt.Value) bool { return format.UnitOf(have) == unit }); v.OrigUnit != "" {
				values[i] = v // a value of 0 does not say that its unit was normalized
			}
		}
	}
	for i := range values {
		v := &values[i]
		same := in[format.UnitOf(*v)]
		v.Value, v.OrigValue = median(same[0]), median(same[1])
	}
	one.Iters, one.Values = iters, values
	if times := in["ns/op"]; times != nil && len(times[1]) == len(all) {
		noteMean(one, slicing.MeanOf(times[1], make([]float64, len(all))))
	}
	return one
}

// noteMean adds the mean of a sample to its result.
func noteMean(res *benchfmt.Result, mean slicing.Mean) {
	setPositive(res, record.KeyMean, mean.Time)
	setPositive(res, record.KeySlow, mean.Slow)
}

// setPositive sets a key of the result's configuration if the value is above 0.
func setPositive(res *benchfmt.Result, key string, value float64) {
	if value > 0 {
		res.SetConfig(key, strconv.FormatFloat(value, 'g', -1, 64))
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return sorted[(n-1)/2]/2 + sorted[n/2]/2
}

// withoutSpread turns the summary of a process into an ordinary sample: its spread within the
// process is not the one between processes, which decides.
func withoutSpread(res *benchfmt.Result) {
	var all []string
	for _, v := range res.Values {
		all = append(all, format.UnitOf(v))
	}
	res.Values = slices.DeleteFunc(res.Values, func(v benchfmt.Value) bool { return record.IsCompanion(format.UnitOf(v), all) })
}
