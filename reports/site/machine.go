package site

import (
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Machine is what is known of the machines that measured: whether to trust them.
type Machine struct {
	Trust        []Trust       `json:"trust"`        // one an environment, in the order of the index
	Calibrations []Calibration `json:"calibrations"` // the oldest first
	Trials       []TrialNoise  `json:"trials"`       // the oldest first
	Rounds       int           `json:"rounds"`       // of a check, within which it finds what Detects says
}

// A Calibration is one trial of a source against itself.
type Calibration struct {
	Key         string `json:"key"` // the trial's id
	Time        int64  `json:"time"`
	Environment int    `json:"env"`
	Target      string `json:"target"`
	Measured    int    `json:"measured"` // rounds
	Noise       Number `json:"noise"`    // median over benchmarks, of one round
	Worst       Number `json:"worst"`    // the noisiest
	Floor       Number `json:"floor"`    // by how much builds of one source differ, median; null below 20 calibrations
	Detects     Number `json:"detects"`  // smallest change that a check finds, median; null where that is none
	Beyond      int    `json:"beyond"`   // rows in which a check finds no change of any size
	// Flagged counts the rows whose 95 % interval says that they differ, though nothing changed.
	// Chance alone does that to Expected of them.
	Flagged  int              `json:"flagged"`
	Expected float64          `json:"expected"`
	Load     Number           `json:"load"`
	Rows     []CalibrationRow `json:"rows"`
}

// A CalibrationRow is one row of it.
type CalibrationRow struct {
	Name    string `json:"name"`
	Unit    string `json:"unit"`
	Noise   Number `json:"noise"`
	Detects Number `json:"detects"` // null: no change of any size
	Flagged bool   `json:"flagged,omitempty"`
}

// A TrialNoise is what a trial says of its machine.
type TrialNoise struct {
	Key          string `json:"key"`
	Time         int64  `json:"time"`
	Environment  int    `json:"env"`
	Target       string `json:"target"`
	Rows         int    `json:"rows"`         // tested
	Inconclusive int    `json:"inconclusive"` // of them
	Noise        Number `json:"noise"`        // of one pair of sides in a round, median
	Load         Number `json:"load"`
}

// A Subject says what a comparison of one target's runs is of.
type Subject struct {
	Trial, Target string
	Environment   int // place in the index
	Time          time.Time
	Load          float64 // of the machine before measuring, NaN where unknown
}

// machineRounds is how many rounds a check has: those of the last look of its plan.
const machineRounds = 40

// A MachineList collects calibrations and trials, the oldest first.
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

// NewMachineList returns a list of nothing. The alpha of the index is that of checks.
func NewMachineList(index *Index) *MachineList {
	return &MachineList{index: index, history: map[seriesKey]*calibrated{}, out: Machine{Calibrations: []Calibration{}, Trials: []TrialNoise{}, Rounds: machineRounds}}
}

// AddCalibration adds a trial of one source against itself. What it finds is said by all
// calibrations up to it, as a check of that time would have.
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

// AddTrial adds a trial of two sides.
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

// Document returns what was collected, and what it says.
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

// middle is the median, null of nothing and of what is infinite.
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
