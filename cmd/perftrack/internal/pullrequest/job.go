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

// A job is one run of the commenting workflow. It writes a comment on each pull request with a
// measured head, and sets the head's status.
type job struct {
	session   *workspace.Session
	opt       Options
	event     *githubapi.Event
	github    *githubapi.Client
	trials    []*trialRun            // newest first
	pull      *githubapi.PullRequest // the pull request to judge
	before    []githubapi.CommitStatus
	beforeErr error
	asked     bool  // whether before and beforeErr are set
	self      int64 // id of our token's user, or 0 if unknown
	posted    bool  // whether we tried to set the status
	link      string
	stamp     githubapi.Stamp
	label     *labelGrant // acceptance by label on pull
	records   map[string]sizes
	notes     []string // for the comment on pull
	res       Result
}

// tolerate turns the errors for a refused request and for a missing pull request into notices.
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

// subjects returns the subjects to judge: the event's pull requests or its merge group.
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

// judge judges a pull request by its trials, taking the intended regressions into account.
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
	history, err := c.readBaseHistory(ctx, j.trials[0].base.Commit())
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
	comparison.JoinParts()
	noteOtherTerms(comparison, rules)
	comparison.Untried = append(unmeasured(rules, comparison), history.vanished(comparison)...)
	accepted, err := c.findIntended(ctx, comparison, rules.Defaults.Accept)
	if err != nil {
		return err
	}
	j.link = c.runLink(j.trials[0].id())
	if lost := compare.DescribeLost(comparison.LostParts()); lost != "" {
		c.note("Not all benchmarks were measured: %s. See the measuring job's log, and run that job again.", lost)
	}
	shown := c.shown(j.link)
	shown.Pull, shown.Fork, shown.Accept, shown.Strict = c.pull.Number, c.pull.FromFork(), rules.Defaults.Accept, c.opt.Strict
	shown.Site, shown.Opaque = rules.Defaults.Site, rules.Opaque()
	shown.Accepted, shown.Hidden, shown.Notes, shown.OwnWorkflow = accepted, c.hiddenState(ctx, comparison), c.notes, true
	if hasOpenRegression(comparison, accepted) {
		if shown.Histories, err = c.readMedians(ctx, base.Commit()); err != nil {
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
		j.against, j.worse = []string{base.Commit()}, f.Worse()
	}
	if j.State == github.Success && comparison.Count(compare.Regressed) == 0 {
		return c.stillFails(ctx, j, rules.Defaults.Accept)
	}
	return nil
}

// unmeasured returns the base branch's targets without a result in the trial. A pull request must
// not be able to remove a target unnoticed.
func unmeasured(rules *config.Config, c *compare.Comparison) (lost []compare.Untried) {
	missed := c.LostParts() // these are reported already
	for _, t := range rules.Targets {
		if !c.Covers(t.Name) && !slices.ContainsFunc(missed, func(l compare.LostPart) bool { return l.Target == t.Name }) {
			lost = append(lost, compare.Untried{Target: t.Name})
		}
	}
	return lost
}

// refuseLessLayout returns an error if a trial controls the code layout of a target less than the
// base branch declares. Otherwise the target's regressions would count only as suspected.
func refuseLessLayout(rules *config.Config, runs []*record.Run) *noResultError {
	for _, r := range runs {
		was, ok := workspace.FindTarget(rules.Targets, r.Target)
		if ok && was.LayoutMode() != config.LayoutDefault && r.Env.Get(record.KeyLayout) == config.LayoutDefault {
			return broken(fmt.Sprintf("target %s was not measured with layout = %q, as the base declares", was.Name, was.LayoutMode()), "use another name for a target of another kind", nil)
		}
	}
	return nil
}

// shown returns the options for a comment, with addresses built from GitHub's environment variables
// and the event.
func (c *job) shown(link string) github.Options {
	o := github.Options{Workflow: c.opt.Workflow, Link: link}
	if c.opt.Actions.Server != "" {
		repository := c.opt.Actions.Server + "/" + c.event.Repository.FullName
		o.Commits, o.History = repository+"/commit/", repository+"/actions/workflows/"+historyWorkflow
	}
	return o
}

// runLink returns the address of a workflow run, or "" if it is unknown. If id is 0, it returns the
// address of the event's run. If the event is not about a run, it always returns the address of
// this job's own run.
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
