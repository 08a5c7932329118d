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
)

// Defaults of a FunctionProfile: at the 100 samples a second that Go takes, 800
// a side tell apart shares that differ by about 7 % of the operation.
const (
	ProfileProcesses   = 8
	ProfileProcessTime = "1s"
	allocationTime     = 300 * time.Millisecond // without a profiler, of the operations that are counted
	fewOperations      = 2                      // more than 1: a benchmark without b.Loop tries 1 first
	mostCountedOps     = 2000
)

// A FunctionProfile is what one side's functions were seen to do.
type FunctionProfile struct {
	CPU []*profile.Profile // one a process
	// Few and Many count the allocations of a process each, all of them; what
	// Many has more than Few was allocated by Operations operations. Nil where
	// they were not asked for.
	Few, Many  *profile.Profile
	Operations int
	// Collections is how often the garbage collector ran of itself in these operations; nil is not known.
	Collections *int
	// Resident is the most resident memory, in bytes, of the processes under the CPU profiler; 0 is
	// not known, see [proc.Result].
	Resident int64
	// PerOp is how many seconds an operation took under the CPU profiler: the median of the
	// processes, 0 where there were none. It is no measurement, which has no profiler.
	PerOp float64
}

// A NoFunctionsError is a target whose functions cannot be seen.
type NoFunctionsError struct {
	Target string
	Kind   string
}

func (e *NoFunctionsError) Error() string {
	return fmt.Sprintf("target %s is of kind %s: perftrack can profile the functions of kind gotest only; "+
		"a program can print its scopes where %s is set (see perftrack help profile scopes-of-your-own-program)", e.Target, e.Kind, ProfileVariable)
}

// ProfileFunctions builds every side of a plan, which selects one benchmark, and
// runs that under the CPU profiler, in so many processes a side, the sides in
// turn and with the layouts of the rounds that are measured. Then it counts the
// allocations of about as many operations as fit into a third of a second, as
// perOp has the time of one.
func ProfileFunctions(ctx context.Context, p Plan, processes int, perOp time.Duration, progress func(Progress)) (sides []FunctionProfile, err error) {
	if p.Target.Kind != config.GoTest {
		return nil, &NoFunctionsError{p.Target.Name, p.Target.Kind}
	}
	f := &functionProfiler{Plan: p, processes: processes, progress: progress, total: len(p.Sides) * (processes + 2)}
	defer func() {
		for _, prog := range f.opened {
			err = errors.Join(err, prog.close())
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

// functionProfiler is the state of one call of ProfileFunctions.
type functionProfiler struct {
	Plan
	processes   int
	progress    func(Progress)
	opened      []program
	programs    []*gotestProgram // of them, which have the benchmark
	slots       []Slot           // of each side
	done, total int
}

// turns runs the processes of all sides in turn, and each side first in every other round: what the
// machine does meanwhile is not the difference of two sides.
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
		prog, err := f.open(ctx, side)
		if err != nil {
			return sideError(side, err)
		}
		g := prog.(*gotestProgram)
		m.programs = append(m.programs, g)
		slots, err := g.slots(ctx)
		if err != nil {
			return sideError(side, err)
		}
		if len(slots) != 1 {
			return sideError(side, fmt.Errorf("%q selects %d benchmarks: a profile is of one", f.Bench, len(slots)))
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
		g, ok := prog.(*gotestProgram)
		if !ok {
			g = prog.(*borrower).of(f.slots[i])
		}
		f.programs = append(f.programs, g)
	}
	return nil
}

// built lets the caller wait for its turn to measure.
func (f *functionProfiler) built() error {
	if f.Built == nil {
		return nil
	}
	return f.Built()
}

func (f *functionProfiler) tell(stage string, side Side, round int) {
	if f.progress != nil {
		f.progress(Progress{Stage: stage, Round: round, Rounds: f.processes, Done: f.done, Total: f.total, What: sideText(side, f.Target.Name)})
	}
}

// cpu runs the benchmark in a process of its own under the CPU profiler.
func (f *functionProfiler) cpu(ctx context.Context, i, n int) (*profile.Profile, proc.Result, error) {
	prog, slot := f.programs[i], f.slots[i:i+1]
	if jobs := prog.lacking(LayoutSeed(n), slot); len(jobs) > 0 {
		f.tell("link", f.Sides[i], n)
		if err := inParallel(ctx, jobs); err != nil {
			return nil, proc.Result{}, err
		}
	}
	if err := prog.use(LayoutSeed(n), slot); err != nil {
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

// tracingCollections has the program print a line for each collection, beside what else GODEBUG asks for.
func tracingCollections(env []string) []string {
	value := "gctrace=1"
	for _, kv := range env { // the last one counts
		if old, ok := strings.CutPrefix(kv, "GODEBUG="); ok && old != "" {
			value = old + ",gctrace=1"
		}
	}
	return append(slices.Clone(env), "GODEBUG="+value)
}

var traceLine = regexp.MustCompile(`(?m)^gc \d+ @[^\n]*$`)

// collections counts the collections that a program traced, all but those that it asked for, as package testing does
// before it runs a benchmark. ok is false where the trace is not there, or not whole.
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

// run runs the test binary once with a profile of the kind and reads that. It returns what came of
// the process, too. More, where it is not nil, changes its environment.
func (f *functionProfiler) run(ctx context.Context, i, n int, more func(env []string) []string, kind string, flags ...string) (*profile.Profile, proc.Result, error) {
	f.tell("profile", f.Sides[i], n)
	file := filepath.Join(f.programs[i].bin, kind+".pb.gz")
	res, err := f.execute(ctx, i, more, append(flags, "-test."+kind+"="+file)...)
	if err != nil {
		return nil, res, err
	}
	f.done++
	prof, err := readProfile(file)
	return prof, res, err
}

// execute runs the test binary of a side once.
func (f *functionProfiler) execute(ctx context.Context, i int, more func(env []string) []string, flags ...string) (proc.Result, error) {
	slot := f.slots[i]
	cmd := f.programs[i].command(slot)
	cmd.Argv = append(slices.Clone(cmd.Argv), flags...)
	if cmd.Box != nil { // for the profile
		cmd.Box.Write = append(cmd.Box.Write, f.programs[i].bin)
	}
	cmd.Timeout, cmd.Env, cmd.CPUs = f.Timeout, withPeak(atProcs(f.childEnvironment(), slot), true), f.CPUs
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
		return res, &NoBenchmarksError{slot.Package + f.filterText()}
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
