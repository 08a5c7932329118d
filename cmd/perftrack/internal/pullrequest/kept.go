package pullrequest

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
)

// keepVerdict replaces a missing result with an earlier verdict on the same commits. If it cannot
// find out whether there is one, it clears the state so that no status is set.
func (c *job) keepVerdict(ctx context.Context, j *judgement) {
	var none *noResultError
	if j.base == "" && errors.As(j.err, &none) {
		return // there is no merge base, so there cannot be a verdict
	}
	s, err := c.verdictBefore(ctx, j.base)
	if err != nil {
		c.session.Noticef("left the status unchanged: %s", fault.FirstLine(err))
		j.State = ""
		return
	}
	if s == nil {
		return
	}
	why := j.Description
	j.State, j.Description, j.link, j.kept = s.State, withoutBases(s), s.Link, true
	j.against, j.worse, j.number = s.Stamp.Against, s.Stamp.Worse, s.Stamp.Pull
	if j.base != "" {
		j.against = []string{j.base}
	}
	stands := fmt.Sprintf("%s; the earlier verdict on the same commits remains: %s", why, s.Description)
	j.Annotations = []string{github.Command("notice", "perftrack keeps its verdict", stands)}
	j.Summary = github.StatusSummary("perftrack keeps its verdict", j.State, stands)
	j.write = func(o github.Overruled) (string, string) {
		return j.Body, github.StatusSummary("perftrack keeps its verdict", o.State, stands, o.Why)
	}
	c.session.Noticef("%s", stands)
}

// statusesBefore returns the statuses of the head at the start of the job. It requests them only
// once.
func (c *job) statusesBefore(ctx context.Context) ([]githubapi.CommitStatus, error) {
	if !c.asked {
		c.asked = true
		c.before, c.beforeErr = c.github.Statuses(ctx, c.event.HeadSHA())
	}
	return c.before, c.beforeErr
}

// stillFails keeps an earlier failure caused by a regression or a missed limit if the remaining
// trials found nothing. The failing trial may be gone, for example after a rerun of its workflow.
// The failure is not kept if it was accepted in the meantime.
func (c *job) stillFails(ctx context.Context, j *judgement, weakest string) error {
	s, err := c.verdictBefore(ctx, j.base)
	if err != nil || s == nil || s.State != github.Failure || !s.Stamp.Worse {
		return err
	}
	if s.Stamp.Pull != 0 && s.Stamp.Pull != j.pull.Number {
		return nil
	}
	if ok, err := c.acceptedSince(ctx, s, weakest); ok || err != nil {
		return err
	}
	const why = "an earlier measurement of the same commits found a regression, although this one did not: push a change, or accept the regression"
	j.link, j.worse = s.Link, true
	j.overrule(github.Overruled{State: s.State, Description: wordsOf(s), Why: "The status is " + s.State + ": " + why + " (with the label " + acceptLabel + " or a record)"})
	j.Annotations = append(j.Annotations, github.Command("warning", "perftrack keeps a failure", why))
	c.session.Noticef("%s", why)
	return nil
}

// acceptedSince reports whether the regressions of an earlier verdict have been accepted since. It
// returns true if the label counts and was set later, or if there is a record for the head.
func (c *job) acceptedSince(ctx context.Context, s *githubapi.CommitStatus, weakest string) (bool, error) {
	if c.pull.HasLabel(acceptLabel) && weakest != config.AcceptRecord {
		set, err := c.github.LastLabeling(ctx, c.pull.Number, acceptLabel)
		if err != nil || set != nil && set.Time.After(s.Created) {
			return err == nil, err
		}
	}
	records, _, err := readAcceptances(ctx, c.github, c.pull)
	if err != nil {
		c.session.Noticef("read accepted changes: %s", fault.FirstLine(err))
	}
	return len(records) > 0, ctx.Err()
}

// verdictBefore returns our newest earlier verdict on the head against base, or nil. It ignores
// statuses set by other users, because anyone with write access can set a status with any name.
func (c *job) verdictBefore(ctx context.Context, base string) (*githubapi.CommitStatus, error) {
	before, err := c.statusesBefore(ctx)
	if err != nil {
		return nil, err
	}
	return c.ownVerdict(ctx, before, base)
}

// ownVerdict returns the first of the statuses with our verdict against base, or nil.
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

// me returns the id of our token's user. A job's token may not request it, so me sets a pending
// status, to block merging until the result follows, and reads its creator from the response.
func (c *job) me(ctx context.Context) (int64, error) {
	if c.self != 0 {
		return c.self, nil
	}
	if c.opt.DryRun {
		return githubapi.ActionsBotID, nil
	}
	id, err := c.github.SetStatus(ctx, c.event.HeadSHA(), github.Pending, "the measurement is being judged", c.runLink(0))
	if err == nil && id == 0 {
		err = &githubapi.Error{Forge: githubapi.Name, What: "set the commit status", Message: "the response does not name the status's creator"}
	}
	c.self = id
	return id, err
}
