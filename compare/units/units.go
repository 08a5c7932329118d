// Package units tidies and orders the units of benchmarks, and classifies units as times, counts,
// or derived from the time.
package units

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// Time is the unit in which the mean of slices is stored.
const Time = "ns/op"

// TotalTime is the tidied unit of total-ns, the total time of all calls in a report.
const TotalTime = "total-sec"

// Tidied returns the measured values and their unit, both tidied. It derives the factor from a
// value of 1, because benchfmt does not tidy the unit of a value of 0.
func Tidied(s record.Samples) ([]float64, string) {
	factor, unit := benchunit.Tidy(1, s.Unit)
	values := s.Present()
	for i := range values {
		values[i] *= factor
	}
	return values, unit
}

// Summary returns the summary that samples belong to, in the tidied unit.
func Summary(s record.Samples) (sum record.Summary, ok bool) {
	sum, ok = s.Summary()
	factor, _ := benchunit.Tidy(1, s.Unit)
	return sum.Times(factor), ok
}

// Compare orders tidied units in the same way as record.CompareUnits orders the units of go
// test.
func Compare(a, b string) int {
	untidied := func(u string) string {
		switch u {
		case "sec/op":
			return "ns/op"
		case "B/s":
			return "MB/s"
		}
		return u
	}
	return cmp.Or(record.CompareUnits(untidied(a), untidied(b)), cmp.Compare(a, b))
}

// IsTime reports whether a tidied unit measures time, such as sec/op.
func IsTime(unit string) bool {
	num, _, _ := strings.Cut(unit, "/")
	switch num {
	case "sec", "s", "ms", "us", "µs":
		return true
	}
	return false
}

// IsCount reports whether a unit is a count. If all samples of a count agree, the count has no
// noise.
func IsCount(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// Negligible describes the changes in a unit that never matter. Without any change in the code,
// bytes may move to another size class, and they jitter with the runtime's own allocations. If a
// number of allocations repeats exactly, every change matters, except between fractions of one
// allocation.
func Negligible(unit string) stat.Negligible {
	switch unit {
	case "B/op":
		return stat.Negligible{Size: 16, Part: 0.01, Jitter: 1, JitterPart: 0.001}
	case "allocs/op":
		return stat.Negligible{Below: 1}
	}
	return stat.Negligible{}
}

// IsDerived reports whether a tidied unit follows from the benchmark's time and a count that the
// benchmark declares.
func IsDerived(unit string) bool {
	return unit == "GFLOPS" || unit == "tok/s" || unit == "B/s" || unit == TotalTime
}

// Follows reports whether a tidied unit is derived from the benchmark's time, or is a minimum or
// maximum of that time, so that a step in the time also shows up in the unit.
func Follows(unit string) bool {
	return IsDerived(unit) || unit == "min-sec/op" || unit == "max-sec/op"
}

// OfCall reports whether a unit of a scope only adds detail to the time of the same calls.
func OfCall(unit string) bool {
	return slices.Contains([]string{TotalTime, "self-sec/op", "min-sec/op", "max-sec/op"}, unit)
}

// ratioEnd is the suffix of a ratio's unit. Units printed by benchmarks contain no spaces.
const ratioEnd = " ratio"

// Ratio returns the unit for ratios of values in unit.
func Ratio(unit string) string { return unit + ratioEnd }

// IsRatio reports whether a unit is the unit of a ratio.
func IsRatio(unit string) bool { return strings.HasSuffix(unit, ratioEnd) }
