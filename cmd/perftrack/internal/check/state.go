package check

import (
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/store"
)

// A check is a trial in progress.
type check struct {
	session  *workspace.Session
	where    workspace.Place
	opt      Options
	db       *store.DB
	database string // path of db
	clock
	targets      []config.Target
	targetChecks []*targetCheck      // one for each target, in the order of the targets
	stored       []measure.StoredRun // runs stored by this check
	trial        trial
	rules        *config.Config   // the configuration of the base
	families     int              // number of targets sharing the error rate
	terms        comparison.Terms // without the known noise
	noise        *comparison.Noises
	release      func() // gives up the lock on measuring; nil before it is taken
}

// A clock keeps the time of a check, not counting waits for other measurements.
type clock struct {
	began       time.Time
	deadline    time.Time     // zero if there is no budget
	measures    time.Time     // when everything is built and measuring begins
	inProcesses time.Duration // time spent in benchmark processes
	foretold    bool          // a notice about the budget was given or was unnecessary
}

// waited excludes a wait from the check's time and returns the new deadline.
func (c *clock) waited(d time.Duration) time.Time {
	c.began = c.began.Add(d)
	if !c.deadline.IsZero() {
		c.deadline = c.deadline.Add(d)
	}
	return c.deadline
}

// A targetCheck measures one target and decides when its benchmarks need no further rounds.
type targetCheck struct {
	check      *check
	target     config.Target
	first      []*record.Run                   // its runs after the first round
	shown      runner.Progress                 // the last progress shown
	benchmarks int                             // number of benchmarks, as far as known
	shared     int                             // number of benchmarks measured with the same test files on both sides
	chosen     map[program.Slot]slicing.Method // sampling methods of earlier checks of the trial
	remembered map[program.Slot]runner.Remembered
	reach      map[program.Slot]nearness // nearness of each benchmark function to the change
	plan       budgetPlan
	agenda     agenda
	laps       laps
	pace       pace
	short      bool // no look could have flagged anything yet
	end        end
}

// An end tracks whether the budget is spent.
type end struct {
	asked bool // whether the time left for the current round was checked
	came  bool // the budget is spent
	left  int  // number of slots without a further round for this reason
}

// newTargetCheck returns the check of a target before it is built.
func newTargetCheck(c *check, t config.Target) *targetCheck {
	return &targetCheck{
		check: c, target: t, short: true, chosen: map[program.Slot]slicing.Method{}, remembered: map[program.Slot]runner.Remembered{},
	}
}

// nearness describes how near a benchmark is to changed code.
type nearness struct {
	edited bool
	path   int // number of functions to changed code; 0 if unknown
}

// A trial is the measurement of a check, including the runs of earlier checks of the same commits.
type trial struct {
	id        string
	share     float64       // share of alpha
	others    int           // number of earlier measurements of the same commits
	runs      []*record.Run // runs of earlier checks first
	newcomers []string      // targets without a pair of samples; nil until needed
	continued bool
	joined    bool // a target has continued an earlier check
}
