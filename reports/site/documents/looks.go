package documents

import (
	"cmp"
	"slices"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/digest"
	"github.com/perftrack/perftrack/compare/steps"
)

// A Look holds the mark and the word for a state or a verdict, because colour alone is not enough.
type Look struct {
	Key  string `json:"key"`
	Word string `json:"word"`
	Mark string `json:"mark"`
	Tone string `json:"tone"` // worse, better, undecided or muted
}

// A State is a possible state of a [Row].
type State struct {
	Look
	Unresolved bool `json:"unresolved,omitempty"` // the unit got worse, and the change was not accepted
	Worse      bool `json:"worse,omitempty"`      // the regression is unresolved or was proved by a check
	Telling    bool `json:"telling,omitempty"`    // readers should look at the row
}

// stateChecked is the state of a row with a regression proved only by a check: see
// [Comparison.Mark].
const stateChecked = "checked"

// States lists the states of rows, worst first. Rows with too few runs come before steady ones.
var States = []State{
	{Look{string(steps.Regressed), "regressed", "✖", "worse"}, true, true, true},
	{Look{string(steps.Drifting), "drift", "≈", "worse"}, true, true, true},
	{Look{stateChecked, "check: worse", "✖", "worse"}, false, true, true},
	{Look{string(steps.Off), "newest far off", "?", "undecided"}, false, false, true},
	{Look{string(steps.Changed), "changed", "◆", "undecided"}, false, false, true},
	{Look{string(steps.Improved), "improved", "✚", "better"}, false, false, false},
	{Look{string(steps.Accepted), "accepted", "✓", "muted"}, false, false, false},
	{Look{string(steps.Recovered), "recovered", "↺", "muted"}, false, false, false},
	{Look{string(steps.TooFew), "too few runs", "…", "muted"}, false, false, false},
	{Look{string(steps.Steady), "steady", "=", "muted"}, false, false, false},
}

// A Group holds the rows of a comparison with the same verdict, or without a verdict for the same
// reason.
type Group struct {
	Look
	One     string `json:"one,omitempty"`     // word for a single row, if it differs
	Why     string `json:"why,omitempty"`     // reason shown for a single row
	Verdict bool   `json:"verdict,omitempty"` // the group holds the rows of a trial with this verdict
	Shown   bool   `json:"shown,omitempty"`   // shown when the page opens
	Open    bool   `json:"open,omitempty"`    // nothing is known about the change
}

// verdicts lists the groups with a verdict.
var verdicts = []Group{
	{Look: Look{string(compare.Regressed), "regressed", "✖", "worse"}, Shown: true},
	{Look: Look{string(digest.Accepted), "accepted", "✓", "muted"}, Shown: true},
	{Look: Look{string(compare.Changed), "changed", "◆", "undecided"}, Shown: true},
	{Look: Look{string(compare.Suspect), "suspect", "?", "undecided"}, Shown: true},
	{Look: Look{string(compare.Improved), "improved", "✚", "better"}, Shown: true},
	{Look: Look{string(compare.NotChecked), "not checked", "?", "undecided"}, Open: true},
	{Look: Look{string(compare.NotComparable), "not comparable", "?", "undecided"}, Open: true},
	{Look: Look{string(compare.Inconclusive), "inconclusive", "?", "undecided"}, Open: true},
	{Look: Look{string(compare.Unchanged), "unchanged", "=", "muted"}},
}

// withoutVerdict lists the groups without a verdict, and the verdict after which each is shown. The
// page decides which of these groups a row belongs to.
var withoutVerdict = []struct {
	after compare.Verdict
	Group
}{
	{compare.Suspect, Group{Look: Look{"moved", "differ, no verdict", "·", "muted"}, One: "no verdict", Why: "beyond the threshold", Shown: true}},
	{compare.Inconclusive, Group{Look: Look{"settled", "decided by another trial", "·", "muted"}, Open: true}},
	{compare.Unchanged, Group{Look: Look{"alike", "within the threshold, no verdict", "·", "muted"}, One: "no verdict", Why: "within the threshold"}},
	{compare.Unchanged, Group{Look: Look{"derived", "follow from the time", "·", "muted"}, One: "no verdict", Why: "follows from the time"}},
}

// Groups returns the groups of rows, worst first.
func Groups() (all []Group) {
	sorted := slices.Clone(verdicts)
	slices.SortStableFunc(sorted, func(a, b Group) int {
		return cmp.Compare(digest.Severity(compare.Verdict(a.Key)), digest.Severity(compare.Verdict(b.Key)))
	})
	for _, g := range sorted {
		g.Verdict = true
		all = append(all, g)
		for _, other := range withoutVerdict {
			if string(other.after) == g.Key {
				all = append(all, other.Group)
			}
		}
	}
	return all
}
