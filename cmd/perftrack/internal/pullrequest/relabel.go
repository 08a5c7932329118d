package pullrequest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
)

// labelEventName is the event on which labels start the commenting workflow. Its job has the rights of the
// default branch, so it is given nothing of the pull request but what GitHub says.
const labelEventName = "pull_request_target"

// findMeasuring makes the event of a label that of the head's newest measuring run, so that its trial is
// judged again with the label as it is now. ok is false where nothing is to be judged: another label, a
// head that nobody measured, or one whose measurement ends later, which reads the label then.
func (c *job) findMeasuring(ctx context.Context) (ok bool, err error) {
	if c.event.Label == nil || !strings.EqualFold(c.event.Label.Name, acceptLabel) {
		c.session.Noticef("nothing to do: only the label %s changes a verdict", acceptLabel)
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
		c.session.Noticef("nothing to judge yet: the head is being measured, and judged with its labels after that")
		return false, nil
	}
	c.event.WorkflowRun = &newest
	return true, nil
}
