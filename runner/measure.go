package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// nothing returns the error for a target that ran without printing a selected result. It returns
// nil if the slots are closed for another reason.
func (m *measurement) nothing() error {
	if m.left || len(m.out.Failures)+len(m.out.Same)+len(m.out.Unreached)+len(m.out.Unbuilt) > 0 || m.out.Division.Empty() {
		return nil
	}
	if m.Profile != "" {
		return &NoScopesError{m.Target.Name, m.Profile}
	}
	return &program.NoBenchmarksError{What: "target " + m.Target.Name + m.FilterText()}
}

// A NoScopesError means that a target has no profiles, or none for the requested suite.
type NoScopesError struct{ Target, Suite string }

func (e *NoScopesError) Error() string {
	if e.Suite == program.DefaultSuite {
		return fmt.Sprintf("target %s printed no scopes: your program must print them if %s is set (see perftrack help profile scopes-of-your-own-program)", e.Target, program.ProfileVariable)
	}
	return fmt.Sprintf("target %s printed no scopes for %s=%s: it has no such suite or does not print profiles (see perftrack help profile scopes-of-your-own-program)", e.Target, program.ProfileVariable, e.Suite)
}

// A measurement holds the state of a [Measurement].
type measurement struct {
	Plan
	tell     func(Progress) // may be nil
	schedule Schedule
	programs []program.Program
	open     []*entry // slots that still get samples, in the order of measurement
	slots    int      // initial number of open slots
	split    []*entry // slots with a method of their own, including closed ones
	waiting  []*entry // slots that are not open now and have not been measured in any round
	added    []*entry // slots added during this round, to be opened for the next
	whole    string   // why the plan does not use slices, or "" if it may
	facts    []record.Settings
	env      []string // environment of the benchmark processes on both sides
	units    map[benchfmt.UnitMetadataKey]bool
	pattern  naming.Pattern
	procsOf  map[string]int // GOMAXPROCS of each benchmark by package and name, if the target has a list of values
	done     int
	now      Progress // the last report before the process that is running
	cut      *Round   // what an interrupted warm-up printed, as the first round, or nil
	warm     bool     // the warm-up was run, even if it failed
	left     bool     // some slots were excluded from the warm-up
	out      Outcome
}

func (m *measurement) build(ctx context.Context) error {
	index := map[program.Slot]int{}
	var nothing error // for the first side without benchmarks
	for i, side := range m.Sides {
		slots, err := m.buildSide(ctx, i)
		if none := new(program.NoBenchmarksError); m.OneSided && errors.As(err, &none) {
			nothing, err = cmp.Or(nothing, sideError(side, err)), nil
		}
		if err != nil {
			return m.withOthers(ctx, i, sideError(side, err))
		}
		for _, s := range slots {
			k, ok := index[s]
			if !ok {
				k = len(m.open)
				index[s] = k
				m.open = append(m.open, &entry{Slot: s})
			}
			m.open[k].sides = append(m.open[k].sides, i)
		}
		m.leaveOutUnbuilt(i, m.programs[i])
		env, err := m.programs[i].Environment(ctx)
		if err != nil {
			return sideError(side, err)
		}
		m.out.Environments = append(m.out.Environments, append(m.Machine(), env...))
		m.facts[i] = machine.Facts()
		if m.Isolate {
			m.facts[i] = append(m.facts[i], record.Setting{Key: record.KeyIsolated, Value: "bubblewrap"})
		}
		if procs := m.ProcsList(); len(procs) > 0 {
			m.facts[i] = append(m.facts[i], record.Setting{Key: record.KeyProcs, Value: procs.String()})
		}
	}
	if len(m.programs) == 2 && program.SamePlacement(m.programs[0], m.programs[1]) {
		for i := range m.facts {
			m.facts[i] = append(m.facts[i], record.Setting{Key: record.KeyPlacement, Value: record.PlacementSame})
		}
	}
	m.out.Facts = m.facts
	if len(m.open) == 0 && nothing != nil {
		return nothing
	}
	m.dropUnpaired()
	if err := m.shareTests(ctx); err != nil {
		return err
	}
	m.noteLacking()
	m.leaveOutSame(ctx)
	m.dropUnmeasured()
	m.keepPart()
	return nil
}

// buildSide builds the i-th side and lists its benchmarks.
func (m *measurement) buildSide(ctx context.Context, i int) ([]program.Slot, error) {
	side := m.Sides[i]
	m.progress(Progress{Stage: "build", Rounds: m.Rounds, What: sideText(side, m.Target.Name)})
	prog, err := program.Open(ctx, &m.Spec, side)
	if err != nil {
		return nil, err
	}
	m.programs = append(m.programs, prog)
	return prog.Slots(ctx)
}

// withOthers adds the build errors of the remaining sides, because if base does not build, users
// want to know whether head does.
func (m *measurement) withOthers(ctx context.Context, failed int, err error) error {
	if !errors.As(err, new(*build.Error)) {
		return err
	}
	for i := failed + 1; i < len(m.Sides) && ctx.Err() == nil; i++ {
		_, other := m.buildSide(ctx, i)
		if errors.As(other, new(*build.Error)) {
			err = errors.Join(err, sideError(m.Sides[i], other))
		}
	}
	return err
}

// noteLacking records the benchmarks that only one of the two sides has.
func (m *measurement) noteLacking() {
	if len(m.Sides) != 2 {
		return
	}
	m.out.Lacking = make([][]program.Slot, 2)
	for _, e := range m.open {
		if len(e.sides) == 1 {
			lacks := 1 - e.sides[0]
			m.out.Lacking[lacks] = append(m.out.Lacking[lacks], e.Slot)
		}
	}
}

func sideText(side program.Side, target string) string {
	if side.Name == "" {
		return target
	}
	return target + " (" + side.Name + ")"
}

func sideError(side program.Side, err error) error {
	if side.Name == "" {
		return err
	}
	return &SideError{side.Name, err}
}

// A SideError is an error that occurred on one side of a trial, for example when it was built.
type SideError struct {
	Side string // name of the side
	Err  error
}

func (e *SideError) Error() string { return e.Side + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *SideError) Unwrap() error { return e.Err }

// plannedAfter returns the number of processes planned from the k-th open slot of round n onward.
func (m *measurement) plannedAfter(k, n int) int {
	count := func(entries []*entry) (sides int) {
		for _, e := range entries {
			sides += len(e.sides)
		}
		return sides
	}
	return count(m.open[k:]) + count(m.open)*(m.Rounds-n)
}

func (m *measurement) progress(p Progress) {
	if m.tell != nil {
		m.tell(p)
	}
}

func (m *measurement) outcome() Outcome {
	m.out.Facts = m.facts
	m.out.Methods = m.methods()
	return m.out
}
