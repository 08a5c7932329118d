package machine

import (
	"math"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record"
)

func TestDoctorGolden(t *testing.T) {
	d := Doctor{
		Machine: []reports.Fact{{Key: "goos", Value: "linux"}, {Key: "cpu", Value: "Example CPU"}, {Key: "load", Value: "1.91"}},
		Conditions: []Condition{
			{Name: "governor", State: "noisy", Found: "powersave", Remedy: "keep the frequency up: `cpupower frequency-set -g performance`"},
			{Name: "turbo", State: "quiet", Found: "off"},
			{Name: "steal", State: "unknown"},
			{Name: "other programs", State: "noisy", Found: "=evil | 40 %", Remedy: "close them"},
		},
		Noise: []NoiseFigure{
			{Work: "arithmetic", Slices: 700, Median: 2100 * time.Microsecond, CV: 0.004, Worst: 1.2, Slow: 0.001, Quiet: true},
			{Work: "memory", Slices: 700, Median: 1999 * time.Microsecond, CV: 0.21, Worst: 14, Slow: 0.13},
		},
	}
	first := d.Report()
	d.Noise, d.Conditions = d.Noise[:1], d.Conditions[1:3]
	reporttest.Check(t, map[string]reports.Report{"doctor": first, "doctor_quiet": d.Report()})
}

func TestCalibrationGolden(t *testing.T) {
	row := func(name string, spread, detectable, recommended, threshold float64) CalibratedRow {
		r := CalibratedRow{Noise: stat.DefaultNoise, Trials: 1, Detectable: detectable, Recommended: recommended, Look: 40}
		r.Row = &compare.Row{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: "example/p", Name: name}, Unit: "sec/op"}
		r.Threshold = threshold
		r.Spread, r.Common = spread, spread/2
		r.Shift = stat.Shift{Center: 0.001, Lo: -spread, Hi: spread}
		return r
	}
	none := row("Wild", 0.8, math.Inf(1), 0, 0.05)
	none.Look = 0
	known := row("Sort/n=10", 0.01, 0.019, 0.02, 0.05)
	known.Known, known.Noise, known.Trials = true, 0.001, 25
	off := row("Fsync", 0.02, 0.045, 0.05, 0.05)
	off.Off, off.Capped = stat.OffRounds{Off: 2, Of: 20}, true
	once := row("Once", 0.02, 0.041, 0.05, 0.05)
	once.Off = stat.OffRounds{Off: 2, Of: 20}
	commit := record.Commit{SHA: "0123456789abcdef0123456789abcdef01234567", Dirty: true}
	reporttest.Check(t, map[string]reports.Report{"calibration": Calibrations(
		CalibratedTarget{Target: "fast", Commit: commit, Budget: 10 * time.Minute, Alpha: 0.01, Measured: 20, Round: 1234 * time.Millisecond,
			Affordable: 480, Rows: []CalibratedRow{none, row("Parse", 0.04, 0.068, 0.075, 0.05), off, once, known}},
		CalibratedTarget{Target: "slow", Budget: time.Minute, Alpha: 0.01, Measured: 20, Round: 12 * time.Second, Affordable: 4, Rows: []CalibratedRow{none}},
	)})
}
