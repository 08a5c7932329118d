package check

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// needBase refuses a folder that has no commits, and so no base.
func needBase(p workspace.Place) error { return p.NeedRepo("there is no base to check against") }

// defaultBase returns the merge base of head with the default branch.
func defaultBase(ctx context.Context, p workspace.Place, head string) (string, error) {
	if err := needBase(p); err != nil {
		return "", err
	}
	branch, err := p.Repo.DefaultBranch(ctx)
	if errors.Is(err, gitrepo.ErrNoDefaultBranch) {
		return "", fault.Usagef("%w: name the base with --base", err)
	}
	if err != nil {
		return "", fault.Git(err)
	}
	rev := head
	if rev == "" {
		rev = "HEAD"
	}
	base, err := p.Repo.MergeBase(ctx, branch, rev)
	if err != nil {
		return "", fault.Git(err)
	}
	tip, err := p.Repo.Resolve(ctx, rev)
	if err != nil {
		return "", fault.Git(err)
	}
	if tip.SHA == base.SHA {
		state, err := p.Repo.WorkTree(ctx)
		if err != nil {
			return "", fault.Git(err)
		}
		if head != "" || !state.Dirty {
			if shallow, err := p.Repo.Shallow(); err == nil && shallow {
				return "", fault.Usagef("%s is in %s, as far as this shallow clone tells: fetch all with `git fetch --unshallow`, in a workflow with fetch-depth: 0, or name another base with --base", rev, branch)
			}
			return "", fault.Usagef("%s is in %s already: name another base, as in --base %s~1", rev, branch, rev)
		}
	}
	return base.SHA, nil
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

// takeTurn waits, when all targets are built, until no other perftrack measures. The wait is not part of
// the budget. What others measured of the same commits meanwhile belongs to the trial, as if
// this check had begun after them: it may have spent the error rate.
func (c *check) takeTurn(ctx context.Context) (err error) {
	if c.turned {
		return nil
	}
	c.turned = true
	long := false
	c.release, err = c.session.TakeTurn(ctx, func(waited time.Duration) time.Time {
		long = waited > 0
		c.began = c.began.Add(waited)
		if !c.deadline.IsZero() {
			c.deadline = c.deadline.Add(waited)
		}
		return c.deadline
	})
	if err != nil || !long {
		return err
	}
	if err := c.chooseTrial(ctx); err != nil {
		return err
	}
	for _, t := range c.targets {
		if err := c.noise.Learn(c.of(t.Name)); err != nil {
			return err
		}
	}
	return nil
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
	c.others = measurementsBefore(trials, c.opt.Part)
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
	if !c.continued {
		return nil
	}
	found := c.judge(c.runs, false)
	accepted, err := c.accepted(ctx)
	if err != nil {
		return err
	}
	accepted.Explain(found)
	if found.Unaccepted() > 0 || found.FailedLimits(false) > 0 {
		return fault.Usagef("trial %s found a regression, which no new trial takes back: see perftrack compare %s, go on with it without --new-trial, or accept it with perftrack accept", c.trial, c.trial)
	}
	left := c.trial
	c.beginTrial()
	c.settle()
	c.session.Noticef("a new trial begins, with %.2g %% of the error rate; %s stays stored, and with it what it found", 100*c.share, left)
	return nil
}

// decidedByPairs returns the trials that the procedure of new ones decides. One that another
// perftrack measured by its own is never gone on with: its looks were planned for that.
func (c *check) decidedByPairs(trials []store.Trial) []store.Trial {
	other := func(r record.RunInfo) bool { return !compare.Decides(&r.Run) }
	var newest *store.Trial
	kept := slices.DeleteFunc(slices.Clone(trials), func(t store.Trial) bool {
		if slices.ContainsFunc(t.Runs, other) {
			newest = &t
			return true
		}
		return false
	})
	if len(kept) == 0 && newest != nil {
		c.session.Noticef("trial %s is decided by %s: a new trial begins",
			newest.ID, compare.DecisionName(newest.Runs[slices.IndexFunc(newest.Runs, other)].Facts.Get(record.KeyDecision)))
	}
	return kept
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
	c.trial, c.runs, c.continued, c.share = t.ID, runs, true, share
	if n := len(c.joining()); n > 0 && compare.Spent(runs)+float64(n)/float64(c.sharing()) > 1+1e-9 {
		c.session.Noticef("the targets of trial %s have all of its error rate: a new trial begins for others", t.ID)
		c.beginTrial()
	}
	return nil
}

// joining returns the targets of this check that the trial has no pair of samples of: its
// families are of those that joined together.
func (c *check) joining() []string {
	if c.newcomers == nil {
		c.newcomers = []string{}
		for _, t := range c.targets {
			if _, measured := compare.FamilyOf(c.of(t.Name)); !measured {
				c.newcomers = append(c.newcomers, t.Name)
			}
		}
	}
	return c.newcomers
}

// sharing returns how many targets share the error rate of the trial.
func (c *check) sharing() int {
	most := c.families
	for _, r := range c.runs {
		if t, ok := comparison.ReadTerms(r); ok {
			most = max(most, t.Families)
		}
	}
	return most
}

// beginTrial begins a trial, which has what earlier checks of the same commits left of
// alpha; a part has its share of that.
func (c *check) beginTrial() {
	c.trial, c.runs, c.continued, c.share, c.newcomers = c.session.NewTrialID(), nil, false, 1, nil
	if c.others > 0 {
		c.share = compare.FurtherShare(c.others)
	}
	c.share *= c.opt.Part.Share()
}

// commits returns the hashes of both sides; head is "" for changed work trees.
func (c *check) commits(ctx context.Context) (base, head string, err error) {
	if c.where.Repo == nil {
		return "", "", nil // checkout will say so
	}
	b, err := c.where.Repo.Resolve(ctx, c.opt.Base)
	if err != nil {
		return "", "", fault.Git(err)
	}
	if c.opt.Head != "" {
		h, err := c.where.Repo.Resolve(ctx, c.opt.Head)
		if err != nil {
			return "", "", fault.Git(err)
		}
		return b.SHA, h.SHA, nil
	}
	state, err := c.where.Repo.WorkTree(ctx, c.database)
	if err != nil {
		return "", "", fault.Git(err)
	}
	if state.Dirty || state.Unborn {
		return b.SHA, "", nil
	}
	return b.SHA, state.Commit.SHA, nil
}

// onCPUs reports whether a trial was measured on these CPUs; one on others has nothing
// to say of them.
func onCPUs(t store.Trial, cpus string) bool {
	return !slices.ContainsFunc(t.Runs, func(r record.RunInfo) bool { return r.Env.Get(record.KeyCPUAffinity) != cpus })
}

// measuredHere reports whether a trial is of this environment, as far as it is known
// before anything is built: also of the targets that are not checked now.
func (c *check) measuredHere(ctx context.Context, t store.Trial, targets []config.Target) bool {
	for _, target := range slices.Concat(targets, c.baseLayouts(c.where.Config.Targets)) {
		of := func(r record.RunInfo) bool { return r.Target == target.Name && r.Side == record.Head }
		if !slices.ContainsFunc(t.Runs, of) {
			continue
		}
		env, err := runner.Environment(ctx, target, c.where.ModuleDir(), c.where.CPUs)
		if err != nil {
			continue // whoever measures it says so
		}
		if slices.ContainsFunc(t.Runs, func(r record.RunInfo) bool {
			return r.Target == target.Name && r.Side == record.Head && !comparison.SameEnvironment(env, r.Env)
		}) {
			return false
		}
	}
	return true
}

// isCheck reports whether the trial is a check of the two commits, wherever it was made.
func isCheck(t store.Trial, base, head string) bool {
	sides := map[record.Side]bool{}
	for _, r := range t.Runs {
		want := map[record.Side]string{record.Base: base, record.Head: head}[r.Side]
		if r.Commit.SHA != want || r.Commit.Dirty || r.Facts.Get(record.KeyProcedure) != compare.ProcedureCheck {
			return false
		}
		sides[r.Side] = true
	}
	return len(sides) == 2
}

// baseLayouts returns the targets with the layouts of the base where those of head are none: a change
// cannot turn its own regressions into suspicions by giving up what the base declares.
func (c *check) baseLayouts(targets []config.Target) []config.Target {
	targets = slices.Clone(targets)
	for i, t := range targets {
		was, ok := workspace.FindTarget(c.rules.Targets, t.Name)
		if ok && was.Kind == t.Kind && t.LayoutMode() == config.LayoutDefault && was.LayoutMode() != config.LayoutDefault {
			targets[i].Layout = was.LayoutMode()
		}
	}
	return targets
}

// noteLayouts says of which targets the base's layouts are kept.
func (c *check) noteLayouts(asked, kept []config.Target) {
	for i, t := range kept {
		if t.Layout != asked[i].Layout {
			c.session.Noticef("target %s is measured with layout = %q, as the base declares", t.Name, t.Layout)
		}
	}
}
