package githubapi

import (
	"context"
	"net/http"
	"net/url"
	"time"
)

// SetStatus sets the commit status named [StatusContext] and returns the id of the user who set it,
// as reported by GitHub.
func (g *Client) SetStatus(ctx context.Context, sha, state, description, link string) (creator int64, err error) {
	var made CommitStatus
	_, err = g.Call(ctx, Request{
		What: "set the commit status", Method: http.MethodPost, Path: "statuses/" + sha,
		Body: map[string]string{"state": state, "context": StatusContext, "description": description, "target_url": link},
	}, &made)
	return made.Creator.ID, err
}

// StatusContext is the name of the commit status that maintainers mark as required.
const StatusContext = "perftrack"

// A CommitStatus is a status of a commit. Anyone with write access can set one with any name.
type CommitStatus struct {
	State       string    `json:"state"`
	Context     string    `json:"context"`
	Description string    `json:"description"`
	Link        string    `json:"target_url"` // without the stamp
	Stamp       Stamp     `json:"-"`
	Created     time.Time `json:"created_at"`
	Creator     struct {
		ID int64 `json:"id"`
	} `json:"creator"`
}

// Statuses returns a commit's statuses named [StatusContext], newest first.
func (g *Client) Statuses(ctx context.Context, sha string) (all []CommitStatus, err error) {
	err = Pages(ctx, g, "list the commit statuses", "commits/"+sha+"/statuses", nil, func(list []CommitStatus) {
		for _, s := range list {
			if s.Context == StatusContext {
				s.Link, s.Stamp = cutStamp(s.Link)
				all = append(all, s)
			}
		}
	})
	return all, err
}

// CountNamesakes counts the jobs for the head with the same name as perftrack's status. Such a job
// in the pull request's own workflows could satisfy the required status in perftrack's place.
func (g *Client) CountNamesakes(ctx context.Context, sha string) (int, error) {
	var answer struct {
		Count int `json:"total_count"`
	}
	query := url.Values{"check_name": {StatusContext}, "per_page": {"1"}}
	_, err := g.Get(ctx, "look for jobs with the same name as the status", "commits/"+sha+"/check-runs", query, &answer)
	return answer.Count, err
}
