package check

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/store"
)

// Options says what `perftrack check` measures.
type Options struct {
	Targets []string
	Base    string        // "" is the merge base with the default branch
	Head    string        // "" is the work tree
	Budget  time.Duration // of the whole check; 0 is no limit
	// UsualBudget gives the check, once all is built, the time that so many benchmarks need usually, in place
	// of Budget: see usualBudget.
	UsualBudget bool
	All         bool // measure also what reaches no changed code
	// NewTrial leaves the trial of earlier checks as it is and begins another, with what is left of
	// the error rate.
	NewTrial bool
	// IfNeeded is the tip of the base's branch: nothing is measured where neither its configuration
	// nor the base's asks for it. "" measures whatever they say.
	IfNeeded string
	// Part is which part of the benchmarks is measured; the zero value is all of them.
	Part  compare.Part
	Flags measure.Flags // without Rounds, which the look decides
}

// A Result is the trial as a whole: what this check measured, and what
// earlier ones did that it continued.
type Result struct {
	Runs       []measure.StoredRun // by this check
	Trial      string
	Comparison *compare.Comparison
	Continued  bool
	Spared     bool // the base's configuration does not ask for this check: there is no comparison
	// Took is the time of this check, and InProcesses what of it was spent in
	// benchmark processes.
	Took, InProcesses time.Duration
	// Accepted are the changes that were accepted at a commit between base and
	// head: their regressions do not gate.
	Accepted compare.Accepted
}

// continuedRounds is how many further rounds a trial gets that is continued
// after its last look.
const continuedRounds = 20

// Run measures base and head side by side until each benchmark is decided or
// the budget is spent. A second check of the same commits continues the trial of
// the first. When ctx is cancelled, what was measured is stored, and returned
// beside the error.
func Run(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	here, _ := a.LocateUnconfigured(ctx)
	if err := needBase(here); err != nil {
		return res, err
	}
	where, targets, sources, err := opt.locate(ctx, a)
	if err != nil {
		return res, err
	}
	if err := errors.Join(needModule(ctx, where, targets, opt), opt.Flags.CheckBench(ctx, where, targets, opt.Base, opt.Head)); err != nil {
		return res, err
	}
	began := a.Now()
	db, database, err := a.OpenForWriting(ctx)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()

	c := &check{session: a, where: where, opt: opt, database: database, db: db, clock: clock{began: began}}
	if opt.Budget > 0 {
		c.deadline = began.Add(opt.Budget)
	}
	defer func() {
		if c.release != nil {
			c.release()
		}
	}()
	if c.rules, err = c.rulesOf(ctx, opt.Base); err != nil {
		return res, err
	}
	if needed, err := c.needed(ctx); err != nil || !needed {
		res.Spared = err == nil
		return res, err
	}
	// All that there are share alpha, checked now or not: who checks them one by one must not
	// spend it once for each.
	c.families = max(len(targets), a.CountTargets(ctx, where), len(c.rules.Targets))
	c.where, targets = c.where.Obey(c.rules, targets, a.Noticef)
	if c.where.Config.Defaults.Isolate {
		if err := proc.Boxable(ctx); err != nil {
			return res, fault.IO(err)
		}
	}
	kept := c.baseLayouts(targets)
	c.noteLayouts(targets, kept)
	targets = kept
	c.targets = targets
	c.noise = comparison.NewNoises(context.WithoutCancel(ctx), db)
	if err := c.chooseTrial(ctx); err != nil {
		return res, err
	}
	before, err := c.readTree(ctx)
	if err != nil {
		return res, err
	}
	err = errors.Join(c.run(ctx, sources), c.noteEdits(ctx, before, targets))
	res.Runs, res.Trial, res.Continued = c.stored, c.trial.id, c.trial.continued
	res.Comparison = c.judge(c.trial.runs, false)
	accepted, acceptErr := c.accepted(ctx)
	res.Accepted = accepted
	res.Accepted.Explain(res.Comparison)
	res.Took, res.InProcesses = a.Now().Sub(c.began), c.inProcesses
	return res, errors.Join(err, acceptErr)
}

// locate finds the place, the targets and their sources, and the base where none is named.
func (o *Options) locate(ctx context.Context, a *workspace.Session) (where workspace.Place, targets []config.Target, sources measure.Sources, err error) {
	if where, targets, err = a.LocateTargets(ctx, o.Flags.CPUs, o.Flags.Procs, o.Targets); err != nil {
		return where, nil, sources, err
	}
	if o.Base == "" {
		if o.Base, err = defaultBase(ctx, where, o.Head); err != nil {
			return where, nil, sources, err
		}
	}
	sources = measure.Sources{Rev: o.Head, Beside: o.Base}
	return where, targets, sources, sources.CheckTargets(targets)
}

// accepted returns what was accepted at the commits between base and head.
func (c *check) accepted(ctx context.Context) (compare.Accepted, error) {
	ctx = context.WithoutCancel(ctx) // what there is is shown also after an interruption
	return comparison.AcceptancesBetween(ctx, c.session, c.db, c.where, c.opt.Base, cmp.Or(c.opt.Head, "HEAD"))
}

// A check is one trial on its way.
type check struct {
	session  *workspace.Session
	where    workspace.Place
	opt      Options
	db       *store.DB
	database string // path
	clock
	targets  []config.Target
	courses  []*course           // of the targets, in their order
	stored   []measure.StoredRun // by this check
	trial    trial
	rules    *config.Config   // of the base
	families int              // targets that share the error rate
	terms    comparison.Terms // without the known noise
	noise    *comparison.Noises
	release  func() // ends the turn to measure; nil before there is one
}

// A clock is the time of a check, without the wait for other measurements.
type clock struct {
	began       time.Time
	deadline    time.Time     // zero without a budget
	measures    time.Time     // from then on: all is built
	inProcesses time.Duration // what of it was spent in benchmark processes
	foretold    bool          // it was said, or found needless, that the budget is too small
}

// waited leaves a wait out, and returns the deadline after it.
func (c *clock) waited(d time.Duration) time.Time {
	c.began = c.began.Add(d)
	if !c.deadline.IsZero() {
		c.deadline = c.deadline.Add(d)
	}
	return c.deadline
}
