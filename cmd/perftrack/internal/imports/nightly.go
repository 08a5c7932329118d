package imports

import (
	"regexp"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// A nightly is how the builders of the Go project say which of two toolchains a
// result is of, and what was measured with it: golang.org/x/perf/benchseries has
// the same keys, and golang.org/x/build and golang.org/x/benchmarks write them.
// Both sides of a night name both toolchains, so only the first key tells which
// commit and branch are their own.
type nightly struct{ side, commit, branch, time string }

var nightlies = []nightly{
	{"Tip", "numerator_hash", "numerator_branch", "numerator_stamp"},
	{"Base", "denominator_hash", "denominator_branch", "denominator_stamp"},
	{"experiment", "experiment-commit", "experiment-branch", "experiment-commit-time"},
	{"baseline", "baseline-commit", "baseline-branch", "baseline-commit-time"},
}

var commitHash = regexp.MustCompile(`^[0-9a-f]{7,64}$`)

// nightlyCommit says which commit and branch a run of the Go project's builders
// is of, unless it or the user says so.
func nightlyCommit(r *record.Run) {
	if r.Commit.SHA != "" || r.Tool != "" {
		return
	}
	for _, n := range nightlies {
		sha := r.Facts.Get(n.commit)
		if r.Facts.Get(record.KeyToolchain) != n.side || !commitHash.MatchString(sha) {
			continue
		}
		r.Commit.SHA = sha
		if r.Commit.Branch == "" {
			r.Commit.Branch = r.Facts.Get(n.branch)
		}
		if t, err := time.Parse(time.RFC3339, r.Facts.Get(n.time)); err == nil && r.Commit.Time.IsZero() {
			r.Commit.Time = t
		}
	}
}
