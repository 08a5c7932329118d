package runner

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/turnstile"
)

// An entry is a slot together with the sides that have it and the state of its measurement.
type entry struct {
	program.Slot
	sides  []int
	took   [2]time.Duration      // how long each side's process took in the warm-up
	long   [2][]*benchfmt.Result // each side's results in the warm-up, until the slot is split
	names  []string              // its known benchmarks; nil if it is a single one, or if they are unknown
	skip   []string              // benchmarks of the function with slots of their own
	method *method               // only if the slot is one benchmark, or the rest of a function
	begun  bool                  // it was open in at least one round
}

// wholeReason describes why the plan cannot use slices, or returns "" if it can.
func (m *measurement) wholeReason() string {
	switch {
	case len(m.Sides) != 2 || m.Profile != "":
		return "the run has no pairs of base and head"
	case m.Target.Kind != config.GoTest:
		return fmt.Sprintf("programs of kind %s are restarted for each sample", m.Target.Kind)
	case !m.Slices:
		return "slices are turned off"
	case strings.HasSuffix(m.Benchtime, "x"):
		if n := strings.TrimSuffix(m.Benchtime, "x"); n != "1" {
			return "benchtime sets each sample to " + n + " iterations"
		}
		return "benchtime sets each sample to 1 iteration"
	}
	if err := turnstile.Supported(); err != nil {
		return err.Error()
	}
	return ""
}

// splitSlots splits functions into their benchmarks, once the warm-up has shown their names. Each
// benchmark that both sides have gets its own slot, so that it has its own method and is measured
// only while it is open.
func (m *measurement) splitSlots(ctx context.Context) error {
	if m.whole != "" {
		return nil
	}
	var slots []*entry
	for _, e := range m.open {
		parts := m.splitSlot(e)
		e.long = [2][]*benchfmt.Result{}
		if len(parts) > 1 {
			why, err := m.tooDear(ctx, e, len(parts))
			if err != nil {
				return err
			}
			if why != "" {
				parts = keepWhole(e, why)
			}
		}
		slots = append(slots, parts...)
		for _, part := range parts {
			if part.method != nil && len(part.sides) == 2 {
				m.split = append(m.split, part)
			}
		}
	}
	m.open, m.slots = slots, len(slots)
	return nil
}

// cheap is the longest time before the first benchmark for which a function is split without
// further conditions.
const cheap = 250 * time.Millisecond

// tooDear describes why it is too expensive to split a function into the given number of parts, or
// returns "" if it is not. Each part repeats the setup of the program and of the function.
// Together, the repetitions must not take longer than the whole function took.
func (m *measurement) tooDear(ctx context.Context, e *entry, parts int) (string, error) {
	var setup, took time.Duration
	for side := range m.Sides {
		none := &entry{Slot: e.Of(e.Bench + "/")} // no benchmark has this name
		s, err := m.sample(ctx, side, none)
		if err != nil {
			return "", err
		}
		if side == 0 || s.took < setup { // the slower process was delayed
			setup, took = s.took, e.took[side]
		}
	}
	if setup <= cheap || time.Duration(parts-1)*setup <= took {
		return "", nil
	}
	return fmt.Sprintf("the setup before its %d benchmarks takes %v in each process", parts, setup.Round(time.Millisecond)), nil
}

// splitSlot returns the slots for a function: one for each benchmark that both sides have, and one
// for the rest. If only one side has a benchmark, it may be new, or its name may differ between
// processes. The rest is measured by running the whole function but skipping the benchmarks with
// slots of their own.
func (m *measurement) splitSlot(e *entry) []*entry {
	if len(e.sides) != 2 {
		return []*entry{e}
	}
	var names [2][]string
	for side, results := range e.long {
		for _, res := range results {
			name := withoutProcs(string(res.Name), m.Threads(e.Slot))
			if !belongs(name, e.Bench) {
				return keepWhole(e, fmt.Sprintf("it printed a result for %s", name))
			}
			if slices.Contains(names[side], name) {
				return keepWhole(e, fmt.Sprintf("it printed two results for %s", name))
			}
			names[side] = append(names[side], name)
		}
	}
	rest := &entry{Slot: e.Slot}
	var own []*entry
	for i, name := range names[0] {
		k := slices.Index(names[1], name)
		if k < 0 {
			continue
		}
		leaf := &entry{Slot: e.Of(name), sides: e.sides, method: &method{function: rest}}
		leaf.method.long = [2]*benchfmt.Result{e.long[0][i], e.long[1][k]}
		own = append(own, leaf)
		rest.skip = append(rest.skip, name)
	}
	if len(own) == 0 {
		return keepWhole(e, "its benchmarks have different names on the two sides")
	}
	for side := range names {
		more := slices.DeleteFunc(slices.Clone(names[side]), func(n string) bool { return slices.Contains(rest.skip, n) })
		if len(more) > 0 {
			rest.sides = append(rest.sides, side)
			rest.names = append(rest.names, more...)
		}
	}
	if len(rest.sides) > 0 {
		own = append(own, keepWhole(rest, notAll)...)
	}
	return own
}

// notAll is the reason why fresh processes measure the rest of a function.
const notAll = "these sub-benchmarks are missing in some processes"

// keepWhole makes fresh processes measure a slot.
func keepWhole(e *entry, why string) []*entry {
	if e.method == nil {
		e.method = &method{chosen: true, why: why}
	}
	return []*entry{e}
}

// giveBack returns a benchmark to the rest of its function, because it does not occur in every
// process.
func (m *measurement) giveBack(e *entry) {
	rest := e.method.function
	rest.skip = slices.DeleteFunc(rest.skip, func(n string) bool { return n == e.Bench })
	rest.names = append(rest.names, e.Bench)
	rest.sides = []int{0, 1}
	e.method.why = "it is missing in some processes"
	keepWhole(rest, notAll)
	if !slices.Contains(m.split, rest) {
		m.split = append(m.split, rest)
	}
	if !slices.Contains(m.open, rest) && !slices.Contains(m.added, rest) {
		m.added = append(m.added, rest)
	}
}

// askOpen closes the slots that need no further rounds. Before each round, it also reconsiders
// closed slots that have not been measured in any round, because there may be time for them now. If
// the schedule may reopen slots, it reconsiders all of them.
func (m *measurement) askOpen() {
	var waiting []*entry
	m.open = slices.DeleteFunc(append(m.open, m.waiting...), func(e *entry) bool {
		open := m.isOpen(e)
		if !open && (!e.begun || m.schedule.Reopen) {
			waiting = append(waiting, e)
		}
		e.begun = e.begun || open
		return !open
	})
	m.waiting = waiting
}

// reopens returns the number of closed slots that the schedule may open again.
func (m *measurement) reopens() int {
	if !m.schedule.Reopen {
		return 0
	}
	return len(m.waiting)
}

// isOpen reports whether any benchmark in the slot needs another round.
func (m *measurement) isOpen(e *entry) bool {
	if len(e.names) == 0 {
		return m.schedule.Open(e.Slot)
	}
	return slices.ContainsFunc(e.names, func(name string) bool { return m.schedule.Open(e.Of(name)) })
}

// withoutProcs removes the suffix -N, which package testing appends to a benchmark's name unless
// GOMAXPROCS is 1. A -bench expression requires the name without the suffix.
func withoutProcs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
}
