package runner

import (
	"math"
	"slices"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/program"
)

// A Warm describes an open slot after the warm-up.
type Warm struct {
	program.Slot
	Asked []program.Slot // the slots for which [Schedule.Open] is called
	Times [2]float64     // seconds per operation printed by each side; 0 if unknown
	Units []string       // units printed by both sides, without duplicates
	// Chosen means the slot's method is already known, so choosing one takes no time.
	Chosen bool
	// Fresh means fresh processes are known to measure the slot, as in the warm-up.
	Fresh bool
}

// warmed describes the open slots after the warm-up.
func (m *measurement) warmed() (all []Warm) {
	for _, e := range m.open {
		w := Warm{Times: unlike(e.long), Slot: e.Slot, Asked: []program.Slot{e.Slot}, Chosen: m.whole != ""}
		if len(e.names) > 0 {
			w.Asked = nil
			for _, name := range e.names {
				w.Asked = append(w.Asked, e.Of(name))
			}
		}
		w.Units = units(e.long[0], e.long[1])
		e.long = [2][]*benchfmt.Result{}
		if e.method != nil && e.method.long[0] != nil {
			w.Times = [2]float64{perOperation(e.method.long[0]), perOperation(e.method.long[1])}
			w.Units = units(e.method.long[:1], e.method.long[1:])
		}
		if e.method != nil {
			_, before := m.chosenBefore(e.Slot)
			known, remembered := m.Remembered[e.Named()]
			w.Fresh = e.method.chosen && e.method.why != ""
			w.Chosen = w.Chosen || e.method.chosen || before || remembered && fits(known.Method, e.method.long)
		}
		w.Fresh = w.Fresh || m.whole != ""
		all = append(all, w)
	}
	return all
}

// units returns the units in base's results that also occur in head's.
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

// unlike returns the times of the benchmark that differs most between the sides. It considers only
// the benchmarks printed in the same position by both sides.
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

// perOperation returns the printed time per operation in seconds, or 0.
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
