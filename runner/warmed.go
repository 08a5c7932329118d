package runner

import (
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
)

// A Warm is an open slot as the warm-up found it.
type Warm struct {
	Slot
	Asked []Slot     // by which [Schedule.Open] is asked for it
	Times [2]float64 // that each side printed of an operation, in seconds; 0 is unknown
	Units []string   // as both sides printed them, once each
	// Chosen says that it is known how it is measured, and no time is spent on that.
	Chosen bool
	// Fresh says that it is known to be measured in fresh processes, as the warm-up is.
	Fresh bool
}

// warmed are the open slots after the warm-up.
func (m *measurement) warmed() (all []Warm) {
	for _, e := range m.open {
		w := Warm{Times: unlike(e.long), Slot: e.Slot, Asked: []Slot{e.Slot}, Chosen: m.whole != ""}
		if len(e.names) > 0 {
			w.Asked = nil
			for _, name := range e.names {
				w.Asked = append(w.Asked, e.of(name))
			}
		}
		w.Units = units(e.long[0], e.long[1])
		e.long = [2][]*benchfmt.Result{}
		if e.way != nil && e.way.long[0] != nil {
			w.Times = [2]float64{perOperation(e.way.long[0]), perOperation(e.way.long[1])}
			w.Units = units(e.way.long[:1], e.way.long[1:])
		}
		if e.way != nil {
			_, before := m.chosenBefore(e.Slot)
			known, remembered := m.Remembered[e.named()]
			w.Fresh = e.way.chosen && e.way.why != ""
			w.Chosen = w.Chosen || e.way.chosen || before || remembered && fits(known.Way, e.way.long)
		}
		w.Fresh = w.Fresh || m.whole != ""
		all = append(all, w)
	}
	return all
}

// units are those of base's results that head has, too.
func units(base, head []*benchfmt.Result) (all []string) {
	of := func(results []*benchfmt.Result) (list []string) {
		for _, r := range results {
			if r == nil {
				continue
			}
			for _, v := range r.Values {
				list = append(list, format.UnitOf(v))
			}
		}
		return list
	}
	heads := of(head)
	for _, unit := range of(base) {
		if slices.Contains(heads, unit) && !slices.Contains(all, unit) {
			all = append(all, unit)
		}
	}
	return all
}

// unlike are the times of the benchmark of a function that differs most between the sides, of those that
// both printed in the same place.
func unlike(long [2][]*benchfmt.Result) (times [2]float64) {
	most := -1.0
	for i := range min(len(long[0]), len(long[1])) {
		pair := [2]float64{perOperation(long[0][i]), perOperation(long[1][i])}
		if by := math.Abs(math.Log(pair[1] / pair[0])); by > most && string(long[0][i].Name) == string(long[1][i].Name) {
			times, most = pair, by
		}
	}
	return times
}

// perOperation is the time of an operation that a benchmark printed, in seconds; 0 if it printed none.
func perOperation(r *benchfmt.Result) float64 {
	if r == nil {
		return 0
	}
	if ns, ok := r.Value("ns/op"); ok {
		return ns * 1e-9
	}
	seconds, _ := r.Value("sec/op")
	return seconds
}
