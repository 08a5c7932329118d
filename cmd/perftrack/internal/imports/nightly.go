package imports

import (
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// A nightly is a set of keys used by the Go project's builders to describe one of two toolchains
// and its commit. golang.org/x/perf/benchseries reads the same keys, and golang.org/x/build and
// golang.org/x/benchmarks write them. The runs on both sides name both toolchains, so only the
// value of the toolchain key, side, determines the commit and branch of a run.
type nightly struct{ side, commit, branch, time string }

var nightlies = []nightly{
	{"Tip", "numerator_hash", "numerator_branch", "numerator_stamp"},
	{"Base", "denominator_hash", "denominator_branch", "denominator_stamp"},
	{"experiment", "experiment-commit", "experiment-branch", "experiment-commit-time"},
	{"baseline", "baseline-commit", "baseline-branch", "baseline-commit-time"},
}

// nightlyCommit sets the commit and branch of a run made by the Go project's builders, unless the
// run or the user has set them.
func nightlyCommit(r *record.Run) {
	if r.Commit.SHA != "" || r.Tool != "" {
		return
	}
	for _, n := range nightlies {
		sha := r.Facts.Get(n.commit)
		if r.Facts.Get(record.KeyToolchain) != n.side || !record.IsHashPrefix(sha) {
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
