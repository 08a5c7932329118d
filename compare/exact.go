package compare

import (
	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
)

// isCount reports whether a unit is a count. If all samples of a count agree, the count has no
// noise.
func isCount(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// TestedBesideTime returns how many of the units, spelled as the benchmark prints them, a trial
// tests in addition to the benchmark's time. It omits the counts printed by package testing: they
// usually repeat exactly, and such counts are not tested.
func TestedBesideTime(units []string) (n int) {
	for _, unit := range units {
		if _, tidied := benchunit.Tidy(1, unit); tidied != "sec/op" && !isCount(tidied) && !Follows(tidied) {
			n++
		}
	}
	return n
}

// negligible describes the changes in a unit too small to matter. Without any change in the code,
// bytes may move to another size class, and they jitter with the runtime's own allocations. If a
// number of allocations repeats exactly, every change matters, except between fractions of one
// allocation.
func negligible(unit string) stat.Negligible {
	switch unit {
	case "B/op":
		return stat.Negligible{Size: 16, Part: 0.01, Jitter: 1, JitterPart: 0.001}
	case "allocs/op":
		return stat.Negligible{Below: 1}
	}
	return stat.Negligible{}
}

// SeriesOf returns the series with which a trial decides a unit, without its pairs, threshold and
// history. declared reports whether the unit was declared exact.
func SeriesOf(unit string, better int, declared bool) stat.Series {
	return stat.Series{Better: better, Counts: isCount(unit), Declared: declared, Negligible: negligible(unit)}
}

// Exact judges two values repeating without noise. Every difference is real, so only its size
// matters.
func Exact(unit string, better int, base, head float64) (stat.Shift, Verdict) {
	shift, outcome, _ := stat.Repeated(base, head, negligible(unit))
	return shift, verdictOf(outcome, better)
}
