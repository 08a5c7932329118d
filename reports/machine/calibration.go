package machine

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/record"
)

// A CalibratedTarget is what is known of a target after measuring it against itself.
type CalibratedTarget struct {
	Target     string
	Commit     record.Commit
	Budget     time.Duration // of a check
	Alpha      float64       // of a check of this target
	Measured   int           // rounds
	Round      time.Duration // what one took
	Affordable int           // rounds of a check within the budget
	Rows       []CalibratedRow
}

// A CalibratedRow is what is known of one of its benchmarks.
type CalibratedRow struct {
	compare.Calibration
	Noise       float64 // the floor: what differs from build to build, as a fraction
	Known       bool    // it is measured; else it is what is assumed
	Trials      int     // that it is measured from
	Capped      bool    // checks cap its ranks, by the rounds of these trials
	Detectable  float64 // the smallest change that a check finds within the budget
	Look        int     // after how many rounds
	Recommended float64 // threshold
}

// Calibrations reports the smallest change that a check can find on this machine,
// benchmark by benchmark, the worst first.
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
		reports.Note{Text: "a check finds: the smallest change that it flags in 99 of 100 times, after so many rounds"},
		reports.Note{Text: "pair noise: the scatter of the change that one round shows; cancels: what else one side scatters by"},
		reports.Note{Text: "the sides are one source: a change against itself is chance, and what a check must not fall for"})
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
			floor.Notes = []int{notes.Add(reports.Note{Text: "assumed: it takes 20 calibrations in this environment to know it"})}
		}
		detectable, look, threshold := reports.Cell{Text: "+" + reports.Portion(row.Detectable)}, reports.Cell{Text: fmt.Sprint(row.Look)}, reports.Cell{Text: reports.Portion(row.Recommended)}
		if math.IsInf(row.Detectable, 1) {
			detectable, look = reports.Cell{Text: "none", Tone: reports.Warn}, reports.Cell{Text: "-"}
		}
		switch {
		case row.Recommended == 0:
			threshold = reports.Cell{Text: "none", Tone: reports.Warn, Notes: []int{notes.Add(reports.Note{Text: "no threshold can be held: allow more time, or make the machine quieter", Detail: "perftrack doctor"})}}
		case row.Recommended > row.Threshold:
			threshold.Tone = reports.Warn
		}
		noise := reports.Cell{Text: reports.Portion(row.Spread)}
		switch {
		case row.Capped:
			noise.Notes = []int{notes.Add(reports.Note{Text: "its rounds are often far off, which this noise does not see: checks cap the ranks, so that such a round weighs no more than a usual one"})}
		case row.Off.Part() > stat.OffMost:
			noise.Notes = []int{notes.Add(reports.Note{Text: fmt.Sprintf("more than %s of the rounds are far off, which this noise does not see", reports.Portion(stat.OffMost))})}
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
	if first := (stat.Options{Procedure: compare.NewProcedure, Alpha: t.Alpha}).FirstLook(len(t.Rows)); t.Affordable < first {
		words += fmt.Sprintf(", and can flag nothing before %d: raise --budget, or lower the benchtime", first)
	}
	return words
}

// unsigned shows a part of a whole: 0.05 is "5.00%".
func unsigned(part float64) string {
	if math.IsInf(part, 1) {
		return "∞"
	}
	return strings.TrimPrefix(reports.Percent(part), "+")
}

// sampleNoise is the standard deviation of the logarithm of a sample of one side: what it
// shares with the other one of its round, and half of the variance of their difference.
func sampleNoise(r CalibratedRow) float64 { return math.Hypot(r.Common, r.Spread/math.Sqrt2) }

// calibrationRules are the thresholds that the configuration should have, as lines of
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

// calibrationDocument describes the document of kind "calibration": the noise of targets
// and the smallest changes that a check can find.
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

// calibratedRowFields are one benchmark in one unit.
func calibratedRowFields(r *CalibratedRow) reports.Object {
	return slices.Concat(reports.BenchmarkFields(&r.BenchmarkID), reports.Object{
		{"unit", r.Unit},
		{"noise", sampleNoise(*r)}, // the standard deviation of a sample's logarithm
		{"common", r.Common},       // of it, what both sides of a round share, which cancels
		{"shift", r.Shift.Center},
		{"shift_lo", r.Shift.Lo},
		{"shift_hi", r.Shift.Hi},
		{"floor", r.Noise},
		{"floor_known", r.Known},
		{"calibrations", r.Trials},
		{"detectable", r.Detectable}, // null is a change of no size
		{"rounds", r.Look},
		{"threshold", r.Threshold},
		{"recommended_threshold", reports.Known(&r.Recommended, r.Recommended != 0)}, // null is none
		{"pair_noise", r.Spread}, // the standard deviation of ln(head / base) of a round
		{"off", r.Off.Part()},    // the part of the rounds that lie far from the others
		{"capped", r.Capped},     // whether checks cap the ranks, by all calibrations
	})
}

// recommended is the threshold, or NaN where none can be held.
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
