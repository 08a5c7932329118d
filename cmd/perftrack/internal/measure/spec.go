package measure

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Spec describes the measurement of one target: its sources, its plan, and the facts to record.
// [Spec.Measure] measures everything; with [Spec.Drive] the caller decides what to measure.
type Spec struct {
	Session  *workspace.Session
	Where    workspace.Place
	DB       *store.DB
	Database string // path of DB; the journal is kept beside it
	Target   config.Target
	Sources  Sources
	Trial    string // id of the trial; "" outside a trial
	// Plan selects the benchmarks and the number of rounds, see [Flags.Plan]. Its target, sides and
	// machine settings are filled in. If OneSided is set, a side without samples is stored too, as
	// a run with the reason.
	Plan runner.Plan
	// Facts adds facts to the run of each side before the first sample. It may be nil.
	Facts func(*record.Run)
	// Progress replaces the session's progress function unless it is nil.
	Progress func(runner.Progress)
	// Empty reports whether a measurement without samples is acceptable. If it is nil, such a
	// measurement is an error.
	Empty func(out runner.Outcome) bool
	// StoreFailure stores both sides as failed if nothing can be measured. Otherwise the target
	// would look unaffected in the trial.
	StoreFailure bool
	// SplitFailed stores failures in a run of their own, so a failing benchmark does not keep the
	// other benchmarks out of the history. It also stores a failed run for a clean commit that does
	// not build.
	SplitFailed bool
	// BothSides makes the runs of a stretch include a side without samples, as a run with the
	// reason, even if the plan is not one-sided. The same holds if nothing could be measured.
	BothSides bool
	// Counts reports whether the measurement only collects counts. Other processes cannot
	// disturb counts, so the measurement does not wait for its turn.
	Counts bool
}
