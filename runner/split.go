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
	"github.com/perftrack/perftrack/runner/turnstile"
)

// An entry is a slot and the sides that have it.
type entry struct {
	Slot
	sides []int
	took  [2]time.Duration      // by each side's process, of all that it does
	long  [2][]*benchfmt.Result // what each side printed in the warm-up, until it is split
	names []string              // the benchmarks that it is known to have; nil: it is one, or any
	skip  []string              // benchmarks of the function that are measured on their own
	way   *way                  // of a slot that is one benchmark, or the rest of a function
	begun bool                  // a round of it was measured, or tried
}

// wholeReason says why no benchmark of the plan is sliced, "" if some may be.
func (m *measurement) wholeReason() string {
	switch {
	case len(m.Sides) != 2 || m.Profile != "":
		return "there are no pairs"
	case m.Target.Kind != config.GoTest:
		return fmt.Sprintf("a program of kind %s is started anew for each sample", m.Target.Kind)
	case !m.Slices:
		return "that was asked for"
	case strings.HasSuffix(m.Benchtime, "x"):
		if n := strings.TrimSuffix(m.Benchtime, "x"); n != "1" {
			return "a sample is to have " + n + " iterations"
		}
		return "a sample is to have 1 iteration"
	}
	if err := turnstile.Supported(); err != nil {
		return err.Error()
	}
	return ""
}

// splitSlots gives the benchmarks of each function that both sides have a slot of their own,
// after the warm-up has told their names: each is measured in its own way, as long as it is open.
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
			if part.way != nil && len(part.sides) == 2 {
				m.split = append(m.split, part)
			}
		}
	}
	m.open, m.slots = slots, len(slots)
	return nil
}

// cheap is how long a program may take before its first benchmark, if that is to be done for
// each of them without a question.
const cheap = 250 * time.Millisecond

// tooDear says why a function is not split into so many parts, "" if it is. What it and its
// program do before the first of its benchmarks they would do once for each: that must not take
// longer than all of it took.
func (m *measurement) tooDear(ctx context.Context, e *entry, parts int) (string, error) {
	var setup, took time.Duration
	for side := range m.Sides {
		none := &entry{Slot: e.of(e.Bench + "/")} // no benchmark has this name
		s, err := m.sample(ctx, side, none)
		if err != nil {
			return "", err
		}
		if side == 0 || s.took < setup { // the other one was held up
			setup, took = s.took, e.took[side]
		}
	}
	if setup <= cheap || time.Duration(parts-1)*setup <= took {
		return "", nil
	}
	return fmt.Sprintf("what is done before its %d benchmarks takes %v in each process", parts, setup.Round(time.Millisecond)), nil
}

// splitSlot returns the slots of a function: one a benchmark that both sides have, and one for
// the rest. What one side has more may be a benchmark that is new, or one whose name
// is another one in each process; there are processes of the whole function for both, which leave out
// what is measured on its own.
func (m *measurement) splitSlot(e *entry) []*entry {
	if len(e.sides) != 2 {
		return []*entry{e}
	}
	var names [2][]string
	for side, results := range e.long {
		for _, res := range results {
			name := withoutProcs(string(res.Name), m.threads(e.Slot))
			below, ok := strings.CutPrefix(name, e.Bench)
			if !ok || below != "" && below[0] != '/' {
				return keepWhole(e, fmt.Sprintf("it printed a result of %s", name))
			}
			if slices.Contains(names[side], name) {
				return keepWhole(e, fmt.Sprintf("two of its results are called %s", name))
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
		leaf := &entry{Slot: e.of(name), sides: e.sides, way: &way{function: rest}}
		leaf.way.long = [2]*benchfmt.Result{e.long[0][i], e.long[1][k]}
		own = append(own, leaf)
		rest.skip = append(rest.skip, name)
	}
	if len(own) == 0 {
		return keepWhole(e, "its benchmarks have other names on each side")
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

// notAll is why the rest of a function is measured by fresh processes.
const notAll = "not both sides have them in each process"

// keepWhole has a slot measured as ever.
func keepWhole(e *entry, why string) []*entry {
	if e.way == nil {
		e.way = &way{chosen: true, why: why}
	}
	return []*entry{e}
}

// giveBack has a benchmark measured with the rest of its function again: by its name alone it
// is not found in each process.
func (m *measurement) giveBack(e *entry) {
	rest := e.way.function
	rest.skip = slices.DeleteFunc(rest.skip, func(n string) bool { return n == e.Bench })
	rest.names = append(rest.names, e.Bench)
	rest.sides = []int{0, 1}
	e.way.why = "not each process has it"
	keepWhole(rest, notAll)
	if !slices.Contains(m.split, rest) {
		m.split = append(m.split, rest)
	}
	if !slices.Contains(m.open, rest) && !slices.Contains(m.added, rest) {
		m.added = append(m.added, rest)
	}
}

// askOpen leaves those slots open that need another round. Of what no round was measured yet it asks again
// before each round: there may be time for it later.
func (m *measurement) askOpen() {
	var waiting []*entry
	m.open = slices.DeleteFunc(append(m.open, m.waiting...), func(e *entry) bool {
		open := m.isOpen(e)
		if !open && !e.begun {
			waiting = append(waiting, e)
		}
		e.begun = e.begun || open
		return !open
	})
	m.waiting = waiting
}

// isOpen reports whether a slot needs another round. It is asked for by the names of its
// benchmarks.
func (m *measurement) isOpen(e *entry) bool {
	if len(e.names) == 0 {
		return m.schedule.Open(e.Slot)
	}
	return slices.ContainsFunc(e.names, func(name string) bool { return m.schedule.Open(e.of(name)) })
}

// withoutProcs is the name of a benchmark as the -bench expression has it. Package testing
// appends -N at each GOMAXPROCS but 1.
func withoutProcs(name string, procs int) string {
	if procs == 1 {
		return name
	}
	return strings.TrimSuffix(name, "-"+strconv.Itoa(procs))
}

// exactly is the -test.bench expression of one benchmark, level by level.
func exactly(names ...string) string {
	var all []string
	for _, name := range names {
		all = append(all, turnstile.Expression(name))
	}
	return strings.Join(all, "|")
}
