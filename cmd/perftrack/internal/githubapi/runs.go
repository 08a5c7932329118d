package githubapi

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/gitrepo"
)

// Limits on the runs and pull requests to consider for a comment.
const (
	maxMeasurements = 10 // runs of the measuring workflow to consider
	MaxPulls        = 10 // pull requests with the same head
)

// MeasuringRuns returns the runs of the measuring workflow for the head, newest first. It requests
// them from GitHub instead of relying on the event, which may be days old if the commenting
// workflow is rerun. It leaves out runs with every job skipped, as happens when only the title was
// edited.
func (g *Client) MeasuringRuns(ctx context.Context, e *Event) ([]WorkflowRun, error) {
	of := e.WorkflowRun
	var now WorkflowRun
	if _, err := g.Get(ctx, "read the measuring run", "actions/runs/"+strconv.FormatInt(of.ID, 10), nil, &now); err != nil {
		return nil, err
	}
	var runs []WorkflowRun
	if of.WorkflowID != 0 {
		query := url.Values{"head_sha": {of.HeadSHA}, "event": {of.Event}, "per_page": {"30"}}
		var err error
		if runs, err = g.runsOf(ctx, "list the measuring runs", strconv.FormatInt(of.WorkflowID, 10), query); err != nil {
			return nil, err
		}
	}
	runs = newestFirst(slices.DeleteFunc(append(runs, now), func(r WorkflowRun) bool {
		return r.HeadSHA != of.HeadSHA || r.Event != of.Event || r.HeadRepository == nil || r.HeadRepository.ID != of.HeadRepository.ID || r.Conclusion == "skipped"
	}))
	runs = slices.CompactFunc(runs, func(a, b WorkflowRun) bool { return a.ID == b.ID })
	return runs[:min(len(runs), maxMeasurements)], nil
}

// PullRuns returns a workflow's runs for the head of a pull request, in no particular order. It
// leaves out runs with every job skipped.
func (g *Client) PullRuns(ctx context.Context, workflow string, p *PullRequest) ([]WorkflowRun, error) {
	if p.Head.Repo == nil {
		return nil, nil
	}
	query := url.Values{"head_sha": {p.Head.SHA}, "event": {PullRequestEvent}, "per_page": {"30"}}
	all, err := g.runsOf(ctx, "list the measuring runs", workflow, query)
	if IsStatus(err, http.StatusNotFound) {
		return nil, nil
	}
	runs := slices.DeleteFunc(all, func(r WorkflowRun) bool {
		return r.HeadSHA != p.Head.SHA || r.Event != PullRequestEvent || r.HeadRepository == nil || r.HeadRepository.ID != p.Head.Repo.ID || r.Conclusion == "skipped"
	})
	return runs[:min(len(runs), maxMeasurements)], err
}

// HistoryRuns returns a workflow's most recent successful runs for commit, or for branch if commit
// is "", newest first. It returns only runs that require push access to the repository.
func (g *Client) HistoryRuns(ctx context.Context, e *Event, workflow, commit, branch string) ([]WorkflowRun, error) {
	query := url.Values{"status": {"success"}, "per_page": {"10"}}
	if commit != "" {
		query.Set("head_sha", commit)
	} else {
		query.Set("branch", branch)
	}
	all, err := g.runsOf(ctx, "list the runs of the history", workflow, query)
	if IsStatus(err, http.StatusNotFound) {
		return nil, nil
	}
	return newestFirst(slices.DeleteFunc(all, func(r WorkflowRun) bool {
		own := r.HeadRepository != nil && r.HeadRepository.ID == e.Repository.ID && slices.Contains([]string{"push", "schedule", "workflow_dispatch"}, r.Event)
		return !own || commit != "" && r.HeadSHA != commit || commit == "" && r.HeadBranch != branch
	})), err
}

// runsOf returns the runs of a workflow, identified by its file name or id.
func (g *Client) runsOf(ctx context.Context, what, workflow string, query url.Values) ([]WorkflowRun, error) {
	var answer struct {
		Runs []WorkflowRun `json:"workflow_runs"`
	}
	_, err := g.Get(ctx, what, "actions/workflows/"+workflow+"/runs", query, &answer)
	return answer.Runs, err
}

func newestFirst(runs []WorkflowRun) []WorkflowRun {
	slices.SortStableFunc(runs, func(a, b WorkflowRun) int { return cmp.Compare(b.ID, a.ID) })
	return runs
}

// BranchTip returns the newest commit of a branch, or "" if there is no such branch. The base
// commit in GitHub's description of a pull request is no substitute, because it dates from the last
// push to the pull request.
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

// escaped escapes a branch name, which may contain percent signs, for use in a URL path.
func escaped(branch string) string {
	parts := strings.Split(branch, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}
