package runner

import (
	"math"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// The best method for a benchmark hardly depends on the commit. A trial therefore adopts the method
// from the previous trial and saves the cost of choosing, if the warm-up shows that a slice still
// takes about the same time. This is safe because every method treats both sides alike.

// A Remembered is a method chosen by an earlier trial.
type Remembered struct {
	slicing.Method
	Times int // number of consecutive trials that adopted it
}

// After this many trials in a row have adopted a method, the next trial chooses again. Fresh
// processes may have been chosen only because the machine was busy, so they are adopted fewer
// times.
const mostTimes, mostTimesFresh = 20, 1

// Because the code may have changed, the length of a remembered method's slices may be wrong by a
// factor of up to offBy on one side and up to farOff on the other.
const offBy, farOff = 1.5, 4

// Remember returns a stored method for other trials to adopt. ok is false if they should choose
// again, because slices failed, there was no time for them, or enough trials have adopted the
// method.
func Remember(w record.Method) (r Remembered, ok bool) {
	most := mostTimes
	if w.How != record.MethodSlices {
		most = mostTimesFresh
	}
	gaveUp := w.How != record.MethodSlices && w.N > 0
	if gaveUp || w.Remembered >= most {
		return r, false
	}
	method, ok := ChosenMethods([]record.Method{w})[program.Slot{Package: w.Package, Bench: w.Name}]
	return Remembered{method, w.Remembered}, ok
}

// recall adopts the method of an earlier trial and reports whether it did. It does not adopt a
// method if its slices have changed in length, or if its round would take too long: more than twice
// round, the available time, and more than twice as long as with fresh processes. A round of 0
// means no limit.
func (m *measurement) recall(e *entry, round, benchtime time.Duration) bool {
	known, ok := m.Remembered[e.Named()]
	if !ok || !fits(known.Method, e.method.long) {
		return false
	}
	if most := max(2*round, 2*slicing.Method{}.Takes(benchtime)); round > 0 && known.Takes(benchtime) > most {
		return false
	}
	e.method.Method, e.method.chosen, e.method.why, e.method.times = known.Method, true, known.Why, known.Times+1
	if m.Chosen != nil && known.Sliced() {
		m.Chosen[e.Named()] = known.Method
	}
	return true
}

// fits reports whether the slices of a method still have about the same length, judging by the
// results of one fresh process on each side.
func fits(w slicing.Method, long [2]*benchfmt.Result) bool {
	if !w.Sliced() {
		return true
	}
	near := false
	for _, r := range long {
		off := math.Abs(math.Log(float64(w.N) * perOperation(r) / w.Length.Seconds()))
		if !(off <= math.Log(farOff)) {
			return false
		}
		near = near || off <= math.Log(offBy)
	}
	return near
}
