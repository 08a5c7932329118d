package family

import (
	"time"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
)

// A Subject holds everything about a repository that the reports use.
type Subject struct {
	Title  string // title of the repository, or "" if it is unknown
	Branch string // branch of the history, or "" if it is unknown
	Merged int    // Number of measured commits on merged branches if none of the branch's own commits was measured, else 0
	Depth  int    // Number of the branch's commits in this clone; 0 outside of a repository
	Head   string // hash of the reported commit, or "" if there is none
	Base   string // revision that the user gave as the base of the comparison and of the trends, or ""

	// Opaque lists the targets whose functions perftrack cannot profile.
	Opaque []string

	Runs []record.RunInfo // all stored runs, in the order of the database
	// Current holds the runs with the newest values of all benchmarks, newest first.
	Current []*record.Run
	Series  []steps.Series // series of the branch, in the order of the commits
	// Elsewhere holds the hashes of measured commits that are known not to be on the branch.
	Elsewhere map[string]bool

	Regressions steps.Regressions
	Limits      compare.Limits      // from the configuration, including limits on profiles
	Compared    *compare.Comparison // nil if there is nothing to compare
	NotCompared string              // why Compared is nil, as a sentence, or "" if the reason is unknown

	Kept []Kept // profiles kept for the regressions that are in the comparison or were proved

	// Commits maps the commits before and after a step to the number of commits between them. A
	// step has no entry if the number is unknown.
	Commits map[[2]string]int

	Release      *Release // commit that the trends compare the newest values with, or nil
	Calibrations []Calibration
	Peaks        []Peak
	References   []Reference
	// ReferenceFile is set if there is a reference.toml, even an empty one.
	ReferenceFile bool
}

// A Release is a named commit.
type Release struct{ Name, Commit string }

// A Calibration is the newest calibration of a target in an environment.
type Calibration struct {
	Target      string
	Environment string // an EnvironmentID
	When        time.Time
	Noise       float64 // pair noise as a fraction: the median over all rows, or NaN if it is unknown
	Worst       float64
	Rows        int
}

// A Peak is the highest value, in a unit, that a machine can reach.
type Peak struct {
	Machine, Source string
	Unit            string
	Value           float64
}

// A Reference is a number published elsewhere.
type Reference struct {
	Bench   string // our benchmark to compare it with
	Name    string // name of what was measured
	Value   float64
	Unit    string // as shown in reports: GFLOPS, tok/s, sec/op
	Source  string
	Machine string
}
