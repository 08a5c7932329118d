package javascript

import (
	"math"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// mostSamples is the number of values kept of one benchmark. The libraries measure for a time, so a
// fast function has a million samples, and most libraries sort them. 1000 averages of neighbors have
// the same mean and nearly the same quantiles.
const mostSamples = 1000

// times are the figures of a benchmark in a unit of time.
type times struct {
	samples  reading.Series
	damaged  bool    // some samples are no numbers
	mean, sd float64 // NaN if unknown
	n        int     // number of samples by the library's count, 0 if unknown
}

func newTimes() times {
	return times{samples: reading.Series{Most: mostSamples}, mean: math.NaN(), sd: math.NaN()}
}

// read reads the samples.
func (t *times) read(j *reading.JSON) error {
	t.samples.Reset()
	others, err := j.Numbers(&t.samples)
	t.damaged = others > 0
	return err
}

// none reports whether there are no figures.
func (t *times) none() bool { return t.samples.N == 0 && math.IsNaN(t.mean) }

// emit emits the samples, if all are there, and else a summary.
func (t *times) emit(s *reading.Sheet, row reading.Row, unit reading.Unit) error {
	if t.samples.N > 0 && !t.damaged && (t.n == 0 || t.n == t.samples.N) {
		return s.Samples(row, unit, &t.samples)
	}
	if math.IsNaN(t.mean) {
		return s.Bad(row.Line, "%s has %d samples of %d, and no mean", row.Name, t.samples.N, t.n)
	}
	spread := reading.NoSpread()
	spread.N = t.n
	if !math.IsNaN(t.sd) {
		spread.SD = unit.Value(t.sd).V
	}
	row.Values = append([]reading.Value{unit.Value(t.mean)}, row.Values...)
	return s.Summary(row, spread)
}

// margin sets the bounds of a summary from a relative margin of error in percent.
func margin(spread *reading.Spread, center, percent float64) {
	if percent >= 0 && !math.IsInf(percent, 0) {
		spread.Low, spread.High = max(0, center*(1-percent/100)), center*(1+percent/100)
	}
}
