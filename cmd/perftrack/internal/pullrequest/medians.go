package pullrequest

import (
	"context"
	"errors"

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

// The comment draws the earlier medians of the worst regressions. On GitHub they come from an
// artifact of the history's job, and elsewhere from the clone's database. They are only for
// display, so an error here leads to a remark and not to a failure.

// readMedians returns the medians from the artifact of the base branch's history, or nil if there
// is no artifact.
func (c *job) readMedians(ctx context.Context, base string) (*github.Histories, error) {
	h, err := c.findMedians(ctx, base)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil {
		return h, nil
	}
	c.session.Noticef("cannot read the medians of the history: %s", fault.FirstLine(err))
	why := "the medians from the workflow " + historyWorkflow + " could not be read: see the commenting workflow's log"
	if refused := (*githubapi.Error)(nil); errors.As(err, &refused) {
		why = "GitHub did not return the medians from the workflow " + historyWorkflow + ": run the commenting workflow again"
	}
	return &github.Histories{Why: why}, nil
}

func (c *job) findMedians(ctx context.Context, base string) (*github.Histories, error) {
	if c.pull.Base.Ref == "" {
		return nil, nil
	}
	runs, err := c.github.HistoryRuns(ctx, c.event, historyWorkflow, "", c.pull.Base.Ref)
	gone := false
	for _, r := range runs {
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
		return &github.Histories{Why: "the medians from the workflow " + historyWorkflow + " have expired: run it again"}, nil
	}
	return nil, err
}

// storedMedians returns the medians in the local database. It returns nil if there is no database
// or no earlier run.
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
		Tip:    c.Base.Commit(),
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
		a.Noticef("read the history: %s", fault.FirstLine(err))
		return &github.Histories{Why: "the history could not be read: see the log"}, nil
	case len(h.List) == 0:
		return nil, nil
	}
	return h, nil
}
