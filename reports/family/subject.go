package family

import (
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A Subject is what the reports are about: what a database says of a repository.
type Subject struct {
	Title  string // of the repository, "" where unknown
	Branch string // whose history is shown, "" where unknown
	Merged int    // measured commits of its history that are on merged branches, where its own were not measured
	Depth  int    // commits on it, as far as this clone has them; 0 outside of a repository
	Head   string // whole hash of the commit that the reports are of, "" where somebody named another, or there is none
	Base   string // the revision that the user named, "" for none: comparison and trends begin there

	Runs []record.RunInfo // all that are stored, in that order
	// Current are the runs with the newest value of each benchmark, the newest run first: what
	// is described as being so now.
	Current []*record.Run
	Series  []steps.Series // of the branch, commits in order
	// Elsewhere are the commits of runs that are on no line of the branch, as far as that is known.
	Elsewhere map[string]bool

	Regressions steps.Regressions
	Limits      compare.Limits      // of the configuration, those of profiles among them
	Compared    *compare.Comparison // nil: there is nothing to compare
	NotCompared string              // why, in a sentence; "" where nobody knows

	Kept []Kept // of what regressed in the comparison, or was proved to

	// Commits are how many commits lie in the range of a step, by its ends; none where the
	// repository does not have them.
	Commits map[[2]string]int

	Release      *Release // that trends look back to; nil for none
	Calibrations []Calibration
	Peaks        []Peak
	References   []Reference
	// ReferenceFile is set if there is a reference.toml, be it empty.
	ReferenceFile bool
}

// A Release is a named commit.
type Release struct{ Name, Commit string }

// A Calibration is what a target's newest calibration in an environment says.
type Calibration struct {
	Target      string
	Environment string // an EnvironmentID
	When        time.Time
	Noise       float64 // of one round, the median over rows, as a fraction; NaN unknown
	Worst       float64
	Rows        int
}

// A Peak is what a machine can do at most, by somebody's measurement.
type Peak struct {
	Machine, Source string
	Unit            string
	Value           float64
}

// A Reference is a number that somebody else published.
type Reference struct {
	Bench   string // of ours, that it compares with
	Name    string // of what was measured
	Value   float64
	Unit    string // as it is shown: GFLOPS, tok/s, sec/op
	Source  string
	Machine string
}
