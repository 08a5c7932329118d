package bisectreport

import (
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/bisect"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// The summary names the skipped commits before the confirmed culprit, because one of them may be
// the real culprit.
func TestBisectSummary(t *testing.T) {
	commit := func(sha string) gitrepo.Commit { return gitrepo.Commit{SHA: sha} }
	for _, tt := range []struct {
		name string
		with []gitrepo.Commit
		ends compare.Verdict
		want string
	}{
		{"none skipped", nil, compare.Regressed, "c is the first regressed commit (99.00%), confirmed against the commit before it"},
		{"improved", nil, compare.Improved, "c is the first improved commit (99.00%), confirmed against the commit before it"},
		{"one skipped", []gitrepo.Commit{commit("b")}, compare.Regressed,
			"c, or the commit before it, which cannot be measured, is the first regressed commit (99.00%), confirmed against a, the last measurable commit"},
		{"two skipped", []gitrepo.Commit{commit("b1"), commit("b2")}, compare.Regressed,
			"c, or one of the 2 commits before it, which cannot be measured, is the first regressed commit (99.00%), confirmed against a, the last measurable commit"},
		{"not confirmed", []gitrepo.Commit{commit("b")}, "",
			"c, or the commit before it, which cannot be measured, is the most likely culprit (99.00%), but it does not differ clearly from a, the last measurable commit"},
	} {
		decided := &compare.Decision{Verdict: tt.ends}
		res := &bisect.Result{Found: true, Ends: decided, Suspects: []bisect.Suspect{{Commit: commit("c"), P: 0.99, With: tt.with, Before: commit("a")}}}
		if tt.ends != "" {
			res.Confirmed = decided
		}
		if got, _ := summary(res); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}
