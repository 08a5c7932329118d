package pullrequest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
)

// A judgement is the result for one pull request.
type judgement struct {
	pull    *githubapi.PullRequest
	group   *githubapi.Group // that puts it into a merge queue; nil: its own head is judged
	base    string           // where it left the branch that it is to be merged into; "" if GitHub does not know
	trials  []*trialRun      // the newest first
	err     error            // what stood in the way of judging it
	changed bool             // there is something to look at
	against string           // the base of a verdict
	link    string
	kept    bool // an earlier verdict stands
	// write makes the comment and the summary for a status that stands in the place of the judgement's.
	write     func(github.Overruled) (body, summary string)
	overruled github.Overruled
	Result
}

// overrule puts another status in the place of the judgement's, in all that says it.
func (j *judgement) overrule(o github.Overruled) {
	if before := j.overruled.Why; before != "" {
		o.Why = before + ". " + o.Why
	}
	j.State, j.Description, j.changed, j.overruled = o.State, o.Description, true, o
	if j.write != nil {
		j.Body, j.Summary = j.write(o)
	}
}

// head returns the commit that is judged.
func (j *judgement) head() string {
	if j.group != nil {
		return j.group.Head
	}
	return j.pull.Head.SHA
}

// weight orders the states of the status: a head that several pull requests share has one status,
// which is the heaviest.
func weight(state string) int {
	return slices.Index([]string{github.Success, github.Pending, github.Broken, github.Failure}, state)
}

// findBase finds what the pull request is to be judged by: the tip of its base branch
// for the rules, where it left that branch, and a trial against that.
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
		j.base = "" // it was not put on that commit
	}
	j.trials, err = c.trialsFor(ctx, j)
	return err
}

// settle judges one pull request. Where that fails, the reason becomes its result, unless there
// is an earlier verdict on the same head against the same base, which stands. The error is
// one that the job must fail for, whatever was written.
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
		none, fatal = broken(fault.FirstLine(err), nil), err
	default:
		return err
	}
	if none != nil {
		j.Result = c.explainNoResult(ctx, j, none)
	}
	c.keepVerdict(ctx, j)
	return fatal
}

// explainNoResult returns the comment and the status that say why there is no result; else the
// comment that is there would go on showing an older one.
func (c *job) explainNoResult(ctx context.Context, j *judgement, why *noResultError) Result {
	if why.Detail != nil {
		c.session.Noticef("%s: %s", why.Why, fault.FirstLine(why.Detail))
	}
	kind, title := "warning", "perftrack has no result"
	if why.State == github.Pending {
		kind, title = "notice", "perftrack has no result yet"
	}
	message, shown := c.message(ctx, j), c.shown(c.runLink(0))
	j.write = func(o github.Overruled) (string, string) {
		return message(shown.Failed(j.head(), o.State, why.Why, o.Why))
	}
	body, summary := message(shown.Failed(j.head(), why.State, why.Why))
	return Result{
		Body: body, Summary: summary, State: why.State, Description: why.Why, Pull: j.pull.Number,
		Annotations: []string{github.Command(kind, title, why.Why)},
	}
}

// message returns what makes a comment without numbers, and a summary, of its text. It carries on what
// the comment before it knew. A merge group gets no comment.
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

// keepVerdict puts an earlier verdict in the place of a result that is none. Where GitHub does
// not say whether there is one, no status is set.
func (c *job) keepVerdict(ctx context.Context, j *judgement) {
	var none *noResultError
	if j.base == "" && errors.As(j.err, &none) {
		return // GitHub says that there is no such base, and so no verdict
	}
	s, err := c.verdictBefore(ctx, j.base)
	if err != nil {
		c.session.Noticef("the status is left as it is: %s", fault.FirstLine(err))
		j.State = ""
		return
	}
	if s == nil {
		return
	}
	why := j.Description
	j.State, j.Description, j.link, j.kept = s.State, againstBases.ReplaceAllString(s.Description, ""), s.Link, true
	j.against = cmp.Or(j.base, againstBases.FindStringSubmatch(s.Description)[1])
	stands := fmt.Sprintf("%s; the verdict on the same commits stands: %s", why, s.Description)
	j.Annotations = []string{github.Command("notice", "perftrack keeps its verdict", stands)}
	j.Summary = github.Standing("perftrack keeps its verdict", j.State, stands)
	j.write = func(o github.Overruled) (string, string) {
		return j.Body, github.Standing("perftrack keeps its verdict", o.State, stands, o.Why)
	}
	c.session.Noticef("%s", stands)
}

// statusesBefore returns the statuses that the head has already, and asks for them once.
func (c *job) statusesBefore(ctx context.Context) ([]githubapi.CommitStatus, error) {
	if !c.asked {
		c.asked = true
		c.before, c.beforeErr = c.github.Statuses(ctx, c.event.HeadSHA())
	}
	return c.before, c.beforeErr
}

// foundRegression is in the description of a verdict on a regression, or a missed limit, that
// nobody accepted, after the number of its pull request where several had the head.
var foundRegression = regexp.MustCompile(`^(?:#(\d+): )?(\d+ benchmarks? (?:regressed|beyond a limit)(?:[,;].*)?)$`)

// stillFails lets a regression that was found earlier stand where its trial is gone, as
// when the run of the workflow was run again, and the trials that are left found none.
func (c *job) stillFails(ctx context.Context, j *judgement, weakest string) error {
	s, err := c.verdictBefore(ctx, j.against)
	if err != nil || s == nil || s.State != github.Failure {
		return err
	}
	m := foundRegression.FindStringSubmatch(againstBases.ReplaceAllString(s.Description, ""))
	if m == nil || m[1] != "" && m[1] != strconv.Itoa(j.pull.Number) {
		return nil
	}
	if ok, err := c.acceptedSince(ctx, s, weakest); ok || err != nil {
		return err
	}
	const why = "an earlier measurement of the same commits found a regression that this one did not: push a change, or accept it"
	j.link = s.Link
	j.overrule(github.Overruled{State: s.State, Description: m[2], Why: "The status is " + s.State + ": " + why + " (label " + acceptLabel + ", or a record)"})
	j.Annotations = append(j.Annotations, github.Command("warning", "perftrack keeps a failure", why))
	c.session.Noticef("%s", why)
	return nil
}

// acceptedSince reports whether what a verdict found was accepted: by the label, set
// later, where it counts, or by a record for the head.
func (c *job) acceptedSince(ctx context.Context, s *githubapi.CommitStatus, weakest string) (bool, error) {
	if c.pull.HasLabel(acceptLabel) && weakest != config.AcceptRecord {
		set, err := findLabelEvent(ctx, c.github, c.pull.Number)
		if err != nil || set != nil && set.Time.After(s.Created) {
			return err == nil, err
		}
	}
	records, _, err := readAcceptances(ctx, c.github, c.pull)
	if err != nil {
		c.session.Noticef("accepted changes: %s", fault.FirstLine(err))
	}
	return len(records) > 0, ctx.Err()
}

// verdictBefore returns the newest verdict of the head against base that we set ourselves, nil
// if there is none: everybody who may write to the repository can set a status of any name.
func (c *job) verdictBefore(ctx context.Context, base string) (*githubapi.CommitStatus, error) {
	before, err := c.statusesBefore(ctx)
	if err != nil {
		return nil, err
	}
	return c.ownVerdict(ctx, before, base)
}

// ownVerdict returns the first of the statuses that is a verdict against base and our own.
func (c *job) ownVerdict(ctx context.Context, before []githubapi.CommitStatus, base string) (*githubapi.CommitStatus, error) {
	decides := func(s githubapi.CommitStatus) bool { return decides(s, base) }
	if !slices.ContainsFunc(before, decides) {
		return nil, nil
	}
	me, err := c.me(ctx)
	if err != nil {
		return nil, err
	}
	for i, s := range before {
		if decides(s) && s.Creator.ID == me {
			return &before[i], nil
		}
	}
	return nil, nil
}

// me returns the id of the user as whom our token writes. No token of a job may ask for that,
// but GitHub says of a status who set it: until the result follows, a pending one, which blocks.
func (c *job) me(ctx context.Context) (int64, error) {
	if c.self != 0 {
		return c.self, nil
	}
	if c.opt.DryRun {
		return githubapi.ActionsBotID, nil
	}
	id, err := c.github.SetStatus(ctx, c.event.HeadSHA(), github.Pending, "the measurement is being judged", c.runLink(0))
	if err == nil && id == 0 {
		err = &githubapi.Error{Forge: githubapi.Name, What: "set the commit status", Message: "the answer does not say who set it"}
	}
	c.self = id
	return id, err
}

// combine makes one result of all judgements: the status belongs to the commit, which several
// pull requests may have as their head.
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
		if j.against != "" {
			bases = append(bases, strings.Split(j.against, " and ")...)
		}
	}
	unknown := slices.ContainsFunc(all, func(j *judgement) bool { return j.State == "" })
	if worst == nil || unknown && worst.State != github.Failure {
		return // what is not known could be worse
	}
	c.res.State, c.link = worst.State, worst.link
	description := worst.Description
	if len(all) > 1 && !worst.kept {
		description = fmt.Sprintf("#%d: %s", worst.pull.Number, description)
	}
	end := ""
	if isVerdict(worst.State) {
		end = against(bases)
	}
	c.res.Description = github.Description(description, end)
	for _, j := range all {
		if j.State != "" && j.State != worst.State {
			j.overrule(github.Overruled{State: worst.State, Description: j.Description,
				Why: fmt.Sprintf("The status %s is of the commit, which pull request %d has, too: it is %s because of that one", githubapi.StatusContext, worst.pull.Number, worst.State)})
		}
	}
}

// collect puts together what is said of all judgements, in the end.
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

// warnOfNamesakes warns of jobs that have the name of our status: where that name is required
// GitHub wants both to be green, and whoever looks sees two.
func (c *job) warnOfNamesakes(ctx context.Context, all []*judgement) {
	if c.res.State == "" {
		return
	}
	n, err := c.github.CountNamesakes(ctx, all[0].head())
	if err != nil {
		c.session.Noticef("whether a job has the name of the status is not known: %s", fault.FirstLine(err))
	}
	if n == 0 {
		return
	}
	const why = "a job of this head is called " + githubapi.StatusContext + ", as this status is: rename that job"
	c.res.Annotations = append(c.res.Annotations, github.Command("warning", "perftrack is not the only one of its name", why))
	if c.res.State != github.Failure {
		c.res.State, c.res.Description = github.Broken, github.Description(why, "")
	}
	for _, j := range all {
		if j.State == "" {
			continue
		}
		j.overrule(github.Overruled{State: c.res.State, Description: c.res.Description, Why: "The status is " + c.res.State + ": " + why})
	}
}

// publish sets the status first, which is the gate, then the comments.
func (c *job) publish(ctx context.Context, all []*judgement) error {
	if c.res.State == "" {
		return nil
	}
	head := all[0].head()
	var err error
	if c.self != 0 || len(c.before) == 0 || c.before[0].State != c.res.State || c.before[0].Description != c.res.Description {
		c.posted = true
		_, err = c.github.SetStatus(ctx, head, c.res.State, c.res.Description, c.link)
	}
	for _, j := range all {
		if j.group != nil || c.opt.Comment == Never || ctx.Err() != nil || j.State == "" || j.kept {
			continue
		}
		did, err2 := c.github.SetComment(ctx, j.pull.Number, github.Marker(c.opt.Workflow), j.Body, j.changed || j.err == nil && c.opt.Comment == Always)
		if err2 == nil {
			c.session.Noticef("pull request %d: %s", j.pull.Number, did)
		}
		// One refusal says what the other would: both are of the same token.
		err = cmp.Or(err, err2)
	}
	return err
}

// refusalResult says in one line what GitHub did not do. That it does not answer is nobody's
// error; what it refuses, somebody has to allow.
func refusalResult(e *githubapi.Error) *noResultError {
	what := e.What
	if e.Status != 0 {
		what += fmt.Sprintf(": %d", e.Status)
	}
	if e.Uncertain() || e.Limited {
		return &noResultError{State: github.Pending, Why: "GitHub does not answer (" + what + "): run the commenting workflow again", Detail: e}
	}
	return &noResultError{State: github.Broken, Why: "GitHub refuses (" + what + "): see the log of the commenting workflow", Detail: e}
}

// refused reports that GitHub refused something: in the job, and if possible by the status.
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
		s = &githubapi.CommitStatus{State: why.State, Description: github.Description(why.Why, ""), Link: c.runLink(0)}
	}
	c.res.State, c.res.Description = s.State, s.Description
	if _, err := c.github.SetStatus(ctx, head, s.State, s.Description, s.Link); err != nil {
		c.session.Noticef("%v", err)
	}
}
