package steps

import (
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// An Outline is how one benchmark stands, for a list of all.
type Outline struct {
	Target string
	record.BenchmarkID
	Branch string // "" where it goes without saying
	// Lines are those of the environment that was measured last, the unit to be shown first.
	// There are none where no run may stand in a history.
	Lines []UnitLine
	When  time.Time // of the newest commit, or of its measurement
	Apart int       // environments and branches that are not shown
}

// An Overview outlines all benchmarks.
type Overview struct {
	Outlines []Outline
	Scopes   int // of profiles, which are not outlined
	Hidden   int // runs left out because they may not stand in a history
}
