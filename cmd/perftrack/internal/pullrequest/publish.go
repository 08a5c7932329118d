package pullrequest

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
)

// combine makes one status from all judgements. The status belongs to the commit, which may be the
// head of several pull requests.
func (c *job) combine(all []*judgement) {
	var worst *judgement
	var bases []string
	for _, j := range all {
		if j.State == "" {
			continue
		}
		if worst == nil || weight(j.State) > weight(worst.State) {
			worst = j
		}
		for _, base := range j.against {
			if base = record.ShortHash(base); !slices.Contains(bases, base) {
				bases = append(bases, base)
			}
		}
	}
	unknown := slices.ContainsFunc(all, func(j *judgement) bool { return j.State == "" })
	if worst == nil || unknown && worst.State != github.Failure {
		return // the unknown state could be worse
	}
	description := worst.Description
	if len(all) > 1 && !worst.kept {
		worst.number = worst.pull.Number
		description = numbered(worst.number) + description
	}
	c.res.State, c.link = worst.State, worst.link
	if isVerdict(worst.State) {
		c.stamp = githubapi.Stamp{Against: bases, Worse: worst.worse, Pull: worst.number}
	}
	c.res.Description = github.Description(description, against(c.stamp.Against))
	for _, j := range all {
		if j.State != "" && j.State != worst.State {
			j.overrule(github.Overruled{State: worst.State, Description: j.Description,
				Why: fmt.Sprintf("The status %s belongs to the commit, which pull request %d has, too, and that one sets it to %s", githubapi.StatusContext, worst.pull.Number, worst.State)})
		}
	}
}

// collect joins the comments, summaries and annotations of all judgements.
func (c *job) collect(all []*judgement) {
	var annotations []string
	for _, j := range all {
		if j.State == "" {
			continue
		}
		if len(all) > 1 {
			c.res.Summary += fmt.Sprintf("## Pull request %d\n\n", j.pull.Number)
		}
		c.res.Body += j.Body
		c.res.Summary += j.Summary
		annotations = append(annotations, j.Annotations...)
	}
	c.res.Annotations = append(annotations, c.res.Annotations...)
}

// warnOfNamesakes warns if other jobs have the name of our status. If GitHub requires a status with
// this name, both must be green, and readers see two statuses with the same name.
func (c *job) warnOfNamesakes(ctx context.Context, all []*judgement) {
	if c.res.State == "" {
		return
	}
	n, err := c.github.CountNamesakes(ctx, all[0].head())
	if err != nil {
		c.session.Noticef("look for jobs with the name of the status: %s", fault.FirstLine(err))
	}
	if n == 0 {
		return
	}
	const why = "a job at this head is also called " + githubapi.StatusContext + ": rename that job"
	c.res.Annotations = append(c.res.Annotations, github.Command("warning", "another job is called perftrack", why))
	if c.res.State != github.Failure {
		c.res.State, c.res.Description, c.stamp = github.Broken, github.Description(why, ""), githubapi.Stamp{}
	}
	for _, j := range all {
		if j.State == "" {
			continue
		}
		j.overrule(github.Overruled{State: c.res.State, Description: c.res.Description, Why: "The status is " + c.res.State + ": " + why})
	}
}

// publish first sets the status, which is the gate, and then writes the comments.
func (c *job) publish(ctx context.Context, all []*judgement) error {
	if c.res.State == "" {
		return nil
	}
	head := all[0].head()
	var err error
	if c.self != 0 || len(c.before) == 0 || c.before[0].State != c.res.State || c.before[0].Description != c.res.Description {
		c.posted = true
		_, err = c.github.SetStatus(ctx, head, c.res.State, c.res.Description, c.stamp.AddTo(c.link))
	}
	for _, j := range all {
		if j.group != nil || c.opt.Comment == Never || ctx.Err() != nil || j.State == "" || j.kept {
			continue
		}
		did, err2 := c.github.SetComment(ctx, j.pull.Number, github.Marker(c.opt.Workflow), j.Body, j.changed || j.err == nil && c.opt.Comment == Always)
		if err2 == nil {
			c.session.Noticef("pull request %d: %s", j.pull.Number, did)
		}
		// Return only one refusal, because both use the same token.
		err = cmp.Or(err, err2)
	}
	return err
}

// refusalResult returns the result after a failed request. The state is pending if GitHub did not
// answer or limits our requests. It is an error if GitHub refused the request, because only a
// person can change that.
func refusalResult(e *githubapi.Error) *noResultError {
	what := e.What
	if e.Status != 0 {
		what += fmt.Sprintf(": %d", e.Status)
	}
	if e.Uncertain() || e.Limited {
		return &noResultError{State: github.Pending, Why: "GitHub does not respond (" + what + ")", Do: "run the commenting workflow again", Detail: e}
	}
	return &noResultError{State: github.Broken, Why: "GitHub refused the request (" + what + ")", Do: "see the commenting workflow's log", Detail: e}
}

// refused reports in the job, and if possible also through the status, that GitHub refused a
// request.
func (c *job) refused(ctx context.Context, e *githubapi.Error) {
	c.session.Noticef("the result could not be shown on the pull request: %v", e)
	c.res.Annotations = append(c.res.Annotations, github.Command("warning", "perftrack could not show its result", e.Error()))
	c.res.Summary += "\n" + github.Sentence("The result could not be shown on the pull request: "+e.Error()) + "\n"
	if c.posted || c.opt.DryRun || ctx.Err() != nil {
		return
	}
	head := c.event.HeadSHA()
	s, err := c.verdictBefore(ctx, "")
	if err != nil {
		return
	}
	if s == nil {
		why := refusalResult(e)
		s = &githubapi.CommitStatus{State: why.State, Description: github.Description(why.Error(), ""), Link: c.runLink(0)}
	}
	c.res.State, c.res.Description = s.State, s.Description
	if _, err := c.github.SetStatus(ctx, head, s.State, s.Description, s.Stamp.AddTo(s.Link)); err != nil {
		c.session.Noticef("%v", err)
	}
}
