package family

import (
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/profiles"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/runner/limit"
)

// nowLimits compares the newest values of each benchmark, scope and profile with their limits.
func (v *view) nowLimits() (all []compare.RunLimit) {
	type key struct {
		rowKey
		text string
	}
	seen := map[key]bool{}
	for _, run := range v.Current { // newest first
		found, _, _ := v.Limits.Of(run)
		of, _, _ := profiles.Judge(v.Limits, run)
		for _, l := range slices.Concat(found, of) {
			k := key{rowKey{run.Target, l.ID, l.Unit}, l.Text}
			if !seen[k] {
				seen[k] = true
				all = append(all, l)
			}
		}
	}
	return all
}

// shownLimits is the maximum number of limits in the summary. Missed limits come first.
const shownLimits = 15

// limitTable returns a table comparing the current values with their limits. It returns false if
// there are no limits.
func (v *view) limitTable() (reports.Table, bool) {
	urgency := map[limit.State]int{limit.Missed: -2, limit.Undecided: -1}
	sorted := slices.SortedStableFunc(slices.Values(v.limits), func(a, b compare.RunLimit) int { return urgency[a.State] - urgency[b.State] })
	t, words, _ := reports.LimitTable(sorted)
	t.Heading, t.Caption = "Limits, now against the target", words+"."
	if more := len(t.Rows) - shownLimits; more > 0 {
		t.Rows = t.Rows[:shownLimits]
		t.Caption += fmt.Sprintf(" %d of %d are shown; perftrack run and profile show all.", shownLimits, shownLimits+more)
	}
	return t, len(t.Rows) > 0
}

// limitsMet returns the number of limits that the newest values meet.
func (v *view) limitsMet() (n int) { return v.limitsIn(limit.Met) }

func (v *view) limitsIn(s limit.State) (n int) {
	for _, l := range v.limits {
		if l.State == s {
			n++
		}
	}
	return n
}
