package githubapi

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
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
		query := url.Values{"head_sha": {of.HeadSHA}, "event": {"pull_request"}, "per_page": {"30"}}
		if _, err := g.Get(ctx, "list the runs that measured", path, query, &answer); err != nil {
			return nil, err
		}
	}
	runs := slices.DeleteFunc(append(answer.Runs, now), func(r WorkflowRun) bool {
		return r.HeadSHA != of.HeadSHA || r.HeadRepository == nil || r.HeadRepository.ID != of.HeadRepository.ID || r.Conclusion == "skipped"
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

// A CommitStatus is one that was set on a commit.
type CommitStatus struct {
	State       string    `json:"state"`
	Context     string    `json:"context"`
	Description string    `json:"description"`
	Link        string    `json:"target_url"`
	Created     time.Time `json:"created_at"`
	Creator     struct {
		ID int64 `json:"id"`
	} `json:"creator"`
}

// Statuses returns what was set on a commit under our name, the newest first. Who may
// write there may write to the repository.
func (g *Client) Statuses(ctx context.Context, sha string) (all []CommitStatus, err error) {
	err = Pages(ctx, g, "list the commit statuses", "commits/"+sha+"/statuses", nil, func(list []CommitStatus) {
		for _, s := range list {
			if s.Context == StatusContext {
				all = append(all, s)
			}
		}
	})
	return all, err
}

// CountNamesakes counts the jobs of the head that have the name of our status: its workflows
// are the pull request's own, and a required name is met by jobs, too.
func (g *Client) CountNamesakes(ctx context.Context, sha string) (int, error) {
	var answer struct {
		Count int `json:"total_count"`
	}
	query := url.Values{"check_name": {StatusContext}, "per_page": {"1"}}
	_, err := g.Get(ctx, "look for jobs with the name of the status", "commits/"+sha+"/check-runs", query, &answer)
	return answer.Count, err
}

// maxBasesSaid is how many bases a description names, which also has to say the verdict:
// for those that it does not name, it is found by nobody.
const maxBasesSaid = 5

var AgainstBases = regexp.MustCompile(`, against ([0-9a-f]{12}(?: and [0-9a-f]{12})*)$`)

// Against is the end of a description, which says what the head was measured against:
// by it a verdict is found again when its trial is gone.
func Against(bases []string) string {
	var short []string
	for _, b := range bases {
		if b = record.ShortHash(b); len(short) < maxBasesSaid && !slices.Contains(short, b) {
			short = append(short, b)
		}
	}
	if len(short) == 0 {
		return ""
	}
	return ", against " + strings.Join(short, " and ")
}

// Decides reports whether the status is a verdict of the head against base, "" being
// any.
func (s CommitStatus) Decides(base string) bool {
	m := AgainstBases.FindStringSubmatch(s.Description)
	return IsVerdict(s.State) && m != nil && (base == "" || slices.Contains(strings.Split(m[1], " and "), record.ShortHash(base)))
}

// IsVerdict reports whether a state of the status says how fast the head is.
func IsVerdict(state string) bool { return state == github.Success || state == github.Failure }

// A NoResultError says why there is nothing to judge, and by which state of the status: an
// error is the fault of what was measured; what is nobody's fault is pending, which
// blocks just as well.
type NoResultError struct {
	State  string
	Why    string // of perftrack's own words
	Detail error  // may quote what the pull request wrote
}

func (e *NoResultError) Error() string { return e.Why }

func Broken(why string, detail error) *NoResultError {
	return &NoResultError{github.Broken, why, detail}
}

func Pending(why string) *NoResultError { return &NoResultError{State: github.Pending, Why: why} }

const RunAgain = ": run the measuring workflow again"

// Ended says of a run that left nothing how it ended, if it has.
func (w *WorkflowRun) Ended() *NoResultError {
	if w.Status != "" && w.Status != "completed" {
		return Pending("the benchmarks are being measured")
	}
	switch w.Conclusion {
	case "action_required":
		return Pending("the measuring workflow waits for a maintainer to approve it")
	case "cancelled", "timed_out", "stale":
		return Pending("the measurement was cancelled or ran out of time" + RunAgain)
	case "startup_failure":
		return Broken("the measuring workflow could not start: see its log", nil)
	}
	return Broken("the measuring workflow ended without a result: see its log", nil)
}
