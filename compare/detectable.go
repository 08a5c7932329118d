package compare

import (
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/stat"
)

// A Calibration describes the noise of one row in a trial of a source against itself.
type Calibration struct {
	*Row
	stat.Calibrated
}

// Calibrate returns the calibrations of all rows that a check would test, from a trial that
// compares a source with itself. It omits constant counts, which have no noise, and rows that have
// fewer than 4 rounds or a value of 0.
func Calibrate(c *Comparison) []Calibration {
	var out []Calibration
	for _, t := range c.Tables {
		rounds := t.Rounds()
		for _, r := range t.Rows {
			if r.Derived || r.repeats() {
				continue
			}
			if one, ok := stat.CalibrationOf(rounds[pairs.SeriesUnit{BenchmarkID: r.BenchmarkID, Unit: r.OrigUnit}]); ok {
				out = append(out, Calibration{r, one})
			}
		}
	}
	return out
}

// Detectable returns the smallest change, as a fraction, that a check of family rows finds with a
// probability of 99 % within the given number of rounds, and the look that finds it. noise is the
// noise floor from the row's history, or 0 if unknown; capped reports whether the row's ranks are
// capped.
func (c Calibration) Detectable(noise float64, capped bool, alpha float64, family, rounds int) (change float64, look int) {
	return stat.Detectable(c.Spread, len(c.values[base]), noise, capped, alpha, family, rounds)
}
