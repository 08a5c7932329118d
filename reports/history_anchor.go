package reports

import (
	"fmt"
	"math"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
)

// addAnchor says what the values are ratios to, and of which runs there are none.
func addAnchor(r *Report, a steps.AnchorCommit) {
	if a.Commit == "" {
		return
	}
	r.Facts = append(r.Facts, Fact{Key: "anchor", Value: HashOrDash(a.Commit)})
	r.Remarks = append(r.Remarks, Note{Text: "a ratio is the median over rounds of a run's value over that of a build of the anchor beside it; " +
		"hosts that differ only in the machine's label or the frequency governor are one line"})
	if a.Alone > 0 {
		r.Remarks = append(r.Remarks, Note{Text: Plural(a.Alone, "run") + " left out: not measured beside this anchor"})
	}
}

// bounds are the ends of an interval: of a ratio, whose distance from 1 is what
// matters, a percentage of its size would say too little.
func bounds(s compare.Summary, scale Scale) string {
	if math.IsInf(s.Lo, 0) || math.IsInf(s.Hi, 0) {
		return "[∞]"
	}
	return fmt.Sprintf("[%s, %s]", scale.Format(s.Lo), scale.Format(s.Hi))
}
