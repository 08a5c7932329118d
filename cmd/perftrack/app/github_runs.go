package app

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// maxMeasurements is how many runs of the measuring workflow one comment looks at, and
// maxPulls how many pull requests of one head.
const (
	maxMeasurements = 10
	maxPulls        = 10
)

// measurements returns the runs of the measuring workflow that were made for the head,
// the newest first, as GitHub knows them now: what the event says of its run may be days
// old, when somebody runs the commenting workflow again. A run in which everything was
// skipped, as for a new title, measured nothing on purpose and does not count.
func (g *gitHub) measurements(ctx context.Context, e *event) ([]workflowRun, error) {
	of := e.WorkflowRun
	var now workflowRun
	if _, err := g.get(ctx, "read the run that measured", "actions/runs/"+strconv.FormatInt(of.ID, 10), nil, &now); err != nil {
		return nil, err
	}
	var answer struct {
		Runs []workflowRun `json:"workflow_runs"`
	}
	if of.WorkflowID != 0 {
		path := "actions/workflows/" + strconv.FormatInt(of.WorkflowID, 10) + "/runs"
		query := url.Values{"head_sha": {of.HeadSHA}, "event": {"pull_request"}, "per_page": {"30"}}
		if _, err := g.get(ctx, "list the runs that measured", path, query, &answer); err != nil {
			return nil, err
		}
	}
	runs := slices.DeleteFunc(append(answer.Runs, now), func(r workflowRun) bool {
		return r.HeadSHA != of.HeadSHA || r.HeadRepository == nil || r.HeadRepository.ID != of.HeadRepository.ID || r.Conclusion == "skipped"
	})
	slices.SortStableFunc(runs, func(a, b workflowRun) int { return int(min(1, max(-1, b.ID-a.ID))) })
	runs = slices.CompactFunc(runs, func(a, b workflowRun) bool { return a.ID == b.ID })
	return runs[:min(len(runs), maxMeasurements)], nil
}

// tip returns the newest commit of a branch, "" where there is no such branch. What
// GitHub says of a pull request's base is as old as the last push to the pull request.
func (g *gitHub) tip(ctx context.Context, branch string) (string, error) {
	var answer struct {
		Object struct {
			SHA string `json:"sha"`
		} `json:"object"`
	}
	_, err := g.get(ctx, "find the base branch", "git/ref/heads/"+escaped(branch), nil, &answer)
	if isStatus(err, http.StatusNotFound) || err == nil && !fullSHA.MatchString(answer.Object.SHA) {
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

// A commitStatus is one that was set on a commit.
type commitStatus struct {
	State       string    `json:"state"`
	Context     string    `json:"context"`
	Description string    `json:"description"`
	Link        string    `json:"target_url"`
	Created     time.Time `json:"created_at"`
	Creator     struct {
		ID int64 `json:"id"`
	} `json:"creator"`
}

// statuses returns what was set on a commit under our name, the newest first. Who may
// write there may write to the repository.
func (g *gitHub) statuses(ctx context.Context, sha string) (all []commitStatus, err error) {
	err = pages(ctx, g, "list the commit statuses", "commits/"+sha+"/statuses", nil, func(list []commitStatus) {
		for _, s := range list {
			if s.Context == statusContext {
				all = append(all, s)
			}
		}
	})
	return all, err
}

// namesakes counts the jobs of the head that have the name of our status: its workflows
// are the pull request's own, and a required name is met by jobs, too.
func (g *gitHub) namesakes(ctx context.Context, sha string) (int, error) {
	var answer struct {
		Count int `json:"total_count"`
	}
	query := url.Values{"check_name": {statusContext}, "per_page": {"1"}}
	_, err := g.get(ctx, "look for jobs with the name of the status", "commits/"+sha+"/check-runs", query, &answer)
	return answer.Count, err
}

// maxBasesSaid is how many bases a description names, which also has to say the verdict:
// for those that it does not name, it is found by nobody.
const maxBasesSaid = 5

var againstBases = regexp.MustCompile(`, against ([0-9a-f]{12}(?: and [0-9a-f]{12})*)$`)

// against is the end of a description, which says what the head was measured against:
// by it a verdict is found again when its trial is gone.
func against(bases []string) string {
	var short []string
	for _, b := range bases {
		if b = b[:min(len(b), 12)]; len(short) < maxBasesSaid && !slices.Contains(short, b) {
			short = append(short, b)
		}
	}
	if len(short) == 0 {
		return ""
	}
	return ", against " + strings.Join(short, " and ")
}

// decides reports whether the status is a verdict of the head against base, "" being
// any.
func (s commitStatus) decides(base string) bool {
	m := againstBases.FindStringSubmatch(s.Description)
	return isVerdict(s.State) && m != nil && (base == "" || slices.Contains(strings.Split(m[1], " and "), base[:min(len(base), 12)]))
}
