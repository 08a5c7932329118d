package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
)

// EachProcesses is the default number of processes per side for [ProfileBenchmarks]. At one second
// each, they yield 300 samples, enough to show where most of the time goes.
const EachProcesses = 3

// A BenchmarkProfile holds the profiles of one benchmark on every side of a plan.
type BenchmarkProfile struct {
	program.Slot
	Sides []FunctionProfile // nil if Err is set
	Err   error             // why the benchmark could not be profiled
}

// ProfileBenchmarks builds every side of a plan and profiles each selected benchmark on its own.
// Each benchmark runs under the CPU profiler in the given number of processes per side, with the
// sides taking turns, and then in two more processes per side that count its allocations.
// ProfileBenchmarks passes every result to each, including failures, and stops if each returns
// false. It returns the benchmarks not yet profiled when it stopped or ctx was canceled.
func ProfileBenchmarks(ctx context.Context, p Plan, processes int, each func(BenchmarkProfile) bool, progress func(Progress)) (left []program.Slot, err error) {
	if p.Target.Kind != config.GoTest {
		return nil, &NoFunctionsError{p.Target.Name, p.Target.Kind}
	}
	f := &functionProfiler{Plan: p, processes: processes, progress: progress}
	defer func() {
		for _, prog := range f.programs {
			err = errors.Join(err, prog.Close())
		}
	}()
	slots, failed, err := f.list(ctx)
	if err == nil {
		err = f.built()
	}
	if err != nil {
		return nil, err
	}
	for _, b := range failed {
		if !each(b) {
			return slots, nil
		}
	}
	f.total = len(slots) * len(f.Sides) * (processes + 2)
	for i, slot := range slots {
		b := BenchmarkProfile{Slot: slot}
		b.Sides, b.Err = f.one(ctx, slot)
		if ctx.Err() != nil {
			return slots[i:], ctx.Err()
		}
		if !each(b) {
			return slots[i+1:], nil
		}
		f.done = (i + 1) * len(f.Sides) * (processes + 2)
	}
	return nil, nil
}

// list builds the sides and returns the benchmarks they have in common. It runs each function once
// to find the names of its sub-benchmarks.
func (f *functionProfiler) list(ctx context.Context) (slots []program.Slot, failed []BenchmarkProfile, err error) {
	var found [][]program.Slot
	for _, side := range f.Sides {
		f.tell("build", side, 0)
		prog, err := program.Open(ctx, &f.Spec, side)
		if err != nil {
			return nil, nil, sideError(side, err)
		}
		f.programs = append(f.programs, prog.(*program.Gotest))
	}
	for i, side := range f.Sides {
		functions, err := f.programs[i].Slots(ctx)
		if err != nil {
			return nil, nil, sideError(side, err)
		}
		var of []program.Slot
		for _, function := range functions {
			f.tell("build", side, 0)
			below, err := f.below(ctx, i, function)
			if ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			if err != nil {
				failed = append(failed, BenchmarkProfile{Slot: function, Err: sideError(side, err)})
			}
			of = append(of, below...)
		}
		found = append(found, of)
	}
	for i, of := range found {
		other := found[len(found)-1-i]
		for _, slot := range of {
			switch missing := !slices.Contains(other, slot); {
			case missing:
				failed = append(failed, BenchmarkProfile{Slot: slot, Err: fmt.Errorf("the benchmark exists only on %s", f.Sides[i].Name)})
			case i == 0:
				slots = append(slots, slot)
			}
		}
	}
	return slots, failed, nil
}

// below returns the sub-benchmarks of a benchmark function, or the function itself if there are no
// sub-benchmarks.
func (f *functionProfiler) below(ctx context.Context, i int, function program.Slot) ([]program.Slot, error) {
	f.slots = slices.Repeat([]program.Slot{function}, len(f.Sides))
	res, err := f.execute(ctx, i, nil, "-test.benchtime=1x")
	var none *program.NoBenchmarksError
	if errors.As(err, &none) {
		return nil, errors.New(Skipped)
	}
	if err != nil {
		return nil, err
	}
	var found []program.Slot
	for _, line := range results(res.Stdout) {
		slot := function.Of(withoutProcs(string(line.Name), f.Threads(function)))
		if belongs(slot.Bench, function.Bench) && !slices.Contains(found, slot) {
			found = append(found, slot)
		}
	}
	return found, nil
}

// one profiles a benchmark on every side.
func (f *functionProfiler) one(ctx context.Context, slot program.Slot) ([]FunctionProfile, error) {
	f.slots = slices.Repeat([]program.Slot{slot}, len(f.Sides))
	sides, times := make([]FunctionProfile, len(f.Sides)), make([][]float64, len(f.Sides))
	err := f.turns(func(i, n int) error {
		prof, res, err := f.run(ctx, i, n, nil, "cpuprofile", "-test.benchtime="+f.Benchtime)
		sides[i].CPU, sides[i].Resident = append(sides[i].CPU, prof), max(sides[i].Resident, res.MaxRSS)
		for _, line := range results(res.Stdout) {
			if v := perOperation(line); v > 0 {
				times[i] = append(times[i], v)
			}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	longest := 0.0
	for i := range sides {
		if n := len(times[i]); n > 0 {
			slices.Sort(times[i])
			sides[i].PerOp = times[i][(n-1)/2]
		}
		longest = max(longest, sides[i].PerOp)
	}
	for i := range sides { // all sides run the same number of operations
		if err := f.allocations(ctx, i, time.Duration(1e9*longest), &sides[i]); err != nil {
			return nil, sideError(f.Sides[i], err)
		}
	}
	return sides, nil
}

// results returns the Go benchmark results found in out.
func results(out []byte) (all []*benchfmt.Result) {
	r := benchfmt.NewReader(bytes.NewReader(out), "output")
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			all = append(all, res.Clone())
		}
	}
	return all
}
