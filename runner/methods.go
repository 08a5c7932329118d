package runner

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// A method is a slot's sampling method, with a record of its use. A slot is measured either by a
// fresh process for each sample, or in slices, with the two sides taking turns of a few
// milliseconds; see package slicing.
type method struct {
	slicing.Method
	chosen   bool
	times    int                 // number of consecutive trials that adopted it, including this one
	why      string              // why fresh processes measure the slot from now on; "" means slices, once chosen is set
	brief    time.Duration       // benchtime of fresh processes if it must be shorter than the plan's; otherwise 0
	long     [2]*benchfmt.Result // the benchmark's warm-up result on each side
	function *entry              // for a benchmark with its own slot, the entry for the rest of its function
	faults   int                 // number of rounds in which slices failed
	reward   slicing.Reward      // tracks how many slices per round are worthwhile
	// miscounted is set if the benchmark reported a different number of iterations than it was
	// given in a slice. No method can measure such a benchmark.
	miscounted *turnstile.CountError
	rounds     [2]int // rounds measured by fresh processes and in slices
}

// sliceable is a program whose benchmarks the two sides can run in turns.
type sliceable interface {
	// Binary returns the slot's program without its environment.
	Binary(s program.Slot) turnstile.Program
}

// turns returns the turnstile's specification for a slot.
func (m *measurement) turns(e *entry) turnstile.Spec {
	spec := turnstile.Spec{Name: e.Bench, CPUs: m.CPUs, Timeout: m.Timeout, Flags: e.ProcsFlags()}
	for i, prog := range m.programs {
		spec.Sides[i] = prog.(sliceable).Binary(e.Slot)
		spec.Sides[i].Env = m.environment(i, e.Slot)
	}
	return spec
}

// chooseMethods chooses a method for each open benchmark without one. This happens once per
// benchmark, before its first round, using the warm-up's binaries.
func (m *measurement) chooseMethods(ctx context.Context) error {
	benchtime, err := time.ParseDuration(m.Benchtime)
	if m.whole != "" || err != nil {
		return nil
	}
	for _, e := range m.open {
		if e.method == nil || e.method.chosen {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if known, ok := m.chosenBefore(e.Slot); ok {
			e.method.Method, e.method.chosen, e.method.why = known, true, known.Why
			continue
		}
		var affords slicing.Affords
		if m.schedule.Choosing != nil {
			var ok bool
			if affords, ok = m.schedule.Choosing(); !ok && m.recall(e, 0, benchtime) {
				continue
			} else if !ok {
				e.method.Method = slicing.Method{Why: "the budget left no time to try slices", OutOfTime: true}
				e.method.chosen, e.method.why = true, e.method.Why
				continue
			}
			affords.Round = m.partOf(affords.Round, benchtime)
		}
		e.method.brief = briefly(affords.Round, benchtime)
		if m.recall(e, affords.Round, benchtime) {
			continue
		}
		m.progress(Progress{Stage: "measure", Rounds: m.Rounds, Done: m.done, Total: m.done + m.plannedAfter(0, 1), What: e.String() + " in slices", Open: len(m.open), Slots: m.slots})
		began := time.Now()
		w, err := slicing.Choose(ctx, m.turns(e), e.method.long, benchtime, affords, m.least(e.Name()))
		m.out.InProcesses += time.Since(began)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e.method.Method, e.method.chosen, e.method.why = w, true, w.Why
		if errors.As(err, &e.method.miscounted) {
			continue // the next round reports it
		}
		if err != nil {
			e.method.why = err.Error() // if the machine is the cause, fresh processes will report it as well
		} else if m.Chosen != nil && w.Sliced() {
			m.Chosen[e.Named()] = w
		}
	}
	return nil
}

// partOf returns the next benchmark's share of round, the time for one round of all open slots. It
// subtracts the time of the benchmarks with a method and divides the rest equally among the others.
// 0 means no limit.
func (m *measurement) partOf(round, benchtime time.Duration) time.Duration {
	if round <= 0 {
		return 0
	}
	others := 0
	for _, e := range m.open {
		switch {
		case e.method == nil:
			round -= slicing.Method{}.Takes(benchtime)
		case e.method.chosen:
			round -= e.method.takes(benchtime)
		default:
			others++
		}
	}
	return max(1, round/time.Duration(max(1, others)))
}

// briefly returns a shorter benchtime for fresh processes if round, the time available for both
// sides, is too short for benchtime; otherwise it returns 0. It does not go below a third of
// benchtime, because then starting the processes would take most of the time.
func briefly(round, benchtime time.Duration) time.Duration {
	brief := time.Duration(float64(round) * float64(benchtime) / float64(slicing.Method{}.Takes(benchtime)))
	if round <= 0 || brief >= benchtime {
		return 0
	}
	return max(brief, benchtime/3).Round(time.Millisecond)
}

// shorter returns the benchtime of the slot's fresh processes if it differs from the plan's, and 0
// otherwise.
func (w *method) shorter() time.Duration {
	if w == nil || w.why == "" {
		return 0
	}
	return w.brief
}

// takes returns roughly how long a round of the slot takes.
func (w *method) takes(benchtime time.Duration) time.Duration {
	return w.Method.Takes(cmp.Or(w.shorter(), benchtime))
}

// chosenBefore returns the method another measurement chose for a slot. If that measurement ran a
// benchmark only as part of its function, in fresh processes, chosenBefore returns the function's
// method.
func (m *measurement) chosenBefore(s program.Slot) (slicing.Method, bool) {
	known, ok := m.Chosen[s.Named()]
	for name := s.Bench; !ok; {
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return slicing.Method{}, false
		}
		name = name[:i]
		above, have := m.Chosen[s.Of(name).Named()]
		known, ok = above, have && above.Why != ""
	}
	return known, ok
}

// ChosenMethods returns a run's stored methods, for benchmarks as well as functions, for use in a
// plan that continues the run. It omits methods that [slicing.Choose] cannot have returned or that
// were chosen only for lack of time, so the continuation chooses again for those benchmarks.
func ChosenMethods(stored []record.Method) map[program.Slot]slicing.Method {
	chosen := map[program.Slot]slicing.Method{}
	for _, w := range stored {
		method := slicing.Method{N: w.N, Slices: w.Slices, Length: w.Length, Stopped: w.Stopped, Calm: w.Calm, Pinned: w.Pinned}
		if w.How != record.MethodSlices {
			method = slicing.Method{Why: w.Why, Detail: w.Detail}
		}
		if w.OutOfTime || method.Why == "" && w.Estimator != slicing.Estimator {
			continue
		}
		if w.Name != "" && (method.Why != "" || method.Valid()) {
			chosen[program.Slot{Package: w.Package, Bench: w.Name}] = method
		}
	}
	return chosen
}

// least returns the smallest change in bench that matters; 0 means the default.
func (m *measurement) least(bench string) float64 {
	if m.Least == nil {
		return 0
	}
	return m.Least(bench)
}

// measureSliced measures one round of a benchmark in slices and reports whether it may run again.
// If slices fail, the round is lost; after the second failure, fresh processes measure the
// benchmark. If the benchmark itself failed, fresh processes measure it at once, to show whether it
// fails only while the other side's process is alive.
func (m *measurement) measureSliced(ctx context.Context, e *entry, r *Round, total int) (again bool, err error) {
	first := 0
	if m.BaseFirst != nil && !m.BaseFirst(e.Slot, r.N) {
		first = 1
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	m.measuring(r, e.String(), total)
	began := time.Now()
	w := e.method.Method
	benchtime, _ := time.ParseDuration(m.Benchtime) // a benchmark is only sliced if benchtime is a duration
	w.Slices = e.method.reward.Slices(w, benchtime)
	round, err := w.Measure(ctx, m.turns(e), r.N, first)
	m.out.InProcesses += time.Since(began)
	if err == nil {
		err = storable(round)
	}
	if err == nil {
		for _, side := range []int{first, 1 - first} {
			m.place(m.sliced(e, round, side), r, side)
		}
		m.done += 2
		e.method.reward.Add(round, w.Slices)
		e.method.rounds[1]++
		return true, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if errors.As(err, &e.method.miscounted) {
		return m.measureSlot(ctx, e, r, total-m.done)
	}
	cannot := new(turnstile.SliceError)
	if !errors.As(err, &cannot) {
		cannot = &turnstile.SliceError{Why: err.Error()}
	}
	if e.method.faults++; e.method.faults > 1 {
		e.method.why = cannot.Why
	}
	if !cannot.Failed {
		m.done += 2
		return true, nil
	}
	return m.measureFresh(ctx, e, r, total)
}

// storable returns an error if a round must not be stored, for example because a metric is negative
// or infinite. This can happen in slices because they run few iterations; fresh processes run more.
func storable(round slicing.Round) error {
	for _, res := range round.Results {
		if err := format.Check(res); err != nil {
			return &turnstile.SliceError{Why: "in slices, " + err.Error(), Failed: true}
		}
	}
	return nil
}

// sliced returns one side's result in a round, with the configuration of a sample.
func (m *measurement) sliced(e *entry, round slicing.Round, side int) *benchfmt.Result {
	of := round.Results[side]
	res := &benchfmt.Result{Name: slices.Clone(of.Name), Iters: of.Iters, Values: of.Values}
	for _, key := range sampleKeys { // same as in the warm-up
		res.SetConfig(key, e.method.long[side].GetConfig(key))
	}
	res.SetConfig(record.KeySlices, strconv.Itoa(round.Kept))
	setPositive(res, record.KeySpread, round.Spread)
	noteMean(res, round.Means[side])
	return res
}

// methods returns the current sampling methods of the benchmarks, or nil if samples do not come in
// pairs.
func (m *measurement) methods() (methods []record.Method) {
	if len(m.Sides) != 2 || m.Profile != "" {
		return nil
	}
	if m.whole != "" {
		return []record.Method{{How: record.MethodFresh, Why: m.whole, Fresh: m.out.Rounds}}
	}
	for _, e := range m.split {
		if e.method.chosen {
			methods = append(methods, e.recorded())
		}
	}
	return methods
}

// recorded returns the slot's method in the form to be stored.
func (e *entry) recorded() record.Method {
	w := record.Method{Package: e.Package, Name: e.Name(), How: record.MethodFresh, Why: e.method.why, OutOfTime: e.method.OutOfTime, Length: e.method.shorter(), Remembered: e.method.times, Fresh: e.method.rounds[0], Sliced: e.method.rounds[1]}
	switch w.Why {
	case "":
		w.How = record.MethodSlices
	case e.method.Why:
		w.Detail = e.method.Detail
	}
	if e.method.Sliced() {
		w.N, w.Slices, w.Length = e.method.N, e.method.Slices, e.method.Length
		w.Stopped, w.Calm, w.Pinned = e.method.Stopped, e.method.Calm, e.method.Pinned
		w.Clock, w.Estimator = "wall", slicing.Estimator
	}
	return w
}
