package compare

import (
	"slices"

	"github.com/perftrack/perftrack/runner/record"
)

// A Side is one side of a comparison: the runs of a commit, of a file, or of one side of a trial.
// Samples of the same series are joined in the order of the runs.
type Side struct {
	Label string // as the user named it: a branch or a file
	Runs  []*record.Run
	Older int // number of older runs of the same commit left out because newer runs have all of their benchmarks
}

// Commit returns the hash of the commit of all the side's runs, or "" if they have different
// hashes.
func (s Side) Commit() string {
	sha := ""
	for i, r := range s.Runs {
		if i > 0 && r.Commit.SHA != sha || !record.IsShortHash(r.Commit.SHA) {
			return ""
		}
		sha = r.Commit.SHA
	}
	return sha
}

// Dirty reports whether any run of the side measured uncommitted changes.
func (s Side) Dirty() bool {
	return slices.ContainsFunc(s.Runs, func(r *record.Run) bool { return r.Commit.Dirty })
}

// Revision returns the short hash that lets a command measure the side again, or "" if the side is
// not exactly one commit.
func (s Side) Revision() string {
	if s.Dirty() {
		return ""
	}
	return record.ShortHash(s.Commit())
}
