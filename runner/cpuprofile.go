package runner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
)

// Defaults for a FunctionProfile. Go takes 100 samples per second, so each side gets 800, enough to
// distinguish shares that differ by about 7 % of the operation's time.
const (
	ProfileProcesses   = 8
	ProfileProcessTime = "1s"
	allocationTime     = 300 * time.Millisecond // intended total time of the operations whose allocations are counted
	fewOperations      = 2                      // more than 1, because a benchmark without b.Loop runs 1 iteration first anyway
	mostCountedOps     = 2000
)

// A FunctionProfile describes what the functions of one side cost.
type FunctionProfile struct {
	CPU []*profile.Profile // one per process
	// Few and Many each hold all allocations of one process. The process of Many ran Operations
	// more operations. They are nil if allocations were not counted.
	Few, Many  *profile.Profile
	Operations int
	// Collections is the number of garbage collections during these operations, not counting forced
	// ones. It is nil if unknown.
	Collections *int
	// Resident is the largest peak resident memory, in bytes, of any process under the CPU
	// profiler. It is 0 if unknown. See [proc.Result].
	Resident int64
	// PerOp is the median time per operation in the processes under the CPU profiler, in seconds.
	// It is 0 if unknown. It is not a measurement, because measurements run without a profiler.
	PerOp float64
}

// A NoFunctionsError means perftrack cannot profile functions in targets of this kind.
type NoFunctionsError struct {
	Target string
	Kind   string
}

func (e *NoFunctionsError) Error() string {
	return fmt.Sprintf("target %s is of kind %s, but perftrack profiles functions only for kind gotest; "+
		"your program can print its own scopes if %s is set (see perftrack help profile scopes-of-your-own-program)", e.Target, e.Kind, program.ProfileVariable)
}

// ProfileFunctions builds every side of a plan that selects a single benchmark, and runs it under
// the CPU profiler in the given number of processes per side. The sides take turns and use the
// layouts of measured rounds. ProfileFunctions then counts the allocations of as many operations as
// fit into 0.3 seconds, assuming that each takes perOp.
func ProfileFunctions(ctx context.Context, p Plan, processes int, perOp time.Duration, progress func(Progress)) (sides []FunctionProfile, err error) {
	if p.Target.Kind != config.GoTest {
		return nil, &NoFunctionsError{p.Target.Name, p.Target.Kind}
	}
	f := &functionProfiler{Plan: p, processes: processes, progress: progress, total: len(p.Sides) * (processes + 2)}
	defer func() {
		for _, prog := range f.opened {
			err = errors.Join(err, prog.Close())
		}
	}()
	if err := f.build(ctx); err != nil {
		return nil, err
	}
	if err := f.built(); err != nil {
		return nil, err
	}
	sides = make([]FunctionProfile, len(p.Sides))
	err = f.turns(func(i, n int) error {
		prof, res, err := f.cpu(ctx, i, n)
		sides[i].CPU, sides[i].Resident = append(sides[i].CPU, prof), max(sides[i].Resident, res.MaxRSS)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := range sides {
		if err := f.allocations(ctx, i, perOp, &sides[i]); err != nil {
			return nil, sideError(p.Sides[i], err)
		}
	}
	return sides, nil
}

// functionProfiler holds the state of a call to ProfileFunctions or ProfileBenchmarks.
type functionProfiler struct {
	Plan
	processes   int
	progress    func(Progress)
	opened      []program.Program
	programs    []*program.Gotest // for each side, the program that builds the benchmark
	slots       []program.Slot    // one per side
	done, total int
}

// turns calls run once for each process n of each side i. The sides alternate and take turns going
// first, so a drift in the machine's speed does not look like a difference between the sides.
func (f *functionProfiler) turns(run func(i, n int) error) error {
	for n := 1; n <= f.processes; n++ {
		for k := range f.Sides {
			i := k
			if n%2 == 0 {
				i = len(f.Sides) - 1 - k
			}
			if err := run(i, n); err != nil {
				return sideError(f.Sides[i], err)
			}
		}
	}
	return nil
}

func (f *functionProfiler) build(ctx context.Context) error {
	m := &measurement{Plan: f.Plan, tell: f.progress}
	defer func() { f.opened = m.programs }()
	for i, side := range f.Sides {
		f.tell("build", side, 0)
		prog, err := program.Open(ctx, &f.Spec, side)
		if err != nil {
			return sideError(side, err)
		}
		g := prog.(*program.Gotest)
		m.programs = append(m.programs, g)
		slots, err := g.Slots(ctx)
		if err != nil {
			return sideError(side, err)
		}
		if len(slots) != 1 {
			return sideError(side, fmt.Errorf("%q selects %d benchmarks: a profile needs exactly one", f.Bench, len(slots)))
		}
		f.slots = append(f.slots, slots[0])
		if i == 0 {
			m.open = []*entry{{Slot: slots[0]}}
		}
		m.open[0].sides = append(m.open[0].sides, i)
	}
	if err := m.shareTests(ctx); err != nil {
		return err
	}
	for i, prog := range m.programs {
		g, ok := prog.(*program.Gotest)
		if !ok {
			g = prog.(*program.Borrower).Of(f.slots[i])
		}
		f.programs = append(f.programs, g)
	}
	return nil
}

// built notifies the caller that all sides are built. The caller can then wait for its turn to
// measure.
func (f *functionProfiler) built() error {
	if f.Built == nil {
		return nil
	}
	return f.Built()
}

func (f *functionProfiler) tell(stage string, side program.Side, round int) {
	if f.progress != nil {
		f.progress(Progress{Stage: stage, Round: round, Rounds: f.processes, Done: f.done, Total: f.total, What: sideText(side, f.Target.Name)})
	}
}

// cpu runs the benchmark once on side i, in a new process under the CPU profiler.
func (f *functionProfiler) cpu(ctx context.Context, i, n int) (*profile.Profile, proc.Result, error) {
	prog, slot := f.programs[i], f.slots[i:i+1]
	if jobs := prog.Lacking(program.LayoutSeed(n), slot); len(jobs) > 0 {
		f.tell("link", f.Sides[i], n)
		if err := program.RunJobs(ctx, jobs); err != nil {
			return nil, proc.Result{}, err
		}
	}
	if err := prog.Use(program.LayoutSeed(n), slot); err != nil {
		return nil, proc.Result{}, err
	}
	return f.run(ctx, i, n, nil, "cpuprofile", "-test.benchtime="+f.Benchtime)
}

func (f *functionProfiler) allocations(ctx context.Context, i int, perOp time.Duration, into *FunctionProfile) (err error) {
	into.Operations = int(min(mostCountedOps, max(1, allocationTime/max(perOp, 1))))
	var cycles []int
	for _, count := range []struct {
		ops int
		to  **profile.Profile
	}{{fewOperations, &into.Few}, {fewOperations + into.Operations, &into.Many}} {
		var res proc.Result
		*count.to, res, err = f.run(ctx, i, f.processes, tracingCollections, "memprofile", "-test.memprofilerate=1", "-test.benchtime="+strconv.Itoa(count.ops)+"x")
		if err != nil {
			return err
		}
		if n, ok := collections(res.Stderr); ok {
			cycles = append(cycles, n)
		}
	}
	if len(cycles) == 2 {
		n := max(cycles[1]-cycles[0], 0)
		into.Collections = &n
	}
	return nil
}

// tracingCollections returns env with a GODEBUG setting that makes the program print a line for
// each garbage collection. Other GODEBUG settings stay in effect.
func tracingCollections(env []string) []string {
	value := "gctrace=1"
	for _, kv := range env { // the last value wins
		if old, ok := strings.CutPrefix(kv, "GODEBUG="); ok && old != "" {
			value = old + ",gctrace=1"
		}
	}
	return append(slices.Clone(env), "GODEBUG="+value)
}

var traceLine = regexp.MustCompile(`(?m)^gc \d+ @[^\n]*$`)

// collections counts the garbage collections in a program's trace. It does not count forced ones,
// because package testing forces one before each benchmark. ok is false if the trace is missing or
// incomplete.
func collections(stderr []byte) (n int, ok bool) {
	lines := traceLine.FindAll(stderr, -1)
	for _, line := range lines {
		if !bytes.HasSuffix(line, []byte("(forced)")) {
			n++
		}
	}
	if len(lines) == 0 {
		return 0, false
	}
	last, _, _ := bytes.Cut(lines[len(lines)-1][len("gc "):], []byte(" "))
	return n, string(last) == strconv.Itoa(len(lines))
}

// run runs the test binary once, recording a profile of the given kind, and returns the profile and
// the result of the process. If more is not nil, it changes the environment.
func (f *functionProfiler) run(ctx context.Context, i, n int, more func(env []string) []string, kind string, flags ...string) (*profile.Profile, proc.Result, error) {
	f.tell("profile", f.Sides[i], n)
	file := filepath.Join(f.programs[i].Folder(), kind+".pb.gz")
	res, err := f.execute(ctx, i, more, append(flags, "-test."+kind+"="+file)...)
	if err != nil {
		return nil, res, err
	}
	f.done++
	prof, err := readProfile(file)
	return prof, res, err
}

// execute runs the test binary of side i once.
func (f *functionProfiler) execute(ctx context.Context, i int, more func(env []string) []string, flags ...string) (proc.Result, error) {
	slot := f.slots[i]
	cmd := f.programs[i].Command(slot)
	cmd.Argv = append(slices.Clone(cmd.Argv), flags...)
	if cmd.Box != nil { // the program writes its profile there
		cmd.Box.Write = append(cmd.Box.Write, f.programs[i].Folder())
	}
	cmd.Timeout, cmd.Env, cmd.CPUs = f.Timeout, withPeak(atProcs(f.ChildEnvironment(), slot), true), f.CPUs
	if more != nil {
		cmd.Env = more(cmd.Env)
	}
	res, err := proc.Run(ctx, cmd)
	if err != nil {
		return res, fmt.Errorf("profile %s: %w", slot, err)
	}
	if ctx.Err() != nil {
		return res, ctx.Err()
	}
	if err := res.Err(); err != nil {
		return res, build.Failed("a profile of "+slot.String(), res, err)
	}
	if !bytes.Contains(res.Stdout, []byte(" ns/op")) {
		return res, &program.NoBenchmarksError{What: slot.Package + f.FilterText()}
	}
	return res, nil
}

func readProfile(file string) (prof *profile.Profile, err error) {
	in, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	defer func() { err = errors.Join(err, in.Close(), os.Remove(file)) }()
	if prof, err = profile.Parse(in); err != nil {
		return nil, fmt.Errorf("read profile: %w", err)
	}
	return prof, nil
}
