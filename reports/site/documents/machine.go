package documents

import (
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Machine is the document with the calibrations and trials that show how far the machines can be
// trusted.
type Machine struct {
	Trust        []Trust       `json:"trust"`        // by environment, in the order of the index
	Calibrations []Calibration `json:"calibrations"` // oldest first
	Trials       []TrialNoise  `json:"trials"`       // oldest first
	Rounds       int           `json:"rounds"`       // number of rounds in the check that Detects refers to
}

// A Calibration is a trial with the same source on both sides.
type Calibration struct {
	Key         string `json:"key"` // id of the trial
	Time        int64  `json:"time"`
	Environment int    `json:"env"`
	Target      string `json:"target"`
	Measured    int    `json:"measured"` // number of rounds
	Noise       Number `json:"noise"`    // noise of one round, median over benchmarks
	Worst       Number `json:"worst"`    // noise of the noisiest benchmark
	Floor       Number `json:"floor"`    // difference between builds of the same source, median; null if there are fewer than 20 calibrations
	Detects     Number `json:"detects"`  // smallest change a check finds, median; null if it finds no change
	Beyond      int    `json:"beyond"`   // rows without any change that a check would find
	// Flagged is the number of rows whose 95 % interval excludes 0 although nothing changed. By
	// chance alone, Flagged would be about Expected.
	Flagged  int              `json:"flagged"`
	Expected float64          `json:"expected"`
	Load     Number           `json:"load"`
	Rows     []CalibrationRow `json:"rows"`
}

// A CalibrationRow is one unit of a benchmark in a calibration.
type CalibrationRow struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Noise   Number `json:"noise"`
	Detects Number `json:"detects"` // null if a check finds no change of any size
	Flagged bool   `json:"flagged,omitempty"`
}

// A TrialNoise describes the noise in a trial.
type TrialNoise struct {
	Key          string `json:"key"`
	Time         int64  `json:"time"`
	Environment  int    `json:"env"`
	Target       string `json:"target"`
	Rows         int    `json:"rows"`         // tested rows
	Inconclusive int    `json:"inconclusive"` // inconclusive tested rows
	Noise        Number `json:"noise"`        // noise of one pair of sides in a round, median over benchmarks
	Load         Number `json:"load"`
}

// A Subject describes the trial and target that a comparison is about.
type Subject struct {
	Trial, Target string
	Environment   int // index of the environment
	Time          time.Time
	Load          float64 // load of the machine before measuring; NaN if unknown
}

// machineRounds is the number of rounds in a check that runs until the last evaluation in its plan.
const machineRounds = 40

// A MachineList collects calibrations and trials, oldest first.
type MachineList struct {
	index   *Index
	history map[seriesKey]*calibrated
	out     Machine
}

type seriesKey struct {
	target string
	env    int
	record.BenchmarkID
	unit string
}

type calibrated struct {
	shifts []stat.HistoryShift
	off    stat.OffRounds
}

// NewMachineList returns an empty list. Checks are assumed to use the alpha of the index.
func NewMachineList(index *Index) *MachineList {
	return &MachineList{index: index, history: map[seriesKey]*calibrated{}, out: Machine{Calibrations: []Calibration{}, Trials: []TrialNoise{}, Rounds: machineRounds}}
}

// AddCalibration adds a trial in which both sides have the same source. The Floor of the
// calibration is computed from this and all earlier calibrations, as in a check.
func (l *MachineList) AddCalibration(s Subject, c *compare.Comparison) {
	rows := compare.Calibrate(c)
	if len(rows) == 0 {
		return
	}
	out := Calibration{
		Key: s.Trial, Time: s.Time.Unix(), Environment: s.Environment, Target: s.Target, Load: Number(s.Load),
		Expected: 0.05 * float64(len(rows)), Rows: []CalibrationRow{},
	}
	var noise, floors, detects []float64
	for _, r := range rows {
		key := seriesKey{s.Target, s.Environment, r.BenchmarkID, r.OrigUnit}
		all := l.history[key]
		if all == nil {
			all = &calibrated{}
			l.history[key] = all
		}
		all.shifts, all.off = append(all.shifts, r.History), all.off.Plus(r.Off)
		floor, known := stat.NoiseFloor(all.shifts)
		if known {
			floors = append(floors, floor)
		} else {
			floor = 0
		}
		detect, _ := r.Detectable(floor, all.off.Capped(), l.index.Meta.Alpha, len(rows), machineRounds)
		row := CalibrationRow{Name: r.Name, Unit: r.Unit, Noise: Number(r.Spread), Detects: finite(detect), Flagged: r.Shift.Lo > 0 || r.Shift.Hi < 0}
		if math.IsInf(detect, 1) {
			out.Beyond++
		}
		if row.Flagged {
			out.Flagged++
		}
		noise, detects = append(noise, r.Spread), append(detects, detect)
		base, _ := r.Samples()
		out.Measured = max(out.Measured, len(base))
		out.Rows = append(out.Rows, row)
	}
	out.Noise, out.Worst, out.Floor, out.Detects = middle(noise), Number(slices.Max(noise)), middle(floors), middle(detects)
	l.out.Calibrations = append(l.out.Calibrations, out)
}

// AddTrial adds a trial comparing two sides, unless it has no tested rows.
func (l *MachineList) AddTrial(s Subject, c *compare.Comparison) {
	t := TrialNoise{Key: s.Trial, Time: s.Time.Unix(), Environment: s.Environment, Target: s.Target, Load: Number(s.Load)}
	var noise []float64
	for r := range c.Rows() {
		if !r.Tested {
			continue
		}
		t.Rows++
		if r.Verdict == compare.Inconclusive || r.Verdict == compare.NotChecked {
			t.Inconclusive++
		}
	}
	for _, r := range compare.Calibrate(c) {
		noise = append(noise, r.Spread)
	}
	t.Noise = middle(noise)
	if t.Rows > 0 {
		l.out.Trials = append(l.out.Trials, t)
	}
}

// Document returns the collected calibrations and trials, with the trust in each environment.
func (l *MachineList) Document() *Machine {
	byTime := func(a, b int64) int { return int(min(max(a-b, -1), 1)) }
	slices.SortStableFunc(l.out.Calibrations, func(a, b Calibration) int { return byTime(a.Time, b.Time) })
	slices.SortStableFunc(l.out.Trials, func(a, b TrialNoise) int { return byTime(a.Time, b.Time) })
	l.out.Trust = []Trust{}
	for e := range l.index.Environments {
		l.out.Trust = append(l.out.Trust, trust(e, l.index, &l.out))
	}
	out := l.out
	return &out
}

// middle returns the median, or NaN if there are no values or the median is infinite.
func middle(values []float64) Number {
	if len(values) == 0 {
		return Number(math.NaN())
	}
	return finite(stat.Median(values))
}

func finite(x float64) Number {
	if math.IsInf(x, 0) {
		return Number(math.NaN())
	}
	return Number(x)
}
