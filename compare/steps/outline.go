package steps

import (
	"slices"
	"time"

	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// An Outline describes the state of one benchmark, for a list of all benchmarks.
type Outline struct {
	Target string
	record.BenchmarkID
	Branch string // "" if it is obvious
	// Lines lists the lines in the environment measured last, beginning with the unit to show
	// first. It is empty if no run may be part of a history.
	Lines  []Brief
	When   time.Time // time of the newest commit or of its measurement
	Others int       // number of environments and branches left out
	Check  *Checked  // the newest check of the benchmark if there is no later run, else nil
}

// An Overview outlines all benchmarks.
type Overview struct {
	Outlines []Outline
	Scopes   int // number of profile scopes (not outlined)
	Hidden   int // runs left out because they must not be part of a history
	Level    int // runs scaled to the level of the anchor measured with them
}

// OutlinedValues is the number of newest values in a Brief.
const OutlinedValues = 16

// A Brief is the part of a line that an outline keeps.
type Brief struct {
	Unit, Tidied string    // as stored and as shown
	Values       []float64 // median of the runs of each of the newest OutlinedValues commits, oldest first
	Runs         int
	Stand        Stand
	Steps        []Step
	Needs        int // see Course
	Enough       bool
	Noise        float64 // noise of the newest level; see [Course.Noise]
}

// Brief returns the line's entry in an outline. The entry does not keep the rest of the line in
// memory.
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
