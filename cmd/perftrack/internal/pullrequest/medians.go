package pullrequest

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubapi"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/medians"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// The comment draws what the worst regressions measured before. The job that keeps the history
// leaves the newest medians for it; elsewhere they are in the clone's database. They are only
// shown, so that whatever is wrong with them is said and fails nothing.

// chartable reports whether a regression is to be drawn.
func chartable(c *compare.Comparison, accepted func(*compare.Row) (string, bool)) bool {
	for r := range c.Rows() {
		if r.Verdict != compare.Regressed {
			continue
		}
		if accepted == nil {
			return true
		}
		if _, ok := accepted(r); !ok {
			return true
		}
	}
	return false
}

// readMedians returns the medians that the history of the base branch left, nil where it left
// none yet.
func (c *job) readMedians(ctx context.Context, base string) (*github.Histories, error) {
	h, err := c.findMedians(ctx, base)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		return h, nil
	}
	c.session.Noticef("the medians of the history: %s", fault.FirstLine(err))
	why := "the medians that the workflow " + historyWorkflow + " left could not be read: see the log of the commenting workflow"
	if refused := (*githubapi.Error)(nil); errors.As(err, &refused) {
		why = "GitHub did not give the medians that the workflow " + historyWorkflow + " left: run the commenting workflow again"
	}
	return &github.Histories{Why: why}, nil
}

func (c *job) findMedians(ctx context.Context, base string) (*github.Histories, error) {
	if c.pull.Base.Ref == "" {
		return nil, nil
	}
	var answer struct {
		Runs []githubapi.WorkflowRun `json:"workflow_runs"`
	}
	query := url.Values{"branch": {c.pull.Base.Ref}, "status": {"success"}, "per_page": {"10"}}
	_, err := c.github.Get(ctx, "list the runs of the history", "actions/workflows/"+historyWorkflow+"/runs", query, &answer)
	if githubapi.IsStatus(err, 404) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(answer.Runs, func(a, b githubapi.WorkflowRun) int { return int(min(1, max(-1, b.ID-a.ID))) })
	gone := false
	for _, r := range answer.Runs {
		if r.HeadBranch != c.pull.Base.Ref || !ownHistory(r, c.event) {
			continue
		}
		data, expired, err := c.github.Artifact(ctx, r.ID, medians.ArtifactName)
		if err != nil {
			return nil, err
		}
		gone = gone || expired
		if data == nil {
			continue
		}
		text, err := artifact.UnzipFile(data, medians.FileName)
		if err != nil {
			return nil, err
		}
		return medians.Parse(text, base)
	}
	if gone {
		return &github.Histories{Why: "the medians that the workflow " + historyWorkflow + " left have expired: run it again"}, nil
	}
	return nil, nil
}

// storedMedians returns the medians in the database here, nil where there is none.
func storedMedians(ctx context.Context, a *workspace.Session, c *compare.Comparison) (*github.Histories, error) {
	regressed := map[string]map[record.BenchmarkID]bool{}
	for r := range c.Rows() {
		if r.Verdict == compare.Regressed {
			if regressed[r.Target] == nil {
				regressed[r.Target] = map[record.BenchmarkID]bool{}
			}
			regressed[r.Target][r.BenchmarkID] = true
		}
	}
	opt := medians.Options{
		Tip:    sideCommit(c.Base),
		Wanted: func(target string, id record.BenchmarkID) bool { return regressed[target][id] },
	}
	if len(c.Head.Runs) > 0 {
		opt.Trial = c.Head.Runs[0].Trial
	}
	h, err := medians.Of(ctx, a, opt)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, store.ErrNoDatabase):
		return nil, nil
	case err != nil:
		a.Noticef("the history: %s", fault.FirstLine(err))
		return &github.Histories{Why: "the history could not be read: see the log"}, nil
	case len(h.List) == 0:
		return nil, nil // nothing was measured before
	}
	return h, nil
}
