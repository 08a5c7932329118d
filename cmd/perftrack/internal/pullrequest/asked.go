package pullrequest

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

// measuringWorkflow measures the pushes of a pull request.
const measuringWorkflow = "perftrack-measure.yml"

// findAsked finds what this run measured because somebody asked for it, beside what the pushes of
// the same head left.
func (c *job) findAsked(ctx context.Context, p *githubapi.PullRequest) error {
	own, err := strconv.ParseInt(c.opt.Actions.Run, 10, 64)
	if err != nil {
		return fault.Usagef("--asked is for a job of GitHub Actions: GITHUB_RUN_ID %q is no number", c.opt.Actions.Run)
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

// countGone returns how many measurements of the same commits there were whose trials are not here:
// GitHub does not list those that were asked for by head. Each had its share of alpha.
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

// linkOf returns the address of a run.
func (c *job) linkOf(run int64) string {
	return c.opt.Actions.Server + "/" + c.event.Repository.FullName + "/actions/runs/" + strconv.FormatInt(run, 10)
}

// limitToPart keeps a part that was asked for from turning a head green of which the base's
// configuration asks for all. A measurement of all that lacks something is not among what was
// compared, and says nothing of it.
func (c *job) limitToPart(j *judgement, compared []*record.Run, d config.Defaults) {
	whole := map[string]bool{}
	for _, r := range compared {
		before, ok := whole[r.Trial]
		whole[r.Trial] = compare.SelectionIs(r, "") && (before || !ok)
	}
	if c.opt.Asked == "" || d.On != config.OnPush || j.State != github.Success || slices.Contains(slices.Collect(maps.Values(whole)), true) {
		return
	}
	const why = "only a part was measured, as asked for"
	changed := j.changed
	j.overrule(github.Overruled{State: github.Pending, Description: why + ": " + j.Description, Why: "The status is " + github.Pending + ": " + why})
	j.changed = changed
}
