package githubapi

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// SetStatus sets the commit status, and returns who did according to GitHub.
func (g *Client) SetStatus(ctx context.Context, sha, state, description, link string) (creator int64, err error) {
	var made CommitStatus
	_, err = g.Call(ctx, Request{
		What: "set the commit status", Method: http.MethodPost, Path: "statuses/" + sha,
		Body: map[string]string{"state": state, "context": StatusContext, "description": description, "target_url": link},
	}, &made)
	return made.Creator.ID, err
}

// StatusContext is the name of the commit status, which maintainers require.
const StatusContext = "perftrack"

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
