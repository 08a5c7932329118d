package runner

import (
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// Defaults for a Plan with one side. Ten rounds give a useful interval for the median, and many
// short processes are more informative than a few long ones, because most of the variance is
// between processes (Kalibera and Jones, ISMM 2013).
const (
	DefaultRounds    = 10
	DefaultBenchtime = "100ms"
	DefaultTimeout   = 2 * time.Minute
)

// Defaults for a trial, which has to reach a decision. On a virtual machine whose neighbors made
// single samples vary by 75 %, 30 rounds of 50ms found a change of 30 % in one of the engine's 21
// benchmarks and reported nothing else; 10 rounds of 100ms did not.
const (
	TrialRounds    = 30
	TrialBenchtime = "50ms"
)

// The quick settings trade certainty for time. Six rounds are the minimum for a 95 % interval for a
// median. A trial with 21 benchmarks at an alpha of 1 % needs eight rounds to flag one of them, and
// the quick setting has ten.
const (
	QuickRounds      = 6
	QuickTrialRounds = 10
	QuickBenchtime   = "20ms"
)

// CheckBenchtime is the length of a sample in a trial decided round by round.
const CheckBenchtime = "100ms"

// ProfileRounds are enough to distinguish a disturbed round from the others. ProfileTrialRounds are
// enough to decide a few dozen scopes.
const (
	ProfileRounds      = 5
	ProfileTrialRounds = 12
)

// A Plan describes a measurement.
type Plan struct {
	program.Spec
	Sides     []program.Side
	Rounds    int                                  // not counting the warm-up round
	First     int                                  // number of the first round; 1 unless a trial is continued
	Timeout   time.Duration                        // time limit for one process
	BaseFirst func(s program.Slot, round int) bool // whether base goes first in this round; nil means always
	Identify  bool                                 // leave out benchmarks with the same code on both sides
	Paths     bool                                 // with Reach, record which changes the remaining benchmarks reach
	Reach     bool                                 // with Identify, also leave out benchmarks that do not reach any changed code
	Share     bool                                 // measure both sides of an edited or new benchmark with the test files of one side
	Part      Part                                 // the part that this machine measures; the zero value means all
	Slices    bool                                 // let the two sides take turns of a few milliseconds if possible; see package slicing
	Built     func() error                         // only for profiles of functions: called once all sides are built; may be nil
	Least     func(bench string) float64           // the smallest change that matters, as a fraction, used when choosing slices; nil means 5 %
	// Chosen holds the methods another measurement chose for nearly the same code, keyed by slots
	// named as in results. See ChosenMethods. The measurement adds its own choices of slicing
	// methods. If Chosen is nil, it chooses a method for every benchmark.
	Chosen map[program.Slot]slicing.Method
	// Remembered holds methods from earlier trials of other code, keyed in the same way. See
	// Remember. A method is adopted if the warm-up confirms it.
	Remembered map[program.Slot]Remembered
}

// A Sample is what one process printed of a benchmark: a line, or the medians of its repetitions.
type Sample struct {
	Side   int // index into Plan.Sides
	Result *benchfmt.Result
}

// A Round holds one sample from each side of every benchmark that was still open. The configuration
// of each result states its package, suite, round, position in the round and layout seed.
type Round struct {
	N        int
	Samples  []Sample
	Complete bool // false if the round was interrupted
}

// A Reached is a slot that reaches a change.
type Reached struct {
	Slot program.Slot
	Path []string // the shortest chain from the benchmark to the change, or the reason why the chain is unknown
}

// A Failure records that a slot did not finish.
type Failure struct {
	Side   int
	Slot   program.Slot
	Reason string
}

// An Outcome is the result of a measurement, except for its samples. It is valid even if there was
// an error, because everything measured before the error is kept.
type Outcome struct {
	Environments []record.Settings // one per side
	Facts        []record.Settings // one per side
	Units        []*benchfmt.UnitMetadata
	Failures     []Failure
	Unbuilt      []program.Unbuilt // packages that do not build
	Same         []program.Slot    // left out because they have the same code, or the same declared files, on both sides
	Unreached    []program.Slot    // left out because they reach no changed code
	Reached      []Reached         // with Plan.Paths, the slots that are measured and the reasons why
	Shared       []Shared          // measured on both sides with the test files of one
	Rewritten    []program.Slot    // not comparable, because the benchmark was edited and neither side's test files work with the other side's code
	Lacking      [][]program.Slot  // for each side, the slots that only the other side has; nil with one side
	Division     *Division         // how slots were divided into parts; nil if the plan is for all slots
	Rounds       int               // number of finished rounds, not counting the warm-up
	Methods      []record.Method   // the sampling method of each benchmark, if there are two sides and no profile
	// Processes holds the resources used by the processes of a profile, one list per side.
	Processes [][]record.Process
	// InProcesses is the wall time spent in benchmark processes, including the warm-up. The rest of
	// the time went into builds and bookkeeping.
	InProcesses time.Duration
}

// Progress describes a measurement's progress for a status line.
type Progress struct {
	Stage  string // build, link, reach or measure
	Round  int    // 0 is the warm-up
	Rounds int
	Done   int // number of processes finished in all rounds, including the warm-up
	Total  int // number of processes planned
	What   string
	Open   int // number of slots that still get samples
	Slots  int // number of slots at the start
	// While a process runs that may take long, Printed is the number of lines that it has printed,
	// and Last is the last of them, shortened to the benchmark's name if it is known.
	Printed int
	Last    string
	// A check sets Look to the first round after which it can decide, and Until to the end of its
	// time budget. Otherwise both are zero.
	Look  int
	Until time.Time
}
