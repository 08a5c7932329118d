package compare

import "github.com/perftrack/perftrack/compare/stat"

// ProcedureCalibrate is the value of [record.KeyProcedure] in the runs of a trial of one
// source against itself. It is measured to know the noise, never to decide.
const ProcedureCalibrate = "calibrate"

// A Calibration is what a trial of one source against itself says of the noise
// of one row.
type Calibration struct {
	*Row
	stat.Calibrated
}

// Calibrate returns the calibrations of all rows of a trial of one source
// against itself that a check would test. Constant counts have no noise, and
// fewer than 4 rounds say nothing.
func Calibrate(c *Comparison) []Calibration {
	var out []Calibration
	for _, t := range c.Tables {
		rounds := t.byRound()
		for _, r := range t.Rows {
			if r.Derived || r.repeats() {
				continue
			}
			if one, ok := stat.CalibrationOf(rounds[seriesUnit{r.BenchmarkID, r.OrigUnit}]); ok {
				out = append(out, Calibration{r, one})
			}
		}
	}
	return out
}

// Detectable returns the smallest change, as a fraction, that a check of family
// rows finds with a chance of 99 % within so many rounds, if the row's history
// has this noise (0 where unknown), and its ranks are capped or not; and the look that finds it.
func (c Calibration) Detectable(noise float64, capped bool, alpha float64, family, rounds int) (change float64, look int) {
	return stat.Detectable(c.Spread, len(c.values[base]), noise, capped, alpha, family, rounds)
}
