package measure

import (
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
	"github.com/perftrack/perftrack/store"
)

// A Spec says what is measured of one target: from which sources, by which plan, and what
// its runs are to say of themselves. [Spec.Measure] does it.
type Spec struct {
	Session  *workspace.Session
	Where    workspace.Place
	DB       *store.DB
	Database string // path of DB: the journal is beside it
	Target   config.Target
	Sources  Sources
	Trial    string // id; "" for a run that is in none
	// Plan says how much is measured, see [Flags.Plan]. Its target, its sides and what
	// depends on the machine are filled in. With OneSided a side without samples is
	// stored, too, as a run that says why it has none.
	Plan runner.Plan
	// Facts notes facts on a run of either side before anything is measured; nil notes none.
	Facts func(*record.Run)
	Hooks Hooks
	// StoreFailure stores both sides as failed where nothing can be measured, so that
	// whoever reads the trial does not take the target for untouched.
	StoreFailure bool
	// FailedApart stores a run of its own of what failed, so that one benchmark that fails does not keep the
	// others, which are whole, out of the history, and one of a clean commit that does not build.
	FailedApart bool
	// Counts says that only counts are measured, which no other measurement disturbs: nobody waits.
	Counts bool
}

// Hooks let a command take part in its measurement. Nil hooks are skipped.
type Hooks struct {
	// Built is called when all sides are built. It may put the runs into another trial
	// and note facts on them, and returns the number of the first round and how many
	// there are to be.
	Built func(rec *Recording, out runner.Outcome) (first, rounds int, err error)
	// Waits is called before the wait for the turn to measure.
	Waits func()
	// Turn is told how long the wait took until no other perftrack measured, after Built, and returns when
	// this measurement ends at the latest: see [workspace.Session.TakeTurn].
	Turn func(waited time.Duration) (ends time.Time)
	// Open says whether a slot needs another round.
	Open func(runner.Slot) bool
	// Needed says up to which round what is open in this one is sure to be measured, see
	// [runner.Hooks].
	Needed func(round int) (last int)
	// Choosing says whether there is time to choose how one more slot is measured, and what for;
	// Warms and Warming which are warmed up, and whether there is time for that: see [runner.Hooks].
	Choosing func() (affords slicing.Affords, ok bool)
	Warms    func(runner.Slot) bool
	Warming  func(s runner.Slot, done, all int) bool
	// Warmed is told what the warm-up found.
	Warmed func([]runner.Warm)
	// Round is called after each round, when it is safe in the journal.
	Round func(rec *Recording, r runner.Round) error
	// Progress is called before each process, in place of the session's.
	Progress func(runner.Progress)
	// Ended is called when nothing more is measured, before the runs are stored, with the
	// error of the measurement, and returns the one that it has after all.
	Ended func(rec *Recording, out runner.Outcome, err error) error
	// Empty reports whether nothing is wrong where nothing was measured. Without it that
	// is an error.
	Empty func(out runner.Outcome) bool
}
