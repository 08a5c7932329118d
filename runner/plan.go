package runner

import (
	"fmt"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// Defaults of a Plan with one side. Ten rounds give the median an interval that
// is worth reading, and many short processes say more than few long ones: the
// variance between processes is the larger one (Kalibera and Jones, ISMM 2013).
const (
	DefaultRounds    = 10
	DefaultBenchtime = "100ms"
	DefaultTimeout   = 2 * time.Minute
)

// Defaults of a trial, which has to decide. With 30 rounds of 50ms a change of
// 30 % was found among the engine's 21 benchmarks, and nothing else, on a virtual
// machine whose neighbours made single samples swing by 75 %; with 10 rounds
// of 100ms it was not.
const (
	TrialRounds    = 30
	TrialBenchtime = "50ms"
)

// Quick trades certainty for time. Six rounds are the fewest that give a median
// a 95 % interval; ten are what a trial needs to flag one of 21 benchmarks at
// alpha 1 % (8), and two more.
const (
	QuickRounds      = 6
	QuickTrialRounds = 10
	QuickBenchtime   = "20ms"
)

// CheckBenchtime is the time of a sample in a trial that is decided round by
// round.
const CheckBenchtime = "100ms"

// ProfileRounds are enough to tell a run that was disturbed from the others;
// ProfileTrialRounds can decide a few dozen scopes.
const (
	ProfileRounds      = 5
	ProfileTrialRounds = 12
)

// A Side is one state of the source to be measured. A plan has one side, or
// the two of a trial, base first.
type Side struct {
	Name string // base, head, or "" when alone: for messages
	Dir  string // directory of the module, or of the program, in that state
	// Keep is a directory of this state and its environment in which test binaries are
	// kept, and found the next time; "" keeps none.
	Keep string
	// Throwaway says that Dir is in a checkout whose files may be replaced.
	Throwaway bool
}

// A Plan says what to measure, how often and how.
type Plan struct {
	Target    config.Target
	Sides     []Side
	Bench     string                       // regular expression as for go test -bench; "" is all
	Suite     string                       // only benchmarks of this suite; "" is all
	Profile   string                       // not the benchmarks but the scopes of this suite's profile; "" is the benchmarks
	Benchtime string                       // as for go test -benchtime: 100ms or 50x
	Rounds    int                          // without the warm-up round
	First     int                          // number of the first round, 1 unless a trial is continued
	Timeout   time.Duration                // of one process
	CPUs      config.CPUs                  // that benchmark processes, not builds, are pinned to; see machine.CheckCPUs
	BaseFirst func(s Slot, round int) bool // whether base goes first in this pair; nil: always
	Engine    []string                     // command of the built-in benchmark program
	Identify  bool                         // leave out what is the same code on both sides
	Paths     bool                         // with Reach: say what changed of what each of the others reaches
	Reach     bool                         // with Identify: leave out what reaches no changed code, too
	Share     bool                         // measure what was edited, or is new, by the test files of one side on both
	OneSided  bool                         // of two sides one may have no benchmark at all
	Isolate   bool                         // benchmarks run in a box: see proc.Box
	Hidden    []string                     // files and folders that they do not see there
	Part      Part                         // which of them other machines do not measure; the zero value is all
	Slices    bool                         // let two sides take turns of a few milliseconds, where they can: see package slicing
	Built     func() error                 // of profiles of functions: called when all sides are built; nil: nothing to do then
	Least     func(bench string) float64   // the smallest change that matters, as a share, by which slices are chosen; nil: 5 %
	// Chosen are the ways of benchmarks that another measurement chose, of the same or almost
	// the same code, by their names as results have them: see ChosenWays. Those of this one that are slices are added. Nil: each is chosen.
	Chosen map[Slot]slicing.Way
	// Remembered are the ways that earlier trials of other code chose, by the same names: see
	// Remember. Each is taken over where the warm-up bears it out.
	Remembered map[Slot]Remembered
}

// A Sample is one benchmark line of one process.
type Sample struct {
	Side   int // index into Plan.Sides
	Result *benchfmt.Result
}

// A Round is what was measured once of every benchmark that was still open, on
// every side. Results carry their package, suite, round, order and
// layout seed as configuration.
type Round struct {
	N        int
	Samples  []Sample
	Complete bool // false when it was interrupted half way
}

// A Slot is one benchmark function, or one of its benchmarks, or one whole program, which is
// scheduled as one: its sides run back to back, each in its own process, or in turns.
type Slot struct {
	Package string
	Bench   string // name without the Benchmark prefix, as in Parse or Parse/large; "" is the whole program
	Procs   int    // GOMAXPROCS that its name ends in, where the target has a list of them; else 0
}

// String names the slot in messages.
func (s Slot) String() string {
	switch {
	case s.Bench == "":
		return s.Package
	case s.Package == "":
		return s.Name()
	}
	return s.Package + "." + s.Name()
}

// Name is the benchmark's name as its results have it.
func (s Slot) Name() string { return record.WithProcs(s.Bench, s.Procs) }

// named is the slot as a stored way has it, by its name alone.
func (s Slot) named() Slot { return Slot{Package: s.Package, Bench: s.Name()} }

// of is another benchmark of the slot's function, at the same GOMAXPROCS.
func (s Slot) of(bench string) Slot { return Slot{s.Package, bench, s.Procs} }

// A Reached is a slot that reaches what changed.
type Reached struct {
	Slot Slot
	Path []string // from the benchmark to that, by the shortest way; or why that cannot be told
}

// A Failure is a slot that did not run to its end.
type Failure struct {
	Side   int
	Slot   Slot
	Reason string
}

// An Outcome is what a measurement was, beside its samples. It is valid also
// beside an error: what was measured until then counts.
type Outcome struct {
	Environments []record.Settings // one a side
	Facts        []record.Settings // one a side
	Units        []*benchfmt.UnitMetadata
	Failures     []Failure
	Unbuilt      []Unbuilt    // packages that do not build
	Same         []Slot       // left out: the same code on both sides
	Unreached    []Slot       // left out: they reach no changed code
	Reached      []Reached    // with Plan.Paths: what is measured, and why
	Shared       []Shared     // measured with the test files of one side on both
	Rewritten    []Slot       // not comparable: the benchmark differs between the sides, and neither's test files build with the other's code
	Lacking      [][]Slot     // one a side: what only the other one has; nil with one side
	Division     *Division    // of a part: nil where the plan is of all
	Rounds       int          // rounds finished, without the warm-up
	Ways         []record.Way // how each benchmark was measured, of two sides and no profile
	// Processes are what those of a profile's rounds needed, one list a side.
	Processes [][]record.Process
	// InProcesses is the wall time of the benchmark processes, those of the
	// warm-up included; the rest of the time went into building and bookkeeping.
	InProcesses time.Duration
}

// Progress is where a measurement stands, for a status line.
type Progress struct {
	Stage  string // build, reach, link, measure
	Round  int    // 0 is the warm-up
	Rounds int
	Done   int // processes finished in all rounds, the warm-up included
	Total  int // processes planned
	What   string
	Open   int // slots that still get samples
	Slots  int // slots in all
	// Of a check, which its caller fills in: the rounds until the first look, and when the budget
	// ends; zero where there is none.
	Look  int
	Until time.Time
}

// procs are the values of GOMAXPROCS at which each benchmark is measured; none is the one of the
// environment. The scopes of a profile are of one program.
func (p *Plan) procs() config.Procs {
	if p.Profile != "" || p.Target.Kind != config.GoTest {
		return nil
	}
	return p.Target.Procs
}

// threads is GOMAXPROCS of the slot's processes.
func (p *Plan) threads(s Slot) int {
	if s.Procs > 0 {
		return s.Procs
	}
	return machine.Procs(p.CPUs)
}

// machine are the settings of the machine that identify the environment.
func (p *Plan) machine() record.Settings {
	env := machine.Environment(p.CPUs)
	if len(p.procs()) > 0 {
		env = env.Set(record.KeyGOMAXPROCS, record.ProcsInNames)
	}
	return env
}

// filterText says in messages which filters were on.
func (p *Plan) filterText() string {
	var s string
	if p.Bench != "" {
		s += fmt.Sprintf(" matching %q", p.Bench)
	}
	if p.Suite != "" {
		s += fmt.Sprintf(" in suite %q", p.Suite)
	}
	return s
}
