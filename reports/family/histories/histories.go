// Package histories reads the histories of benchmarks for the reports for people: their oldest and
// newest values, their steps and their state.
//
// Begin with histories.go.
package histories

import (
	"cmp"
	"math"
	"time"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/family/cells"
	"github.com/perftrack/perftrack/runner/record"
)

// A History is the history of one unit of a benchmark in one environment.
type History struct {
	steps.Series
	steps.UnitLine
	runs map[string]*record.RunInfo // by run id
}

// Of returns the histories of all series. For scopes, it returns only those of time and bytes.
func Of(stored []record.RunInfo, all []steps.Series) (out []History) {
	runs := make(map[string]*record.RunInfo, len(stored))
	for i := range stored {
		runs[stored[i].ID] = &stored[i]
	}
	for _, s := range all {
		for _, l := range s.Lines {
			if len(l.Runs) == 0 || s.Kind == record.Scope && l.Tidied != "sec/op" && l.Tidied != "B/op" {
				continue
			}
			out = append(out, History{Series: s, UnitLine: l, runs: runs})
		}
	}
	return out
}

// Run returns the run with the given id, or nil if it is unknown.
func (h History) Run(id string) *record.RunInfo { return h.runs[id] }

// When returns the time of the run's commit.
func (h History) When(p steps.Point) time.Time {
	if r := h.runs[p.Run]; r != nil {
		return cells.When(&r.Run)
	}
	return time.Time{}
}

// NewestRun returns the run that the newest point comes from, or an empty one if that run is
// unknown.
func (h History) NewestRun() *record.RunInfo {
	if r := h.runs[h.Runs[len(h.Runs)-1].Run]; r != nil {
		return r
	}
	return &record.RunInfo{}
}

// Values returns the values of all runs, oldest first.
func (h History) Values() (out []float64) {
	for _, p := range h.Runs {
		out = append(out, p.Value)
	}
	return out
}

// Newest returns the center of the newest level, or the newest value if it is on no level.
func (h History) Newest() float64 {
	if n := len(h.Levels); n > 0 && h.Levels[n-1].End == len(h.Runs) {
		return h.Levels[n-1].Center
	}
	return h.Runs[len(h.Runs)-1].Value
}

// Oldest returns the center of the oldest level, or the oldest value if it is on no level.
func (h History) Oldest() float64 {
	if len(h.Levels) > 0 && h.Levels[0].First == 0 {
		return h.Levels[0].Center
	}
	return h.Runs[0].Value
}

// Change returns the relative change from the oldest level to the newest. The cell is empty if
// there are too few runs to find a step.
func (h History) Change() reports.Cell {
	if !h.Enough {
		return reports.Cell{}
	}
	return cells.Relative(Ratio(h.Newest(), h.Oldest()))
}

// states holds the cell that describes each state of a history.
var states = map[steps.State]reports.Cell{
	steps.Regressed: {Text: "unresolved regression", Tone: reports.Bad},
	steps.Drifting:  {Text: "drift for the worse", Tone: reports.Bad},
	steps.Off:       {Text: reports.NewestOff, Tone: reports.Warn},
	steps.Improved:  {Text: "improved", Tone: reports.Good},
	steps.Accepted:  {Text: "accepted"},
	steps.Changed:   {Text: "changed"},
	steps.Recovered: {Text: "recovered"},
	steps.Steady:    {Text: "no step"},
	steps.TooFew:    {Text: "too few runs to tell", Tone: reports.Warn},
}

// State describes the current state of the history.
func (h History) State() reports.Cell { return states[h.Stand.State] }

// Better returns -1 if lower values are better in this unit, +1 if higher values are, and 0 if the
// direction is unknown.
func (h History) Better() int {
	return cmp.Or(h.UnitLine.Better, DirectionOf(h.Tidied))
}

// DirectionOf returns the usual direction of a unit: -1 if lower values are better, +1 if higher
// values are, and 0 if the direction is unknown. It is for runs that do not declare the direction.
func DirectionOf(unit string) int {
	switch unit {
	case "GFLOPS", "tok/s", "B/s", "samples/s":
		return 1
	case "sec/op", "B/op", "allocs/op":
		return -1
	}
	return 0
}

// At returns the median of the values measured at a commit, or NaN if there are none.
func (h History) At(commit string) float64 {
	var at []float64
	for _, p := range h.Runs {
		if p.Commit == commit {
			at = append(at, p.Value)
		}
	}
	if len(at) == 0 {
		return math.NaN()
	}
	return stat.Median(at)
}

// Ratio returns the relative change from y to x, or NaN if y is not above 0.
func Ratio(x, y float64) float64 {
	if !(y > 0) {
		return math.NaN()
	}
	return x/y - 1
}

// SameCommit reports whether the adjacent runs a and b measured the same commit.
func (h History) SameCommit(a, b int) bool {
	return h.Runs[a].Commit != "" && h.Runs[a].Commit == h.Runs[b].Commit
}

// FromBefore returns the relative change from the previous commit's median to this commit's, or NaN
// if there is no previous commit. last is the index of the commit's last run. FromBefore uses
// medians because the runs of one commit differ by noise.
func (h History) FromBefore(last int) float64 {
	middle := func(last int) (float64, int) {
		first := last
		for first > 0 && h.SameCommit(first-1, last) {
			first--
		}
		var values []float64
		for _, p := range h.Runs[first : last+1] {
			values = append(values, p.Value)
		}
		return stat.Median(values), first
	}
	now, first := middle(last)
	if first == 0 {
		return math.NaN()
	}
	old, _ := middle(first - 1)
	return Ratio(now, old)
}

// Mark returns a cell that describes the step or the outlier at a run, if there is one.
func (h History) Mark(p steps.Point) reports.Cell {
	for _, s := range h.Steps {
		if s.First.Run != p.Run {
			continue
		}
		word := "step "
		if s.Drift > 0 {
			word = "end of a drift "
		}
		cell := cells.Text(word + cells.Shift(h.Tidied, s.Shift).Text)
		if s.Unresolved {
			cell.Tone, cell.Text = reports.Bad, cell.Text+", unresolved"
		}
		return cell
	}
	for _, o := range h.Outliers {
		if o.Run == p.Run && o.Open {
			return reports.Cell{Text: reports.NewestOff, Tone: reports.Warn}
		} else if o.Run == p.Run {
			return cells.Text("outlier")
		}
	}
	return reports.Cell{}
}
