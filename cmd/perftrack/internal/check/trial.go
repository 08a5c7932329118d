package check

import (
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A trial is what a check measures, with what earlier checks of the same commits measured of it.
type trial struct {
	id        string
	share     float64       // of alpha, that it has
	others    int           // measurements of the same commits before it
	runs      []*record.Run // earlier checks first
	newcomers []string      // targets that it has no pair of yet; nil until it is asked
	continued bool
	joined    bool // a target goes on with what was found
}

// chooseTrial finds the trial that is gone on with, or begins one, and by which terms it is judged.
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

// findTrial looks for a trial of the same two commits in this environment to continue,
// else names a new one. A work tree that differs from its commit is never the same again.
func (c *check) findTrial(ctx context.Context, targets []config.Target) error {
	c.beginTrial()
	base, head, err := c.commits(ctx)
	if err != nil || head == "" {
		return err
	}
	trials, err := c.db.Trials(ctx)
	if err != nil {
		return err
	}
	trials = slices.DeleteFunc(trials, func(t store.Trial) bool { return !isCheck(t, base, head) })
	c.trial.others = measurementsBefore(trials, c.opt.Part)
	c.beginTrial()
	trials = slices.DeleteFunc(trials, func(t store.Trial) bool { return partOf(t) != numbered(c.opt.Part) })
	if trials = c.decidedByPairs(trials); len(trials) == 0 {
		return nil
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

// leaveTrial begins another trial than the one that was found. One that found a regression is not left:
// measuring anew until there is none is what the error rate does not allow for.
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
		return fault.Usagef("trial %s found a regression, which no new trial takes back: see perftrack compare %s, go on with it without --new-trial, or accept it with perftrack accept", c.trial.id, c.trial.id)
	}
	left := c.trial.id
	c.beginTrial()
	c.settle()
	c.session.Noticef("a new trial begins, with %.2g %% of the error rate; %s stays stored, and with it what it found", 100*c.trial.share, left)
	return nil
}

// newEnvironment says why a trial is not continued.
const newEnvironment = "the machine, the toolchain or their settings are others than in trial %s: a new trial begins"

// continueTrial goes on with a trial, unless a run of it is damaged: what the looks at the
// rest would say is not what they were planned for.
func (c *check) continueTrial(ctx context.Context, t store.Trial) error {
	var runs []*record.Run
	share := 1.
	for _, info := range t.Runs {
		run, err := c.db.Get(ctx, info.ID)
		if errors.Is(err, store.ErrDamaged) {
			c.session.Noticef("trial %s is not continued, a run of it is damaged: a new trial begins", t.ID)
			return nil
		}
		if err != nil {
			return err
		}
		runs = append(runs, run)
		share = min(share, compare.ShareOf(run))
	}
	c.trial.id, c.trial.runs, c.trial.continued, c.trial.share = t.ID, runs, true, share
	if n := len(c.trial.joining(c.targets)); n > 0 && compare.Spent(runs)+float64(n)/float64(c.trial.sharing(c.families)) > 1+1e-9 {
		c.session.Noticef("the targets of trial %s have all of its error rate: a new trial begins for others", t.ID)
		c.beginTrial()
	}
	return nil
}

// of returns the runs of a target.
func (t *trial) of(target string) []*record.Run {
	return slices.DeleteFunc(slices.Clone(t.runs), func(r *record.Run) bool { return r.Target != target })
}

// joining returns which of the targets of this check the trial has no pair of samples of: its
// families are of those that joined together.
func (t *trial) joining(targets []config.Target) []string {
	if t.newcomers == nil {
		t.newcomers = []string{}
		for _, one := range targets {
			if _, measured := compare.FamilyOf(t.of(one.Name)); !measured {
				t.newcomers = append(t.newcomers, one.Name)
			}
		}
	}
	return t.newcomers
}

// sharing returns how many targets share the error rate of the trial, of which there are so many here.
func (t *trial) sharing(families int) int {
	most := families
	for _, r := range t.runs {
		if terms, ok := comparison.ReadTerms(r); ok {
			most = max(most, terms.Families)
		}
	}
	return most
}

// beginTrial begins a trial, which has what earlier checks of the same commits left of
// alpha; a part has its share of that.
func (c *check) beginTrial() {
	c.trial = trial{id: c.session.NewTrialID(), share: c.opt.Part.Share(), others: c.trial.others, joined: c.trial.joined}
	if c.trial.others > 0 {
		c.trial.share *= compare.FurtherShare(c.trial.others)
	}
}
