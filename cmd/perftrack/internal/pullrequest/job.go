package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// A job is one run of the commenting workflow: it writes a comment on each pull request whose
// head was measured, and the status of that head.
type job struct {
	session   *workspace.Session
	opt       Options
	event     *githubapi.Event
	github    *githubapi.Client
	trials    []*trialRun            // the newest first
	pull      *githubapi.PullRequest // that is being judged
	before    []githubapi.CommitStatus
	beforeErr error
	asked     bool  // for before
	self      int64 // who our token writes as, 0: not known yet
	posted    bool  // the status was set, or GitHub refused it
	link      string
	label     *labelGrant // of the pull request that is being judged
	records   map[string]sizes
	notes     []string // for its comment
	res       Result
}

// tolerate turns errors of GitHub, and a pull request that is gone, into notices.
func (c *job) tolerate(ctx context.Context, err error) error {
	var none *githubapi.NoPullError
	var api *githubapi.Error
	switch {
	case errors.As(err, &none):
		c.session.Noticef("no comment: %v", none)
		return nil
	case errors.As(err, &api):
		c.refused(ctx, api)
		return nil
	}
	return err
}

func (c *job) comment(ctx context.Context) error {
	all, err := c.subjects(ctx)
	if err != nil {
		return err
	}
	c.res.Pull = all[0].pull.Number
	found := c.findTrials(ctx, all[0].pull)
	for _, j := range all {
		if j.err = found; j.err == nil {
			j.err = c.findBase(ctx, j)
		}
	}
	var mistakes error
	for _, j := range all {
		mistakes = cmp.Or(mistakes, c.settle(ctx, j))
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	c.combine(all)
	c.warnOfNamesakes(ctx, all)
	c.collect(all)
	if c.opt.DryRun {
		return mistakes
	}
	return cmp.Or(mistakes, c.publish(ctx, all))
}

// subjects returns what the event is about: pull requests, or a merge group.
func (c *job) subjects(ctx context.Context) (all []*judgement, err error) {
	if c.event.OfGroup() {
		group, pull, err := c.github.FindGroup(ctx, c.event)
		return []*judgement{{pull: pull, group: group}}, err
	}
	pulls, err := c.github.FindPullRequests(ctx, c.event)
	for i := range pulls {
		all = append(all, &judgement{pull: &pulls[i]})
	}
	return all, err
}

// judge compares the trials of a pull request, and finds which regressions are intended.
func (c *job) judge(ctx context.Context, j *judgement) error {
	if ok, err := c.carryOver(ctx, j); ok || err != nil {
		return err
	}
	if len(j.trials) == 0 {
		if ok, err := c.spare(ctx, j); ok || err != nil {
			return err
		}
		return c.errNoTrial(j)
	}
	c.pull, c.label, c.records, c.notes = j.pull, nil, nil, nil
	rules, err := c.github.BaseConfig(ctx, c.pull)
	if err != nil {
		return err
	}
	for _, m := range j.trials {
		if none := refuseLessLayout(rules, slices.Concat(m.base.Runs, m.head.Runs)); none != nil {
			return none
		}
	}
	history, err := c.readBaseHistory(ctx, sideCommit(j.trials[0].base))
	if err != nil {
		return err
	}
	options := optionsFrom(rules)
	options.Known = history.known(rules)
	if options.Edited, err = c.edited(ctx, j.trials); err != nil {
		return err
	}
	gone, err := c.countGone(ctx, j)
	if err != nil {
		return err
	}
	base, head := joinTrials(j.trials, gone, options)
	comparison := compare.Compare(base, head, options)
	comparison.United()
	noteOtherTerms(comparison, rules)
	comparison.Untried = append(unmeasured(rules, comparison), history.vanished(comparison)...)
	accepted, err := c.findIntended(ctx, comparison, rules.Defaults.Accept)
	if err != nil {
		return err
	}
	j.link = c.runLink(j.trials[0].id())
	if lost := compare.DescribeLost(comparison.LostParts()); lost != "" {
		c.note("Of the benchmarks %s: see the log of the job that was to measure it, and run that again.", lost)
	}
	shown := c.shown(j.link)
	shown.Pull, shown.Fork, shown.Accept, shown.Strict = c.pull.Number, c.pull.FromFork(), rules.Defaults.Accept, c.opt.Strict
	shown.Site = rules.Defaults.Site
	shown.Accepted, shown.Hidden, shown.Notes, shown.OwnWorkflow = accepted, c.hiddenState(ctx, comparison), c.notes, true
	if chartable(comparison, accepted) {
		if shown.Histories, err = c.readMedians(ctx, sideCommit(base)); err != nil {
			return err
		}
	}
	for _, m := range j.trials {
		shown.Why = append(shown.Why, m.whys...)
	}
	f := github.New(comparison, shown)
	j.Result, j.changed = resultOf(f), f.Changed()
	j.write = func(o github.Overruled) (body, summary string) {
		f.Overrule(o)
		return f.Comment(), f.Summary()
	}
	c.limitToPart(j, head.Runs, rules.Defaults)
	if isVerdict(j.State) {
		j.against = sideCommit(base)
	}
	if j.State == github.Success && comparison.Count(compare.Regressed) == 0 {
		return c.stillFails(ctx, j, rules.Defaults.Accept)
	}
	return nil
}

// unmeasured returns the targets of the base branch of which the trial says nothing: a
// pull request that takes a target out must not do so unseen.
func unmeasured(rules *config.Config, c *compare.Comparison) (lost []compare.Untried) {
	missed := c.LostParts() // says it already
	for _, t := range rules.Targets {
		if !c.Covers(t.Name) && !slices.ContainsFunc(missed, func(l compare.LostPart) bool { return l.Target == t.Name }) {
			lost = append(lost, compare.Untried{Target: t.Name})
		}
	}
	return lost
}

// refuseLessLayout returns why a trial does not count that controlled the layout of a target
// less than the base branch declares: a regression would be no more than a suspicion.
func refuseLessLayout(rules *config.Config, runs []*record.Run) *noResultError {
	for _, r := range runs {
		was, ok := workspace.FindTarget(rules.Targets, r.Target)
		if ok && was.LayoutMode() != config.LayoutDefault && r.Env.Get(record.KeyLayout) == config.LayoutDefault {
			return broken(fmt.Sprintf("target %s was not measured with layout = %q, as the base declares: give a target of another kind another name", was.Name, was.LayoutMode()), nil)
		}
	}
	return nil
}

// shown are the options of a comment, with addresses made of parts that GitHub gave.
func (c *job) shown(link string) github.Options {
	o := github.Options{Workflow: c.opt.Workflow, Link: link}
	if c.opt.Actions.Server != "" {
		repository := c.opt.Actions.Server + "/" + c.event.Repository.FullName
		o.Commits, o.History = repository+"/commit/", repository+"/actions/workflows/"+historyWorkflow
	}
	return o
}

// runLink returns the address of a run, made of parts that GitHub gave; if id is 0, that of
// the run which ended, or of this one.
func (c *job) runLink(id int64) string {
	run := c.opt.Actions.Run
	if c.event.WorkflowRun != nil {
		run = fmt.Sprint(cmp.Or(id, c.event.WorkflowRun.ID))
	}
	if c.opt.Actions.Server == "" || run == "" {
		return ""
	}
	return c.opt.Actions.Server + "/" + c.event.Repository.FullName + "/actions/runs/" + run
}
