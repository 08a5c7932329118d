package githubapi

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo"
)

// maxMeasurements is how many runs of the measuring workflow one comment looks at, and
// MaxPulls how many pull requests of one head.
const (
	maxMeasurements = 10
	MaxPulls        = 10
)

// MeasuringRuns returns the runs of the measuring workflow that were made for the head,
// the newest first, as GitHub knows them now: what the event says of its run may be days
// old, when somebody runs the commenting workflow again. A run in which everything was
// skipped, as for a new title, measured nothing on purpose and does not count.
func (g *Client) MeasuringRuns(ctx context.Context, e *Event) ([]WorkflowRun, error) {
	of := e.WorkflowRun
	var now WorkflowRun
	if _, err := g.Get(ctx, "read the run that measured", "actions/runs/"+strconv.FormatInt(of.ID, 10), nil, &now); err != nil {
		return nil, err
	}
	var answer struct {
		Runs []WorkflowRun `json:"workflow_runs"`
	}
	if of.WorkflowID != 0 {
		path := "actions/workflows/" + strconv.FormatInt(of.WorkflowID, 10) + "/runs"
		query := url.Values{"head_sha": {of.HeadSHA}, "event": {of.Event}, "per_page": {"30"}}
		if _, err := g.Get(ctx, "list the runs that measured", path, query, &answer); err != nil {
			return nil, err
		}
	}
	runs := slices.DeleteFunc(append(answer.Runs, now), func(r WorkflowRun) bool {
		return r.HeadSHA != of.HeadSHA || r.Event != of.Event || r.HeadRepository == nil || r.HeadRepository.ID != of.HeadRepository.ID || r.Conclusion == "skipped"
	})
	slices.SortStableFunc(runs, func(a, b WorkflowRun) int { return int(min(1, max(-1, b.ID-a.ID))) })
	runs = slices.CompactFunc(runs, func(a, b WorkflowRun) bool { return a.ID == b.ID })
	return runs[:min(len(runs), maxMeasurements)], nil
}

// BranchTip returns the newest commit of a branch, "" where there is no such branch. What
// GitHub says of a pull request's base is as old as the last push to the pull request.
func (g *Client) BranchTip(ctx context.Context, branch string) (string, error) {
	var answer struct {
		Object struct {
			SHA string `json:"sha"`
		} `json:"object"`
	}
	_, err := g.Get(ctx, "find the base branch", "git/ref/heads/"+escaped(branch), nil, &answer)
	if IsStatus(err, http.StatusNotFound) || err == nil && !gitrepo.IsHash(answer.Object.SHA) {
		return "", nil
	}
	return answer.Object.SHA, err
}

// escaped is the name of a branch as the path of an address: a name may have a percent
// sign, which would stand for another character.
func escaped(branch string) string {
	parts := strings.Split(branch, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}
