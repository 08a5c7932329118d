package compare

import (
	"golang.org/x/perf/benchunit"

	"github.com/perftrack/perftrack/compare/stat"
)

// isCount reports whether a unit counts something, so that samples which repeat show no
// noise.
func isCount(unit string) bool { return unit == "B/op" || unit == "allocs/op" }

// TestedBesideTime counts the units, as printed, of which a benchmark's trial tests a row beside that of its time. Counts
// of package testing repeat, and repeated counts are no hypotheses.
func TestedBesideTime(units []string) (n int) {
	for _, unit := range units {
		if _, tidied := benchunit.Tidy(1, unit); tidied != "sec/op" && !isCount(tidied) && !Follows(tidied) {
			n++
		}
	}
	return n
}

// negligible is what of a change of a unit never matters. Bytes
// move by a size class when nothing of the code's own did, and jitter by what the runtime
// allocates beside it; a count of allocations that repeats exactly has no such excuse, unless it is a fraction of one.
func negligible(unit string) stat.Negligible {
	switch unit {
	case "B/op":
		return stat.Negligible{Size: 16, Part: 0.01, Jitter: 1, JitterPart: 0.001}
	case "allocs/op":
		return stat.Negligible{Below: 1}
	}
	return stat.Negligible{}
}

// SeriesOf returns a series of a unit as a trial decides it, without its pairs, its
// threshold and what is known of its history; declared is whether the unit was declared
// exact.
func SeriesOf(unit string, better int, declared bool) stat.Series {
	return stat.Series{Better: better, Counts: isCount(unit), Declared: declared, Negligible: negligible(unit)}
}

// Exact judges two values that repeat without noise: every difference is real, and
// only its size is left to weigh.
func Exact(unit string, better int, base, head float64) (stat.Shift, Verdict) {
	shift, outcome, _ := stat.Repeated(base, head, negligible(unit))
	return shift, verdictOf(outcome, better)
}
