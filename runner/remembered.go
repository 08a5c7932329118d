package runner

import (
	"math"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// How a benchmark is best measured hardly depends on the commit. So a trial takes over the way that the
// one before it chose, and spends nothing on the choice: its warm-up tells whether a slice still is as
// long as it was. That costs no correctness: any way measures both sides alike.

// A Remembered is a way that an earlier trial chose.
type Remembered struct {
	slicing.Way
	Times int // trials in a row that took it over
}

// A way is chosen anew after so many trials; after fewer where a busy machine may have been the reason for
// it, as it is for fresh processes.
const mostTimes, mostTimesFresh = 20, 1

// A slice of a remembered way may be off its length by offBy on one side, which the code may have
// changed, and on the other by farOff.
const offBy, farOff = 1.5, 4

// Remember returns a stored way for other trials to take over; ok is false where these are to choose anew:
// where the reason against slices is want of time or a failure, and now and then.
func Remember(w record.Way) (r Remembered, ok bool) {
	most := mostTimes
	if w.How != record.WaySlices {
		most = mostTimesFresh
	}
	gaveUp := w.How != record.WaySlices && w.N > 0
	if gaveUp || w.Remembered >= most {
		return r, false
	}
	way, ok := ChosenWays([]record.Way{w})[Slot{Package: w.Package, Bench: w.Name}]
	return Remembered{way, w.Remembered}, ok
}

// recall takes over the way that an earlier trial chose, and reports whether it did: not if a slice is no
// longer as long, or a round takes more than twice what there is time for. 0 is no limit.
func (m *measurement) recall(e *entry, round, benchtime time.Duration) bool {
	known, ok := m.Remembered[e.named()]
	if !ok || !fits(known.Way, e.way.long) {
		return false
	}
	if most := max(2*round, 2*slicing.Way{}.Takes(benchtime)); round > 0 && known.Takes(benchtime) > most {
		return false
	}
	e.way.Way, e.way.chosen, e.way.why, e.way.times = known.Way, true, known.Why, known.Times+1
	if m.Chosen != nil && known.Sliced() {
		m.Chosen[e.named()] = known.Way
	}
	return true
}

// fits reports whether slices of a way still have about its length, by what each side printed in a fresh
// process.
func fits(w slicing.Way, long [2]*benchfmt.Result) bool {
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
