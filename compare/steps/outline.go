package steps

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// An Outline is how one benchmark stands, for a list of all.
type Outline struct {
	Target string
	record.BenchmarkID
	Branch string // "" where it goes without saying
	// Lines are those of the environment that was measured last, the unit to be shown first.
	// There are none where no run may stand in a history.
	Lines []Brief
	When  time.Time // of the newest commit, or of its measurement
	Apart int       // environments and branches that are not shown
	Check *Checked  // the newest of the line, where nothing was measured after it; nil without one
}

// An Overview outlines all benchmarks.
type Overview struct {
	Outlines []Outline
	Scopes   int // of profiles, which are not outlined
	Hidden   int // runs left out because they may not stand in a history
	Level    int // runs whose values are told at the level of the anchor beside them
}

// OutlinedValues is how many of the newest values a Brief has.
const OutlinedValues = 16

// A Brief is what remains of a line in an outline.
type Brief struct {
	Unit, Tidied string    // as stored and as shown
	Values       []float64 // of the newest OutlinedValues commits, medians of their runs, the oldest first
	Runs         int
	Stand        Stand
	Steps        []Step
	Needs        int // see Course
	Enough       bool
	Noise        float64 // of the newest level: see [Course.Noise]
}

// Brief returns what an outline says of the line. It keeps nothing else of it in memory.
func (l UnitLine) Brief() Brief {
	b := Brief{Unit: l.Unit, Tidied: l.Tidied, Runs: len(l.Runs), Stand: l.Stand, Steps: l.Steps, Needs: l.Needs, Enough: l.Enough, Noise: l.Noise()}
	for end := len(l.Runs); end > 0 && len(b.Values) < OutlinedValues; {
		begin, same := end-1, []float64{l.Runs[end-1].Value}
		for ; begin > 0 && l.Runs[begin-1].Commit == l.Runs[end-1].Commit && l.Runs[end-1].Commit != ""; begin-- {
			same = append(same, l.Runs[begin-1].Value)
		}
		slices.Sort(same)
		b.Values, end = append(b.Values, stat.Median(same)), begin
	}
	slices.Reverse(b.Values)
	return b
}
