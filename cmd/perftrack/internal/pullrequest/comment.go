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
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

// Actions is the job of GitHub Actions that perftrack runs in, from the
// variables of its environment. All are empty outside of one.
type Actions struct {
	API       string // GITHUB_API_URL
	Server    string // GITHUB_SERVER_URL
	Token     string // GITHUB_TOKEN
	EventName string // GITHUB_EVENT_NAME
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

// Options say what is commented on, and how.
type Options struct {
	Trial    string // a trial, or a file with one; "" is the artifact of the event's run, or the newest trial
	Comment  When
	Strict   bool // inconclusive, failed or missing fails the status, too
	Workflow string
	DryRun   bool
	Asked    string // the head that this very run measured because somebody asked for it; "" outside of one
	Actions  Actions

	sleep func(context.Context, time.Duration) error // between tries; nil is the real one
}

// A Result is what was said, and where it goes.
type Result struct {
	Body        string
	Summary     string
	Annotations []string
	State       string // of the commit status
	Description string
	Pull        int // 0: no pull request
}

// acceptLabel on a pull request accepts the regressions that were shown when it was set.
const acceptLabel = github.AcceptLabel

// Comment compares the trial of a pull request and reports it there, in one comment and in
// the commit status. What GitHub refuses is a notice, not an error: the measurement stands,
// whether or not it could be shown.
func Comment(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	if opt.Actions.EventPath == "" {
		if !opt.DryRun {
			return res, fault.Usagef("there is no event: perftrack comment runs in a workflow of a pull request; --dry-run prints the comment anywhere")
		}
		return commentHere(ctx, a, opt)
	}
	e, err := readEvent(opt)
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
	if opt.Actions.EventName == labelEventName {
		if ok, err := c.findMeasuring(ctx); !ok {
			return res, c.tolerate(ctx, err)
		}
	}
	if err := c.comment(ctx); err != nil {
		return c.res, c.tolerate(ctx, err)
	}
	return c.res, nil
}

// readEvent reads the event of the job.
func readEvent(opt Options) (*githubapi.Event, error) {
	if opt.Asked == "" {
		return githubapi.ReadEvent(opt.Actions.EventPath)
	}
	d, err := githubapi.ReadDemand(opt.Actions.EventPath)
	if err != nil {
		return nil, err
	}
	if !gitrepo.IsHash(opt.Asked) || d.Pull == 0 {
		return nil, fault.Usagef("--asked is the hash of the commit that was measured, as perftrack ask names it")
	}
	return d.AsEvent(opt.Asked), nil
}

// commentHere makes the text from the trial, the thresholds and the acceptances of this
// workspace, for --dry-run outside of a workflow.
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
	shown := github.Options{Workflow: opt.Workflow, Strict: opt.Strict, Accepted: accepted.Reason}
	if chartable(c, accepted.Reason) {
		if shown.Histories, err = storedMedians(ctx, a, c); err != nil {
			return res, err
		}
	}
	return resultOf(github.New(c, shown)), nil
}

// resultOf writes down what was found.
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

// optionsFrom returns the options for a trial that anybody may have made: by the rules alone,
// whatever the trial says of itself. All targets of the rules share alpha, measured or not.
func optionsFrom(rules *config.Config) compare.Options {
	return comparison.NewTerms(rules, len(rules.Targets)).Options()
}

// noteOtherTerms adds the caveat that a trial was measured by other rules, and so may have ended
// before these were satisfied, or have given another verdict where it was measured.
func noteOtherTerms(c *compare.Comparison, rules *config.Config) {
	if other := comparison.DescribeOtherTerms(rules, slices.Concat(c.Base.Runs, c.Head.Runs)); other != "" {
		c.Caveats = append(c.Caveats, compare.Caveat{
			Code: compare.CodeTerms, Text: "the trial was measured by other rules than those by which it is judged here", Detail: other,
		})
	}
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
