package measure

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A Spec says what is measured of one target: from which sources, by which plan, and what
// its runs are to say of themselves. [Spec.Measure] does it, and [Spec.Drive] as the caller wants it.
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
	// Progress is called before each process, in place of the session's; nil is that.
	Progress func(runner.Progress)
	// Empty reports whether nothing is wrong where nothing was measured. With nil that is an error.
	Empty func(out runner.Outcome) bool
	// StoreFailure stores both sides as failed where nothing can be measured, so that
	// whoever reads the trial does not take the target for untouched.
	StoreFailure bool
	// FailedApart stores a run of its own of what failed, so that one benchmark that fails does not keep the
	// others, which are whole, out of the history, and one of a clean commit that does not build.
	FailedApart bool
	// Counts says that only counts are measured, which no other measurement disturbs: nobody waits.
	Counts bool
}
