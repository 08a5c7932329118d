package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
)

// EachProcesses is the default of [ProfileBenchmarks], a second each: 300 samples tell where most of the time goes.
const EachProcesses = 3

// A BenchmarkProfile is one benchmark as it was profiled on every side of a plan.
type BenchmarkProfile struct {
	Slot
	Sides []FunctionProfile // nil beside Err
	Err   error             // why this one could not be profiled
}

// ProfileBenchmarks builds every side of a plan and profiles each benchmark that it selects by
// itself: in so many processes a side, in turn, under the CPU profiler, and in two more to count its
// allocations. It calls each after each of them, also for one that failed, and stops where that
// returns false. It returns the benchmarks that were not come to then, or when ctx was cancelled.
func ProfileBenchmarks(ctx context.Context, p Plan, processes int, each func(BenchmarkProfile) bool, progress func(Progress)) (left []Slot, err error) {
	if p.Target.Kind != config.GoTest {
		return nil, &NoFunctionsError{p.Target.Name, p.Target.Kind}
	}
	f := &functionProfiler{Plan: p, processes: processes, progress: progress}
	defer func() {
		for _, prog := range f.programs {
			err = errors.Join(err, prog.close())
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

// list builds the sides and finds the benchmarks that all of them have. A function may have
// several: each function runs once, so that they are known by name.
func (f *functionProfiler) list(ctx context.Context) (slots []Slot, failed []BenchmarkProfile, err error) {
	var found [][]Slot
	for _, side := range f.Sides {
		f.tell("build", side, 0)
		prog, err := f.open(ctx, side)
		if err != nil {
			return nil, nil, sideError(side, err)
		}
		f.programs = append(f.programs, prog.(*gotestProgram))
	}
	for i, side := range f.Sides {
		functions, err := f.programs[i].slots(ctx)
		if err != nil {
			return nil, nil, sideError(side, err)
		}
		var of []Slot
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
				failed = append(failed, BenchmarkProfile{Slot: slot, Err: fmt.Errorf("only %s has it", f.Sides[i].Name)})
			case i == 0:
				slots = append(slots, slot)
			}
		}
	}
	return slots, failed, nil
}

// below are the benchmarks that a function has, itself if it is one.
func (f *functionProfiler) below(ctx context.Context, i int, function Slot) ([]Slot, error) {
	f.slots = slices.Repeat([]Slot{function}, len(f.Sides))
	res, err := f.execute(ctx, i, nil, "-test.benchtime=1x")
	var none *NoBenchmarksError
	if errors.As(err, &none) {
		return nil, errors.New(Skipped)
	}
	if err != nil {
		return nil, err
	}
	var found []Slot
	for _, line := range results(res.Stdout) {
		slot := function.of(withoutProcs(string(line.Name), f.threads(function)))
		if rest, ok := strings.CutPrefix(slot.Bench, function.Bench); ok && (rest == "" || rest[0] == '/') && !slices.Contains(found, slot) {
			found = append(found, slot)
		}
	}
	return found, nil
}

// one profiles a benchmark on every side.
func (f *functionProfiler) one(ctx context.Context, slot Slot) ([]FunctionProfile, error) {
	f.slots = slices.Repeat([]Slot{slot}, len(f.Sides))
	sides, times := make([]FunctionProfile, len(f.Sides)), make([][]float64, len(f.Sides))
	err := f.turns(func(i, n int) error {
		prof, res, err := f.run(ctx, i, n, nil, "cpuprofile", "-test.benchtime="+f.Benchtime)
		sides[i].CPU, sides[i].Resident = append(sides[i].CPU, prof), max(sides[i].Resident, res.MaxRSS)
		for _, line := range results(res.Stdout) {
			if v, ok := line.Value("sec/op"); ok {
				times[i] = append(times[i], v)
			} else if v, ok := line.Value("ns/op"); ok {
				times[i] = append(times[i], v*1e-9)
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
	for i := range sides { // of as many operations
		if err := f.allocations(ctx, i, time.Duration(1e9*longest), &sides[i]); err != nil {
			return nil, sideError(f.Sides[i], err)
		}
	}
	return sides, nil
}

// results are the lines of the Go benchmark format in what was printed.
func results(out []byte) (all []*benchfmt.Result) {
	r := benchfmt.NewReader(bytes.NewReader(out), "output")
	for r.Scan() {
		if res, ok := r.Result().(*benchfmt.Result); ok {
			all = append(all, res.Clone())
		}
	}
	return all
}
