package units

import (
	"golang.org/x/perf/benchunit"
)

// TestedBesideTime returns the number of units tested in addition to the benchmark's time. It omits
// the counts that package testing prints, because they usually repeat exactly, and counts that
// repeat exactly are not tested. The units in of are spelled as the benchmark prints them.
func TestedBesideTime(of []string) (n int) {
	for _, unit := range of {
		if _, tidied := benchunit.Tidy(1, unit); tidied != "sec/op" && !IsCount(tidied) && !Follows(tidied) {
			n++
		}
	}
	return n
}
