package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// Actions is the job of GitHub Actions that perftrack runs in, from the
// variables of its environment. All are empty outside of one.
type Actions struct {
	API       string // GITHUB_API_URL
	Server    string // GITHUB_SERVER_URL
	Token     string // GITHUB_TOKEN
	EventPath string // GITHUB_EVENT_PATH
	Run       string // GITHUB_RUN_ID
	Summary   string // GITHUB_STEP_SUMMARY
}

// When says on which comparisons a comment is made. One that is there already is
// always kept up to date, but with Never.
type When string

// The choices of --comment.
const (
	Always   When = "always"
	OnChange When = "on-change"
	Never    When = "never"
)

// Options says what is commented on.
type Options struct {
	Trial    string // a trial, or a file with one; "" is the artifact of the event's run, or the newest trial
	Comment  When
	Strict   bool // inconclusive, failed or missing fails the status, too
	Workflow string
	DryRun   bool
	Actions  Actions

	sleep func(context.Context, time.Duration) error // between tries; nil is the real one
}

// A Result is what came of it.
type Result struct {
	Body        string
	Summary     string
	Annotations []string
	State       string // of the commit status
	Description string
	Pull        int // 0: no pull request
}

// acceptLabel on a pull request accepts the regressions that were shown when it was set.
const acceptLabel = "perf-accept"

// Comment compares the trial of a pull request and says so there: one comment,
// and the commit status. What GitHub refuses is a notice, not an error: the
// measurement stands, whether or not it could be shown.
func Comment(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	if opt.Actions.EventPath == "" {
		if !opt.DryRun {
			return res, fault.Usagef("there is no event: perftrack comment runs in a workflow of a pull request; --dry-run prints the comment anywhere")
		}
		return commentHere(ctx, a, opt)
	}
	e, err := githubapi.ReadEvent(opt.Actions.EventPath)
	if err != nil {
		return res, err
	}
	g, err := githubapi.NewClient(cmp.Or(opt.Actions.API, "https://api.github.com"), e.Repository.FullName, opt.Actions.Token, a.Now)
	if err != nil {
		return res, err
	}
	if opt.sleep != nil {
		g.Sleep = opt.sleep
	}
	c := &job{session: a, opt: opt, event: e, github: g}
	if err := c.comment(ctx); err != nil {
		return c.res, c.tolerate(ctx, err)
	}
	return c.res, nil
}

// commentHere makes the text from what is here, with the thresholds and the
// acceptances that are here.
func commentHere(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	where, err := a.Locate(ctx)
	if err != nil {
		return res, err
	}
	base, head, err := findTrialSides(ctx, a, where, opt.Trial)
	if err != nil {
		return res, err
	}
	options, stored := comparison.StoredOptions(base, head)
	if !stored || workspace.IsFile(opt.Trial) { // whoever made the file could have written any terms
		options = optionsFrom(where.Config)
	}
	options.Each = func(base, head compare.Side) compare.Options {
		own, stored := comparison.StoredOptions(base, head)
		if !stored {
			own = optionsFrom(where.Config)
		}
		return own
	}
	c := compare.Compare(base, head, options)
	if workspace.IsFile(opt.Trial) {
		noteOtherTerms(c, where.Config)
	}
	accepted, err := comparison.FindAcceptances(ctx, a, where, c)
	if err != nil {
		return res, err
	}
	return resultOf(github.New(c, github.Options{Workflow: opt.Workflow, Strict: opt.Strict, Accepted: accepted.Reason})), nil
}

func resultOf(f *github.Finding) Result {
	res := Result{Body: f.Comment(), Summary: f.Summary(), Annotations: f.Annotations()}
	res.State, res.Description = f.Status()
	return res
}

// findTrialSides returns the sides of a trial: of a file, of the database by its
// id, or the newest one.
func findTrialSides(ctx context.Context, a *workspace.Session, where workspace.Place, word string) (base, head compare.Side, err error) {
	if workspace.IsFile(word) {
		runs, err := artifact.ReadFile(word)
		if err != nil {
			return base, head, err
		}
		base, head = comparison.SplitSides(runs)
		return base, head, nil
	}
	var words []string
	if word != "" {
		words = []string{word}
	}
	r := &comparison.Resolver{Session: a, Where: where}
	defer func() { err = errors.Join(err, r.Close()) }()
	if base, head, err = r.Sides(ctx, words); err != nil {
		return base, head, err
	}
	if base.Runs[0].Side != record.Base || head.Runs[0].Side != record.Head || base.Runs[0].Trial != head.Runs[0].Trial {
		if word == "" {
			return base, head, fault.Data(errors.New("no trial is stored here: measure one with `perftrack check`"))
		}
		return base, head, fault.Usagef("%s is no trial: see `perftrack list trials`", word)
	}
	return base, head, nil
}

// A job is what one job says: a comment on each pull request whose head was
// measured, and the status of that head.
type job struct {
	session   *workspace.Session
	opt       Options
	event     *githubapi.Event
	github    *githubapi.Client
	trials    []*trialRun            // the newest first
	pull      *githubapi.PullRequest // in hand
	before    []githubapi.CommitStatus
	beforeErr error
	asked     bool  // for before
	self      int64 // who our token writes as, 0: not known yet
	posted    bool  // the status was set, or GitHub refused it
	link      string
	label     *labelGrant // of the pull request in hand
	records   map[string]sizes
	notes     []string // for its comment
	res       Result
}

// tolerate turns what GitHub refused, and what is no failure at all, into
// notices.
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
	pulls, err := c.github.FindPullRequests(ctx, c.event)
	if err != nil {
		return err
	}
	c.res.Pull = pulls[0].Number
	var all []*judgement
	for i := range pulls {
		all = append(all, &judgement{pull: &pulls[i]})
	}
	found := c.findTrials(ctx)
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
	if c.opt.DryRun {
		return mistakes
	}
	return cmp.Or(mistakes, c.publish(ctx, all))
}

// judge compares the trial of a pull request.
func (c *job) judge(ctx context.Context, j *judgement) error {
	if len(j.trials) == 0 {
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
	base, head := joinTrials(j.trials, options)
	comparison := compare.Compare(base, head, options)
	noteOtherTerms(comparison, rules)
	comparison.Failures = append(comparison.Failures, unmeasured(rules, comparison)...)
	comparison.Failures = append(comparison.Failures, history.vanished(comparison)...)
	accepted, err := c.findIntended(ctx, comparison, rules.Defaults.Accept)
	if err != nil {
		return err
	}
	j.link = c.runLink(j.trials[0].id())
	f := github.New(comparison, github.Options{
		Workflow: c.opt.Workflow, Link: j.link, OwnWorkflow: true, Strict: c.opt.Strict, Accepted: accepted,
		Hidden: c.hiddenState(ctx, comparison), Notes: c.notes,
	})
	j.Result, j.changed = resultOf(f), f.Changed()
	if githubapi.IsVerdict(j.State) {
		j.against = sideCommit(base)
	}
	if j.State == github.Success && comparison.Count(compare.Regressed) == 0 {
		return c.stillFails(ctx, j, rules.Defaults.Accept)
	}
	return nil
}

// unmeasured returns the targets of the base branch of which the trial says nothing: a
// pull request that takes a target out must not do so unseen.
func unmeasured(rules *config.Config, c *compare.Comparison) (lost []compare.Failure) {
	for _, t := range rules.Targets {
		if !c.Covers(t.Name) {
			lost = append(lost, compare.Failure{Side: record.Head, Target: t.Name, Failure: record.Failure{Reason: "the target was not measured"}})
		}
	}
	return lost
}

// refuseLessLayout says of which target of the base branch the trial answers less for where its
// code lies than the base declares, nil where that is none: what is a regression by the
// base would be a suspicion.
func refuseLessLayout(rules *config.Config, runs []*record.Run) *githubapi.NoResultError {
	for _, r := range runs {
		was, ok := workspace.FindTarget(rules.Targets, r.Target)
		if ok && was.LayoutMode() != config.LayoutDefault && r.Env.Get(record.KeyLayout) == config.LayoutDefault {
			return githubapi.Broken(fmt.Sprintf("target %s was not measured with layout = %q, as the base declares: give a target of another kind another name", was.Name, was.LayoutMode()), nil)
		}
	}
	return nil
}

// optionsFrom are the options of a trial that anybody may have made: by the rules alone,
// whatever the trial says of itself. All targets of the rules share alpha, measured or not.
func optionsFrom(rules *config.Config) compare.Options {
	return comparison.NewTerms(rules, len(rules.Targets)).Options()
}

// noteOtherTerms says of a trial that it was measured by other rules, and so may have ended
// before these were satisfied, or have said something else where it was measured.
func noteOtherTerms(c *compare.Comparison, rules *config.Config) {
	if other := comparison.DescribeOtherTerms(rules, slices.Concat(c.Base.Runs, c.Head.Runs)); other != "" {
		c.Caveats = append(c.Caveats, compare.Caveat{
			Code: compare.CodeTerms, Text: "the trial was measured by other rules than those by which it is judged here", Detail: other,
		})
	}
}

// An intention says why a regression is intended, if it is.
type intention func(*compare.Row) (reason string, ok bool)

// findIntended returns which regressions are intended, with by whom and how: those of a
// benchmark that a trailer of the head commit names, in a branch of the same repository;
// those that were shown when the label was set, which only who may triage can do; those
// that the base repository keeps a record of. The weakest that counts is the base
// branch's choice. Where the records cannot be read, the comparison says so.
func (c *job) findIntended(ctx context.Context, compared *compare.Comparison, weakest string) (intention, error) {
	intended := func(*compare.Row) (string, bool) { return "", false }
	if !hasOpenRegression(compared, intended) {
		return intended, nil // no need to ask what nobody needs to know
	}
	if !c.pull.FromFork() {
		message, author, err := c.github.CommitMessage(ctx, c.pull.Head.SHA)
		if err != nil {
			return nil, err
		}
		trailers := compare.Trailers(message)
		switch {
		case len(trailers) > 0 && weakest != config.AcceptTrailer:
			c.note("The trailer of the head commit does not count: perftrack.toml of %s has accept = %q.", c.pull.BaseName(), weakest)
		case len(trailers) > 0:
			intended = func(r *compare.Row) (string, bool) {
				reason, ok := compare.Intended(trailers, r.Name)
				return reason + " (trailer of the head commit, by " + author + ")", ok
			}
		}
	}
	if c.pull.HasLabel(acceptLabel) && hasOpenRegression(compared, intended) {
		var err error
		if intended, err = c.acceptByLabel(ctx, compared, intended, weakest); err != nil {
			return nil, err
		}
	}
	if !hasOpenRegression(compared, intended) {
		return intended, nil
	}
	records, earlier, err := readAcceptances(ctx, c.github, c.pull)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		c.session.Noticef("accepted changes: %s", fault.FirstLine(err))
		comparison.NoteUnreadAcceptances(compared, err)
	}
	recorded, err := c.acceptByRecord(ctx, compared, records)
	if err != nil {
		return nil, err
	}
	either := func(r *compare.Row) (string, bool) {
		if reason, ok := intended(r); ok {
			return reason, ok
		}
		return recorded(r)
	}
	c.noteEarlier(compared, either, earlier)
	return either, nil
}

// hasOpenRegression reports whether a regression is not intended.
func hasOpenRegression(comparison *compare.Comparison, intended intention) bool {
	for r := range comparison.Rows() {
		if _, ok := intended(r); r.Verdict == compare.Regressed && !ok {
			return true
		}
	}
	return false
}

// runLink is the address of a run, made of parts that GitHub gave; of this one, or the
// one that ended, if id is 0.
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

// WriteSummary appends text to the summary of the job's step, if there is one.
func (act Actions) WriteSummary(text string) (err error) {
	if act.Summary == "" || text == "" {
		return nil
	}
	f, err := os.OpenFile(act.Summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write the job summary: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.WriteString(text)
	return err
}
