package pullrequest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// measuringWorkflow is the file name of the workflow for pushes to pull requests.
const measuringWorkflow = "perftrack-measure.yml"

// findAsked finds the trials of this run, measured on demand, and of the runs started by pushes of
// the same head.
func (c *job) findAsked(ctx context.Context, p *githubapi.PullRequest) error {
	own, err := strconv.ParseInt(c.opt.Actions.Run, 10, 64)
	if err != nil {
		return fault.Usagef("--asked works only in a GitHub Actions job: GITHUB_RUN_ID %q is not a number", c.opt.Actions.Run)
	}
	runs, err := c.github.PullRuns(ctx, measuringWorkflow, p)
	if err != nil {
		return err
	}
	runs = append(runs, githubapi.WorkflowRun{ID: own, Status: "completed"})
	slices.SortFunc(runs, func(a, b githubapi.WorkflowRun) int { return cmp.Compare(b.ID, a.ID) })
	for i := range runs {
		c.trials = append(c.trials, &trialRun{run: &runs[i]})
	}
	return nil
}

// countGone counts the earlier measurements of the same commits whose trials are not available
// here. Each has spent its share of alpha. They are found through their commit statuses, because
// GitHub does not list runs on demand by their head.
func (c *job) countGone(ctx context.Context, j *judgement) (int, error) {
	if c.opt.Asked == "" {
		return 0, nil
	}
	before, err := c.statusesBefore(ctx)
	if err != nil {
		return 0, err
	}
	gone := map[string]bool{}
	for _, s := range before {
		if decides(s, j.base) && !slices.ContainsFunc(j.trials, func(m *trialRun) bool { return s.Link == c.linkOf(m.id()) }) {
			gone[s.Link] = true
		}
	}
	return len(gone), nil
}

// linkOf returns the address of a workflow run.
func (c *job) linkOf(run int64) string {
	return c.opt.Actions.Server + "/" + c.event.Repository.FullName + "/actions/runs/" + strconv.FormatInt(run, 10)
}

// limitToPart sets the status to pending if only some benchmarks were measured on demand, but the
// base's configuration requires all of them. Measuring a part must not turn the head green.
func (c *job) limitToPart(j *judgement, compared []*record.Run, d config.Defaults) {
	whole := map[string]bool{}
	for _, r := range compared {
		before, ok := whole[r.Trial]
		whole[r.Trial] = r.Protocol.SelectsAll() && (before || !ok)
	}
	if c.opt.Asked == "" || d.On != config.OnPush || j.State != github.Success || slices.Contains(slices.Collect(maps.Values(whole)), true) {
		return
	}
	const why = "only part of the benchmarks was measured, on demand"
	changed := j.changed
	j.overrule(github.Overruled{State: github.Pending, Description: why + ": " + j.Description, Why: "The status is " + github.Pending + ": " + why})
	j.changed = changed
}
