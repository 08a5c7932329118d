package compare

import (
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/units"
)

// SeriesOf returns the series used to decide a unit in a trial, without its pairs, threshold and
// history. declared reports whether the unit was declared exact.
func SeriesOf(unit string, better int, declared bool) stat.Series {
	return stat.Series{Better: better, Counts: units.IsCount(unit), Declared: declared, Negligible: units.Negligible(unit)}
}

// Exact judges two values repeating without noise. Every difference is real, so only its size
// matters.
func Exact(unit string, better int, base, head float64) (stat.Shift, Verdict) {
	shift, outcome, _ := stat.Repeated(base, head, units.Negligible(unit))
	return shift, verdictOf(outcome, better)
}
