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

// Actions describes a GitHub Actions job by its environment variables. All fields are empty outside
// such a job.
type Actions struct {
	API       string // GITHUB_API_URL
	Server    string // GITHUB_SERVER_URL
	Token     string // GITHUB_TOKEN
	EventName string // GITHUB_EVENT_NAME
	EventPath string // GITHUB_EVENT_PATH
	Run       string // GITHUB_RUN_ID
	Summary   string // GITHUB_STEP_SUMMARY
}

// When selects the comparisons to comment on. An existing comment is always updated, except with
// Never.
type When string

// The values of --comment.
const (
	Always   When = "always"
	OnChange When = "on-change"
	Never    When = "never"
)

// Options are the options of the perftrack ci comment command.
type Options struct {
	Trial    string // a trial or its file; "" means the artifact of the event's run, or the newest trial
	Comment  When
	Strict   bool // whether undecided, failed and missing benchmarks fail the status, too
	Workflow string
	DryRun   bool
	Asked    string // the head measured on demand in this run, or ""
	Actions  Actions

	sleep func(context.Context, time.Duration) error // waits between tries; nil means a real sleep
}

// A Result holds the texts shown by a job.
type Result struct {
	Body        string
	Summary     string
	Annotations []string
	State       string // state of the commit status
	Description string
	Pull        int // 0 if there is no pull request
}

// acceptLabel is the label for accepting regressions.
const acceptLabel = github.AcceptLabel

// Comment judges the trial of a pull request and reports the result in a comment and the commit
// status. If GitHub refuses a request, Comment prints a notice and returns no error, because the
// measurement is valid anyway.
func Comment(ctx context.Context, a *workspace.Session, opt Options) (res Result, err error) {
	if opt.Actions.EventPath == "" {
		if !opt.DryRun {
			return res, fault.Usagef("no event was found: run perftrack ci comment in a pull request's workflow, or use --dry-run")
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

// readEvent reads the event that started the job.
func readEvent(opt Options) (*githubapi.Event, error) {
	if opt.Asked == "" {
		return githubapi.ReadEvent(opt.Actions.EventPath)
	}
	d, err := githubapi.ReadDemand(opt.Actions.EventPath)
	if err != nil {
		return nil, err
	}
	if !gitrepo.IsHash(opt.Asked) || d.Pull == 0 {
		return nil, fault.Usagef("--asked requires the hash of the measured commit, as printed by perftrack ci ask")
	}
	return d.AsEvent(opt.Asked), nil
}

// commentHere makes the comment from the trial, thresholds and acceptances in this workspace. It
// implements --dry-run outside a workflow.
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
	if !stored || workspace.IsFile(opt.Trial) { // the author of a file could have written any terms
		options = optionsFrom(where.Config)
	}
	options.TrialOptions = func(base, head compare.Side) compare.Options {
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
	shown := github.Options{Workflow: opt.Workflow, Strict: opt.Strict, Accepted: accepted.Reason, Opaque: where.Config.Opaque()}
	if hasOpenRegression(c, accepted.Reason) {
		if shown.Histories, err = storedMedians(ctx, a, c); err != nil {
			return res, err
		}
	}
	return resultOf(github.New(c, shown)), nil
}

// resultOf returns the texts for a finding.
func resultOf(f *github.Finding) Result {
	res := Result{Body: f.Comment(), Summary: f.Summary(), Annotations: f.Annotations()}
	res.State, res.Description = f.Status()
	return res
}

// findTrialSides returns both sides of a trial. word is its file or id, or "" for the newest trial.
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
			return base, head, fault.Data(errors.New("no trial is stored here: run `perftrack check`"))
		}
		return base, head, fault.Usagef("%s is not a trial: see `perftrack list trials`", word)
	}
	return base, head, nil
}

// optionsFrom returns the options for judging an untrusted trial. They come only from the rules and
// not from the trial. All targets in the rules share alpha, even the unmeasured ones.
func optionsFrom(rules *config.Config) compare.Options {
	return comparison.NewTerms(rules, len(rules.Targets)).Options()
}

// noteOtherTerms adds a caveat if the trial was measured under other rules than these. Such a trial
// may have ended too early for these rules, or had another verdict where it was measured.
func noteOtherTerms(c *compare.Comparison, rules *config.Config) {
	if other := comparison.DescribeOtherTerms(rules, slices.Concat(c.Base.Runs, c.Head.Runs)); other != "" {
		c.Caveats = append(c.Caveats, compare.Caveat{
			Code: compare.CodeTerms, Text: "the trial was measured under different rules than those that judge it here", Detail: other,
		})
	}
}

// WriteSummary appends text to the summary of the job's step. Outside a job it does nothing.
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
