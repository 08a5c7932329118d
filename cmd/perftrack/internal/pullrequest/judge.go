package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
)

// A judgement is the result for one pull request or merge group.
type judgement struct {
	pull    *githubapi.PullRequest
	group   *githubapi.Group // the merge group, to judge instead of the pull request, or nil
	base    string           // merge base with the target branch, or "" if GitHub does not find one
	trials  []*trialRun      // newest first
	err     error            // why there is no judgement
	changed bool             // whether the comment deserves a reader's attention
	against []string         // bases of the verdict
	worse   bool             // the verdict is a failure because of a regression or a missed limit
	kept    bool             // an earlier verdict was kept
	number  int              // pull request named at the beginning of the description, or 0
	link    string
	// write returns the comment and the summary with an overruled status.
	write     func(github.Overruled) (body, summary string)
	overruled github.Overruled
	Result
}

// overrule replaces the status of the judgement, also in the comment and the summary.
func (j *judgement) overrule(o github.Overruled) {
	if before := j.overruled.Why; before != "" {
		o.Why = before + ". " + o.Why
	}
	j.State, j.Description, j.changed, j.overruled = o.State, o.Description, true, o
	if j.write != nil {
		j.Body, j.Summary = j.write(o)
	}
}

// head returns the commit to judge.
func (j *judgement) head() string {
	if j.group != nil {
		return j.group.Head
	}
	return j.pull.Head.SHA
}

// weight orders the states by severity. If several pull requests have the same head, they share the
// status with the most severe state.
func weight(state string) int {
	return slices.Index([]string{github.Success, github.Pending, github.Broken, github.Failure}, state)
}

// findBase finds the tip of the base branch (for the rules), the merge base, and the trials against
// the merge base.
func (c *job) findBase(ctx context.Context, j *judgement) error {
	p := j.pull
	if p.Base.Ref != "" {
		tip, err := c.github.BranchTip(ctx, p.Base.Ref)
		if err != nil {
			return err
		}
		p.Base.SHA = cmp.Or(tip, p.Base.SHA)
	}
	base := p.Base.SHA
	if j.group != nil {
		base = j.group.Base
	}
	var err error
	if j.base, err = c.github.MergeBase(ctx, base, j.head()); err != nil && !githubapi.IsStatus(err, http.StatusNotFound) {
		return err
	}
	if j.group != nil && j.base != base {
		j.base = "" // the group is not on top of that commit
	}
	j.trials, err = c.trialsFor(ctx, j)
	return err
}

// settle judges one pull request. If it cannot be judged, settle keeps an earlier verdict on the
// same commits or else reports the reason as the result. If settle returns an error, the job must
// fail.
func (c *job) settle(ctx context.Context, j *judgement) error {
	if j.err == nil {
		j.err = c.judge(ctx, j)
	}
	var none *noResultError
	var refused *githubapi.Error
	var mistake *fault.Error
	var fatal error
	switch err := j.err; {
	case err == nil && isVerdict(j.State):
		return nil
	case err == nil:
	case errors.As(err, &none):
	case errors.As(err, &refused):
		none = refusalResult(refused)
	case errors.As(err, &mistake) && mistake.Kind == "config":
		none, fatal = broken(fault.FirstLine(err), "fix perftrack.toml on the base branch", nil), err
	default:
		return err
	}
	if none != nil {
		j.Result = c.explainNoResult(ctx, j, none)
	}
	c.keepVerdict(ctx, j)
	return fatal
}

// explainNoResult returns a comment and a status explaining why there is no result. Without them,
// the comment would still show an older result.
func (c *job) explainNoResult(ctx context.Context, j *judgement, why *noResultError) Result {
	if why.Detail != nil {
		c.session.Noticef("%s: %s", why.Error(), fault.FirstLine(why.Detail))
	}
	kind, title := "warning", "perftrack has no result"
	if why.State == github.Pending {
		kind, title = "notice", "perftrack has no result yet"
	}
	message, shown := c.message(ctx, j), c.shown(c.runLink(0))
	j.write = func(o github.Overruled) (string, string) {
		return message(shown.Failed(j.head(), o.State, why.Why, why.Do, o.Why))
	}
	body, summary := message(shown.Failed(j.head(), why.State, why.Why, why.Do))
	return Result{
		Body: body, Summary: summary, State: why.State, Description: why.Error(), Pull: j.pull.Number,
		Annotations: []string{github.Command(kind, title, why.Error())},
	}
}

// message returns a function that turns a text without numbers into a comment and a summary. The
// comment keeps the hidden state of its predecessor. A merge group gets no comment.
func (c *job) message(ctx context.Context, j *judgement) func(text string) (body, summary string) {
	c.pull = j.pull
	hidden := ""
	if j.group == nil {
		hidden = c.carriedState(ctx).line()
	}
	return func(text string) (body, summary string) {
		marker, summary, _ := strings.Cut(text, "\n")
		switch {
		case j.group != nil:
			return "", summary
		case hidden != "":
			return marker + "\n" + hidden + "\n" + summary, summary
		}
		return text, summary
	}
}
