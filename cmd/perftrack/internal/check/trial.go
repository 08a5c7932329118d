package check

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// chooseTrial continues a trial or begins a new one, and sets its terms.
func (c *check) chooseTrial(ctx context.Context) error {
	if err := c.findTrial(ctx, c.targets); err != nil {
		return err
	}
	c.settle()
	if !c.opt.NewTrial {
		return nil
	}
	return c.leaveTrial(ctx)
}

// findTrial looks for a trial of the same two commits in this environment. If it finds no trial, it
// begins a new one. A work tree with changes always needs a new trial.
func (c *check) findTrial(ctx context.Context, targets []config.Target) error {
	c.beginTrial()
	base, head, err := c.commits(ctx)
	if err == nil && head == "" && c.opt.RoundsPart.Of > 0 {
		return fault.Usagef("the work tree has uncommitted changes, so other machines cannot measure the same: name a commit with --head")
	}
	if err != nil || head == "" {
		return err
	}
	trials, err := c.db.Trials(ctx)
	if err != nil {
		return err
	}
	if c.opt.RoundsPart.Of > 0 {
		return c.roundsTrial(trials, base, head)
	}
	trials = slices.DeleteFunc(trials, func(t store.Trial) bool { return !isCheck(t, base, head) })
	c.trial.others = measurementsBefore(trials, c.opt.Part)
	c.beginTrial()
	trials = slices.DeleteFunc(trials, func(t store.Trial) bool { return partOf(t) != numbered(c.opt.Part) })
	if trials = c.decidedHere(trials); len(trials) == 0 {
		return nil
	}
	class := c.opt.Spread.Class
	if trials = slices.DeleteFunc(trials, func(t store.Trial) bool { return spreadClass(t) != class }); class != "" && len(trials) > 0 {
		return c.continueTrial(ctx, trials[len(trials)-1])
	}
	trials = slices.DeleteFunc(trials, func(t store.Trial) bool { return !onCPUs(t, c.where.CPUs.String()) })
	if len(trials) == 0 {
		return nil
	}
	newest := trials[len(trials)-1]
	trials = slices.DeleteFunc(trials, func(t store.Trial) bool { return !c.measuredHere(ctx, t, targets) })
	if len(trials) == 0 {
		c.session.Noticef(newEnvironment, newest.ID)
		return nil
	}
	return c.continueTrial(ctx, trials[len(trials)-1])
}

// leaveTrial begins another trial instead of the one found. It refuses to leave a trial with a
// regression, because the error rate does not allow repeating the measurement until the regression
// is gone.
func (c *check) leaveTrial(ctx context.Context) error {
	if !c.trial.continued {
		return nil
	}
	found := c.judge(c.trial.runs, false)
	accepted, err := c.accepted(ctx)
	if err != nil {
		return err
	}
	accepted.Explain(found)
	if found.Unaccepted() > 0 || found.FailedLimits(false) > 0 {
		return fault.Usagef("trial %s found a regression and cannot be replaced by a new trial: see perftrack compare %s, continue the trial without --new-trial, or accept the regression with perftrack ci accept", c.trial.id, c.trial.id)
	}
	left := c.trial.id
	c.beginTrial()
	c.settle()
	c.session.Noticef("starting a new trial with %.2g %% of the error rate; trial %s and its findings stay stored", 100*c.trial.share, left)
	return nil
}

// newEnvironment is the notice about a trial not continued because the environment changed.
const newEnvironment = "starting a new trial, because the machine, the toolchain or their settings differ from trial %s"

// continueTrial continues a trial, unless one of its runs is damaged. Without the damaged run, the
// looks would not match the plan.
func (c *check) continueTrial(ctx context.Context, t store.Trial) error {
	runs, err := c.runsOf(ctx, t)
	if errors.Is(err, store.ErrDamaged) {
		c.session.Noticef("starting a new trial, because trial %s has a damaged run", t.ID)
		return nil
	}
	if err != nil {
		return err
	}
	share := 1.
	for _, run := range runs {
		share = min(share, pairs.ShareOf(run))
	}
	c.trial.id, c.trial.runs, c.trial.continued, c.trial.share = t.ID, runs, true, share
	if n := len(c.trial.joining(c.targets)); n > 0 && pairs.Spent(runs)+float64(n)/float64(c.trial.sharing(c.families)) > 1+1e-9 {
		c.session.Noticef("starting a new trial for other targets, because trial %s has used up its error rate", t.ID)
		c.beginTrial()
	}
	return nil
}

// runsOf reads the runs of a trial.
func (c *check) runsOf(ctx context.Context, t store.Trial) (runs []*record.Run, err error) {
	for _, info := range t.Runs {
		run, err := c.db.Get(ctx, info.ID)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// of returns the runs of a target.
func (t *trial) of(target string) []*record.Run {
	return slices.DeleteFunc(slices.Clone(t.runs), func(r *record.Run) bool { return r.Target != target })
}

// joining returns the targets of this check without a pair of samples in the trial so far. These
// targets join the trial together, as one family.
func (t *trial) joining(targets []config.Target) []string {
	if t.newcomers == nil {
		t.newcomers = []string{}
		for _, one := range targets {
			if _, measured := pairs.FamilyOf(t.of(one.Name)); !measured {
				t.newcomers = append(t.newcomers, one.Name)
			}
		}
	}
	return t.newcomers
}

// sharing returns the number of targets sharing the error rate of the trial, at least families.
func (t *trial) sharing(families int) int {
	most := families
	for _, r := range t.runs {
		if terms, ok := comparison.ReadTerms(r); ok {
			most = max(most, terms.Families)
		}
	}
	return most
}

// beginTrial begins a trial with the share of alpha left by earlier checks of the same commits. If
// only a part of the benchmarks is measured, the trial gets only the part's share of it.
func (c *check) beginTrial() {
	c.trial = trial{id: c.session.NewTrialID(), share: c.opt.Part.Share(), others: c.trial.others, joined: c.trial.joined}
	if c.trial.others > 0 {
		c.trial.share *= pairs.FurtherShare(c.trial.others)
	}
}
