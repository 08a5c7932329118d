package pullrequest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
)

// labelEventName is the name of the event by which a label starts the commenting workflow. A job
// started in this way has the rights of the default branch, so it reads the pull request only
// through GitHub's API.
const labelEventName = "pull_request_target"

// findMeasuring replaces the event of a label with the event of the newest measuring run for the
// head, to judge the run again with the current labels. ok is false if the event is about another
// label or if the head has not been measured yet.
func (c *job) findMeasuring(ctx context.Context) (ok bool, err error) {
	if c.event.Label == nil || !strings.EqualFold(c.event.Label.Name, acceptLabel) {
		c.session.Noticef("nothing to do: only the label %s can change a verdict", acceptLabel)
		return false, nil
	}
	runs, err := c.github.PullRuns(ctx, measuringWorkflow, c.event.PullRequest)
	if err != nil {
		return false, err
	}
	if len(runs) == 0 {
		c.session.Noticef("nothing to judge: no run of %s has measured the head of pull request %d", measuringWorkflow, c.event.PullRequest.Number)
		return false, nil
	}
	newest := slices.MaxFunc(runs, func(a, b githubapi.WorkflowRun) int { return cmp.Compare(a.ID, b.ID) })
	if goesOn(&newest) {
		c.session.Noticef("nothing to judge yet: the head is still being measured, and its labels count afterwards")
		return false, nil
	}
	c.event.WorkflowRun = &newest
	return true, nil
}
