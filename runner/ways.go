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
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// A way is how a slot is measured, and what came of it.
type way struct {
	slicing.Way
	chosen   bool
	times    int                 // trials in a row that took it over, with this one
	why      string              // why in fresh processes from now on; "" if it is sliced, once chosen
	brief    time.Duration       // of a sample of a fresh process that is to be shorter than benchtime; else 0
	long     [2]*benchfmt.Result // what the warm-up printed of the benchmark, a side each
	function *entry              // of a benchmark: the slot of the rest of its function
	faults   int                 // rounds that could not be sliced
	reward   slicing.Reward      // of the slices of a round
	// miscounted says that the benchmark printed other iterations than a slice had: no way measures it.
	miscounted *turnstile.CountError
	rounds     [2]int // fresh, sliced
}

// sliceable is a program whose benchmarks the two sides can run in turns.
type sliceable interface {
	// binary is what runs the slot, without an environment.
	binary(s Slot) turnstile.Side
}

func (g *gotestProgram) binary(s Slot) turnstile.Side {
	return turnstile.Side{Binary: g.binaries[s.Package], Dir: g.dirs[s.Package].Dir, Box: g.box()}
}

// turns is what the turnstile is to run.
func (m *measurement) turns(e *entry) turnstile.Spec {
	spec := turnstile.Spec{Name: e.Bench, CPUs: m.CPUs, Timeout: m.Timeout, Flags: procsFlags(e.Slot)}
	for i, prog := range m.programs {
		spec.Sides[i] = prog.(sliceable).binary(e.Slot)
		spec.Sides[i].Env = m.environment(i, e.Slot)
	}
	return spec
}

// chooseWays decides how the open benchmarks are measured, of which that is not decided yet:
// once, before their first round, with the binaries of the warm-up.
func (m *measurement) chooseWays(ctx context.Context) error {
	benchtime, err := time.ParseDuration(m.Benchtime)
	if m.whole != "" || err != nil {
		return nil
	}
	for _, e := range m.open {
		if e.way == nil || e.way.chosen {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if known, ok := m.chosenBefore(e.Slot); ok {
			e.way.Way, e.way.chosen, e.way.why = known, true, known.Why
			continue
		}
		var affords slicing.Affords
		if m.schedule.Choosing != nil {
			var ok bool
			if affords, ok = m.schedule.Choosing(); !ok && m.recall(e, 0, benchtime) {
				continue
			} else if !ok {
				e.way.chosen, e.way.why = true, "no more of the budget was left "+slicing.OutOfTime
				continue
			}
			affords.Round = m.partOf(affords.Round, benchtime)
		}
		e.way.brief = briefly(affords.Round, benchtime)
		if m.recall(e, affords.Round, benchtime) {
			continue
		}
		m.progress(Progress{Stage: "measure", Rounds: m.Rounds, Done: m.done, Total: m.done + m.plannedAfter(0, 1), What: e.String() + " in slices", Open: len(m.open), Slots: m.slots})
		began := time.Now()
		w, err := slicing.Choose(ctx, m.turns(e), e.way.long, benchtime, affords, m.least(e.Name()))
		m.out.InProcesses += time.Since(began)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e.way.Way, e.way.chosen, e.way.why = w, true, w.Why
		if errors.As(err, &e.way.miscounted) {
			continue // its turn in the next round says so
		}
		if err != nil {
			e.way.why = err.Error() // in fresh processes it shows, too, if that is how the machine is
		} else if m.Chosen != nil && w.Sliced() {
			m.Chosen[e.named()] = w
		}
	}
	return nil
}

// partOf is how long a round of the next benchmark may take where one of all that is open takes so
// long: what those leave for which it is decided is for the others in equal parts. 0 is no limit.
func (m *measurement) partOf(round, benchtime time.Duration) time.Duration {
	if round <= 0 {
		return 0
	}
	others := 0
	for _, e := range m.open {
		switch {
		case e.way == nil:
			round -= slicing.Way{}.Takes(benchtime)
		case e.way.chosen:
			round -= e.way.takes(benchtime)
		default:
			others++
		}
	}
	return max(1, round/time.Duration(max(1, others)))
}

// briefly is how long samples of fresh processes run if a round of both may take so long and that is too short for
// benchtime; 0 if it is not. Below a third of benchtime most of the time would go to the start of processes.
func briefly(round, benchtime time.Duration) time.Duration {
	brief := time.Duration(float64(round) * float64(benchtime) / float64(slicing.Way{}.Takes(benchtime)))
	if round <= 0 || brief >= benchtime {
		return 0
	}
	return max(brief, benchtime/3).Round(time.Millisecond)
}

// shorter is how long samples of fresh processes run if not for benchtime; 0 if they do, or there are none.
func (w *way) shorter() time.Duration {
	if w == nil || w.why == "" {
		return 0
	}
	return w.brief
}

// takes is how long a round of the slot takes, about.
func (w *way) takes(benchtime time.Duration) time.Duration {
	return w.Way.Takes(cmp.Or(w.shorter(), benchtime))
}

// chosenBefore is the way that another measurement chose of a slot. What it measured with all of
// its function by fresh processes has no way of its own, and stays with them.
func (m *measurement) chosenBefore(s Slot) (slicing.Way, bool) {
	known, ok := m.Chosen[s.named()]
	for name := s.Bench; !ok; {
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return slicing.Way{}, false
		}
		name = name[:i]
		above, have := m.Chosen[s.of(name).named()]
		known, ok = above, have && above.Why != ""
	}
	return known, ok
}

// ChosenWays are the ways that a run stored, for a plan to go on with: those of benchmarks and of
// functions. What is not one that Choose may have returned, or was for want of time only, is left out,
// and so chosen anew.
func ChosenWays(stored []record.Way) map[Slot]slicing.Way {
	chosen := map[Slot]slicing.Way{}
	for _, w := range stored {
		way := slicing.Way{N: w.N, Slices: w.Slices, Length: w.Length, Stopped: w.Stopped, Calm: w.Calm, Pinned: w.Pinned}
		if w.How != record.WaySlices {
			way = slicing.Way{Why: w.Why}
		}
		if strings.HasSuffix(way.Why, slicing.OutOfTime) || way.Why == "" && w.Estimator != slicing.Estimator {
			continue
		}
		if w.Name != "" && (way.Why != "" || way.Valid()) {
			chosen[Slot{Package: w.Package, Bench: w.Name}] = way
		}
	}
	return chosen
}

// least is the smallest change of a benchmark that matters; 0 is the usual one.
func (m *measurement) least(bench string) float64 {
	if m.Least == nil {
		return 0
	}
	return m.Least(bench)
}

// measureSliced measures a round of a benchmark in turns of both sides, and reports whether it may be
// run again. A round in which that is not possible is missing, and after a second one
// the benchmark is measured in fresh processes. So it is at once where the benchmark failed,
// which tells whether that is because the other side lives at the same time.
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
	w := e.way.Way
	benchtime, _ := time.ParseDuration(m.Benchtime) // what has another one is not sliced
	w.Slices = e.way.reward.Slices(w, benchtime)
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
		e.way.reward.Add(round, w.Slices)
		e.way.rounds[1]++
		return true, nil
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	if errors.As(err, &e.way.miscounted) {
		return m.measureSlot(ctx, e, r, total-m.done)
	}
	cannot := new(turnstile.SliceError)
	if !errors.As(err, &cannot) {
		cannot = &turnstile.SliceError{Why: err.Error()}
	}
	if e.way.faults++; e.way.faults > 1 {
		e.way.why = cannot.Why
	}
	if !cannot.Failed {
		m.done += 2
		return true, nil
	}
	return m.measureFresh(ctx, e, r, total)
}

// storable says why what a round of slices gave must not be stored, as a metric that is negative
// or infinite of few iterations only. In fresh processes the benchmark has more of them.
func storable(round slicing.Round) error {
	for _, res := range round.Results {
		if err := format.Check(res); err != nil {
			return &turnstile.SliceError{Why: "in slices " + err.Error(), Failed: true}
		}
	}
	return nil
}

// sliced is what a side measured in a round, with what is said of a sample of it.
func (m *measurement) sliced(e *entry, round slicing.Round, side int) *benchfmt.Result {
	of := round.Results[side]
	res := &benchfmt.Result{Name: slices.Clone(of.Name), Iters: of.Iters, Values: of.Values}
	for _, key := range sampleKeys { // as the program said in the warm-up
		res.SetConfig(key, e.way.long[side].GetConfig(key))
	}
	res.SetConfig(record.KeySlices, strconv.Itoa(round.Kept))
	for _, f := range []struct {
		key   string
		value float64
	}{{record.KeySpread, round.Spread}, {record.KeyMean, round.Means[side].Time}, {record.KeySlow, round.Means[side].Slow}} {
		if f.value > 0 {
			res.SetConfig(f.key, strconv.FormatFloat(f.value, 'g', -1, 64))
		}
	}
	return res
}

// ways says how the benchmarks were measured until now; nil where there are no pairs.
func (m *measurement) ways() (ways []record.Way) {
	if len(m.Sides) != 2 || m.Profile != "" {
		return nil
	}
	if m.whole != "" {
		return []record.Way{{How: record.WayFresh, Why: m.whole, Fresh: m.out.Rounds}}
	}
	for _, e := range m.split {
		if e.way.chosen {
			ways = append(ways, e.recorded())
		}
	}
	return ways
}

// recorded is the slot's way as it is stored.
func (e *entry) recorded() record.Way {
	w := record.Way{Package: e.Package, Name: e.Name(), How: record.WayFresh, Why: e.way.why, Length: e.way.shorter(), Remembered: e.way.times, Fresh: e.way.rounds[0], Sliced: e.way.rounds[1]}
	if w.Why == "" {
		w.How = record.WaySlices
	}
	if e.way.Sliced() {
		w.N, w.Slices, w.Length = e.way.N, e.way.Slices, e.way.Length
		w.Stopped, w.Calm, w.Pinned = e.way.Stopped, e.way.Calm, e.way.Pinned
		w.Clock, w.Estimator = "wall", slicing.Estimator
	}
	return w
}
