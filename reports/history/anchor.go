package history

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports"
)

// addAnchor adds remarks that explain the ratios to an anchor and count the runs left out because
// they have no such ratio. An anchor is a fixed commit that is built and measured side by side with
// each run, so that the ratio does not depend on the speed of the machine.
func addAnchor(r *reports.Report, a steps.AnchorCommit) {
	if a.Level > 0 {
		r.Remarks = append(r.Remarks, levelNote(a.Level))
	}
	if a.Commit == "" {
		return
	}
	r.Facts = append(r.Facts, reports.Fact{Key: "anchor", Value: reports.HashOrDash(a.Commit)})
	r.Remarks = append(r.Remarks, reports.Note{Text: "a ratio is a run's value divided by that of the anchor measured with it, as the median over rounds; " +
		"hosts with different machine labels or frequency governors share a line"})
	if a.Alone > 0 {
		r.Remarks = append(r.Remarks, reports.Note{Text: reports.Plural(a.Alone, "run") + " left out: not measured together with this anchor"})
	}
}

// levelNote returns a note that counts the runs whose values were adjusted by means of an anchor
// measured side by side with them.
func levelNote(runs int) reports.Note {
	return reports.Note{Text: reports.Plural(runs, "run") + " measured together with an anchor: their values are scaled as if the machine had always been as fast as in the anchor's best run"}
}

// bounds formats both ends of an interval. It is used for ratios, because readers compare both ends
// with 1.
func bounds(s compare.Summary, scale reports.Scale) string {
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return "[∞]"
	}
	return fmt.Sprintf("[%s, %s]", scale.Format(s.Lo), scale.Format(s.Hi))
}
