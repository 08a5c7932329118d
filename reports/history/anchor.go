package history

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
)

// addAnchor says what the values are ratios to, and how many runs have none.
func addAnchor(r *reports.Report, a steps.AnchorCommit) {
	if a.Level > 0 {
		r.Remarks = append(r.Remarks, levelNote(a.Level))
	}
	if a.Commit == "" {
		return
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "anchor", Value: reports.HashOrDash(a.Commit)})
	r.Remarks = append(r.Remarks, reports.Note{Text: "a ratio is the median over rounds of a run's value over that of a build of the anchor beside it; " +
		"hosts that differ only in the machine's label or the frequency governor are one line"})
	if a.Alone > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: reports.Plural(a.Alone, "run") + " left out: not measured beside this anchor"})
	}
}

// levelNote says of how many runs the values are told at the level of the anchor beside them.
func levelNote(runs int) reports.Note {
	return reports.Note{Text: reports.Plural(runs, "run") + " measured beside an anchor: their values are told as if the machine had been as fast as when the anchor was at its best"}
}

// bounds shows both ends of an interval. For a ratio its distance from 1 matters, so that
// a percentage of its size would say too little.
func bounds(s compare.Summary, scale reports.Scale) string {
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return "[∞]"
	}
	return fmt.Sprintf("[%s, %s]", scale.Format(s.Lo), scale.Format(s.Hi))
}
