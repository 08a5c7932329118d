package machine

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A CalibratedTarget holds the results of comparing a target with itself, to find the smallest
// change that a check can detect.
type CalibratedTarget struct {
	Target     string
	Commit     record.Commit
	Budget     time.Duration // the time budget of a check
	Alpha      float64       // the error rate of a check of this target
	Measured   int           // number of rounds
	Round      time.Duration // duration of one round
	Affordable int           // number of rounds that a check can measure within the budget
	Rows       []CalibratedRow
}

// A CalibratedRow is a benchmark of a calibrated target in one unit.
type CalibratedRow struct {
	compare.Calibration
	Noise       float64 // the noise floor: how much one build differs from another, as a fraction
	Known       bool    // Noise was measured and not just assumed
	Trials      int     // number of calibrations behind the noise floor
	Capped      bool    // checks will cap the ranks of this benchmark's rounds, as the calibrations suggest
	Detectable  float64 // smallest change a check can detect within the budget
	Look        int     // number of rounds after which that change is detected
	Recommended float64 // recommended threshold
}

// Calibrations reports, for each benchmark, the smallest change a check can detect on this machine.
// The rows of each target must be sorted by this change, largest first.
func Calibrations(targets ...CalibratedTarget) reports.Report {
	r := reports.Report{
		Title:    "Calibration",
		Kind:     "calibration",
		Document: func() reports.Object { return calibrationDocument(targets) },
		Records:  func() [][]any { return calibrationRecords(targets) },
	}
	notes := &reports.Footnotes{}
	for _, t := range targets {
		r.Tables = append(r.Tables, calibrationTable(t, notes))
		if rules := calibrationRules(t); len(rules.Items) > 0 {
			r.Lists = append(r.Lists, rules)
		}
	}
	r.Notes = notes.Notes
	r.Remarks = append(r.Remarks,
		reports.Note{Text: "a check finds: the smallest change that 99 of 100 trials flag after the given number of rounds"},
		reports.Note{Text: "pair noise: the scatter of the change from round to round; cancels: each side's additional scatter"},
		reports.Note{Text: "both sides have the same source, so any change is due to chance, and no check may report it"})
	return r
}

func calibrationTable(t CalibratedTarget, notes *reports.Footnotes) reports.Table {
	table := reports.Table{
		Facts: []reports.Fact{{Key: "target", Value: t.Target}},
		Words: []string{calibrationWords(t)},
		Columns: []reports.Column{
			{Title: "benchmark", Code: true}, {Title: "unit", Code: true},
			{Title: "a check finds", Right: true}, {Title: "after rounds", Right: true}, {Title: "threshold", Right: true},
			{Title: "pair noise", Right: true}, {Title: "cancels", Right: true, Extra: true}, {Title: "floor", Right: true, Extra: true},
			{Title: "against itself", Right: true, Extra: true},
		},
	}
	if name := reports.CommitName(t.Commit); name != "" {
		table.Facts = append(table.Facts, reports.Fact{Key: "commit", Value: name})
	}
	for _, row := range t.Rows {
		floor := reports.Cell{Text: reports.Portion(row.Noise)}
		if !row.Known {
			floor.Notes = []int{notes.Add(reports.Note{Text: "assumed, because measuring it takes 20 calibrations in this environment"})}
		}
		detectable, look, threshold := reports.Cell{Text: "+" + reports.Portion(row.Detectable)}, reports.Cell{Text: fmt.Sprint(row.Look)}, reports.Cell{Text: reports.Portion(row.Recommended)}
		if math.IsInf(row.Detectable, 1) {
			detectable, look = reports.Cell{Text: "none", Tone: reports.Warn}, reports.Cell{Text: "-"}
		}
		switch {
		case row.Recommended == 0:
			threshold = reports.Cell{Text: "none", Tone: reports.Warn, Notes: []int{notes.Add(reports.Note{Text: "no threshold is reliable here: allow more time, or make the machine quieter", Detail: "perftrack doctor"})}}
		case row.Recommended > row.Threshold:
			threshold.Tone = reports.Warn
		}
		noise := reports.Cell{Text: reports.Portion(row.Spread)}
		switch {
		case row.Capped:
			noise.Notes = []int{notes.Add(reports.Note{Text: "outlier rounds are frequent, which this figure does not show; checks cap ranks so that an outlier counts no more than any other round"})}
		case row.Off.Part() > stat.OffMost:
			noise.Notes = []int{notes.Add(reports.Note{Text: fmt.Sprintf("more than %s of the rounds are far off, which this figure does not show", reports.Portion(stat.OffMost))})}
		}
		table.Rows = append(table.Rows, []reports.Cell{
			{Text: row.Name}, {Text: row.Unit}, detectable, look, threshold,
			noise, {Text: reports.Portion(row.Common)}, floor, reports.EstimateCell(row.Unit, row.Shift, false),
		})
	}
	return table
}

func calibrationWords(t CalibratedTarget) string {
	words := fmt.Sprintf("measured %s against itself, %s each; a check of %s can have %d",
		reports.Plural(t.Measured, "round"), t.Round.Round(10*time.Millisecond), t.Budget, t.Affordable)
	if first := (stat.Options{Alpha: t.Alpha}).FirstLook(len(t.Rows)); t.Affordable < first {
		words += fmt.Sprintf(", but can flag nothing before %d: raise --budget, or lower the benchtime", first)
	}
	return words
}

// sampleNoise returns the standard deviation of the logarithm of a sample on one side. Its square
// is the sum of the variance common to both sides of a round and half the variance of their
// difference.
func sampleNoise(r CalibratedRow) float64 { return math.Hypot(r.Common, r.Spread/math.Sqrt2) }

// calibrationRules returns the recommended thresholds above the configured ones, as lines for
// perftrack.toml.
func calibrationRules(t CalibratedTarget) reports.List {
	list := reports.List{Title: "lines for perftrack.toml"}
	done := map[string]bool{}
	for _, row := range t.Rows {
		if row.Recommended <= row.Threshold || done[row.Name] {
			continue
		}
		done[row.Name] = true
		for _, line := range []string{"[[rule]]", fmt.Sprintf("bench = %q", row.Name), fmt.Sprintf("threshold = \"%g%%\"", 100*row.Recommended)} {
			list.Items = append(list.Items, reports.Note{Detail: line})
		}
	}
	return list
}

// calibrationDocument describes the document of kind "calibration": the noise of targets and the
// smallest changes a check can detect.
func calibrationDocument(targets []CalibratedTarget) reports.Object {
	return reports.Object{{"targets", reports.Objects(&targets, calibratedTargetFields)}}
}

func calibratedTargetFields(t *CalibratedTarget) reports.Object {
	return reports.Object{
		{"target", t.Target},
		{"commit", t.Commit.SHA},
		{"dirty", t.Commit.Dirty},
		{"alpha", t.Alpha},
		{"budget_seconds", t.Budget.Seconds()},
		{"round_seconds", t.Round.Seconds()},
		{"measured_rounds", t.Measured},
		{"affordable_rounds", t.Affordable},
		{"rows", reports.Objects(&t.Rows, calibratedRowFields)},
	}
}

// calibratedRowFields describes a benchmark in one unit.
func calibratedRowFields(r *CalibratedRow) reports.Object {
	return slices.Concat(reports.BenchmarkFields(&r.BenchmarkID), reports.Object{
		{"unit", r.Unit},
		{"noise", sampleNoise(*r)}, // standard deviation of the logarithm of a sample
		{"common", r.Common},       // the part of noise common to both sides of a round, which cancels
		{"shift", r.Shift.Center},
		{"shift_lo", r.Shift.Lo},
		{"shift_hi", r.Shift.Hi},
		{"floor", r.Noise},
		{"floor_known", r.Known},
		{"calibrations", r.Trials},
		{"detectable", r.Detectable}, // null if no change can be detected
		{"rounds", r.Look},
		{"threshold", r.Threshold},
		{"recommended_threshold", reports.Known(&r.Recommended, r.Recommended != 0)}, // null if no threshold can be recommended
		{"pair_noise", r.Spread}, // standard deviation of ln(head / base) from round to round
		{"off", r.Off.Part()},    // share of the rounds far from the other rounds
		{"capped", r.Capped},     // whether checks will cap the ranks of its rounds, as all calibrations suggest
	})
}

// recommended returns the recommended threshold, or NaN if no threshold can be recommended.
func recommended(r CalibratedRow) float64 {
	if r.Recommended == 0 {
		return math.NaN()
	}
	return r.Recommended
}

func calibrationRecords(targets []CalibratedTarget) [][]any {
	out := [][]any{reports.ColumnNames(`target kind package suite name unit noise common shift shift_lo shift_hi
		floor floor_known calibrations detectable rounds threshold recommended_threshold pair_noise off capped`)}
	for _, t := range targets {
		for _, r := range t.Rows {
			out = append(out, append(reports.BenchmarkValues(t.Target, r.BenchmarkID), r.Unit, sampleNoise(r), r.Common,
				r.Shift.Center, r.Shift.Lo, r.Shift.Hi, r.Noise, r.Known, r.Trials,
				r.Detectable, r.Look, r.Threshold, recommended(r), r.Spread, r.Off.Part(), r.Capped))
		}
	}
	return out
}
