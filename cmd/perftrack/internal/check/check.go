package check

import (
	"context"
	"errors"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/measure"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/acceptance"
	"github.com/perftrack/perftrack/runner/proc"
)

// A Result describes the whole trial: the runs of this check and of the earlier checks it
// continued.
type Result struct {
	Runs       []measure.StoredRun // stored by this check
	Trial      string
	Comparison *compare.Comparison
	Continued  bool
	Spared     bool // the base's configuration does not require this check, so there is no comparison
	// Took is the duration of this check, and InProcesses is the part spent in benchmark processes.
	Took, InProcesses time.Duration
	// Accepted holds the changes accepted between base and head. Their regressions do not fail
	// the gate.
	Accepted acceptance.List
}

// Run measures base and head side by side until each benchmark is decided or the budget is spent. A
// second check of the same commits continues the trial of the first. If ctx is cancelled, Run
// stores the samples so far and returns them with the error.
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
	// All targets share alpha, even those not checked now. Otherwise, checking each target
	// separately would spend alpha several times.
	c.families = max(len(targets), a.CountTargets(ctx, where), len(c.rules.Targets))
	c.where, targets = c.where.Obey(c.rules, targets, a.Noticef)
	if opt.Spread.Class != "" {
		if err := c.commitHead(ctx); err != nil {
			return res, err
		}
	} else if c.where.Config.Defaults.Isolate {
		if err := proc.Boxable(ctx); err != nil {
			return res, fault.IO(err)
		}
	}
	kept := workspace.BaseLayouts(c.rules, targets)
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
	measuring := func() error { return c.run(ctx, sources) }
	if opt.Spread.Class != "" {
		measuring = func() error { return c.spread(ctx) }
	}
	err = errors.Join(measuring(), c.noteEdits(ctx, before, targets))
	res.Runs, res.Trial, res.Continued = c.stored, c.trial.id, c.trial.continued
	if opt.RoundsPart.Of > 0 {
		res.Took, res.InProcesses = a.Now().Sub(c.began), c.inProcesses
		return res, err
	}
	res.Comparison = c.judge(c.trial.runs, false)
	accepted, acceptErr := c.accepted(ctx)
	res.Accepted = accepted
	res.Accepted.Explain(res.Comparison)
	res.Took, res.InProcesses = a.Now().Sub(c.began), c.inProcesses
	return res, errors.Join(err, acceptErr)
}
