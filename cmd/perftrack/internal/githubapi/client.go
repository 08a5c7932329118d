package githubapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
)

// A Client sends requests to GitHub's API, for one repository. The token comes from the
// environment, and goes to the host of the API and nowhere else.
type Client struct {
	*restapi.Client
	// Bot is whose comments are ours until GitHub says who the token belongs to.
	Bot int64
}

// Name is what messages call it.
const Name = "GitHub"

// What is asked for, and what went wrong.
type (
	Request = restapi.Request
	Error   = restapi.Error
)

var errRepositoryName = errors.New("is not of the form owner/name")

// NewClient returns a client. The address is the environment's, never that of
// a file of the repository.
func NewClient(api, repo, token string, now func() time.Time) (*Client, error) {
	return newClient(Name, api, repo, token, now)
}

// NewForgejoClient returns a client of Forgejo, which has the requests for a comment and a
// status from GitHub.
func NewForgejoClient(api, repo, token string, now func() time.Time) (*Client, error) {
	return newClient("Forgejo", api, repo, token, now)
}

func newClient(name, api, repo, token string, now func() time.Time) (*Client, error) {
	if !repositoryName.MatchString(repo) {
		return nil, fault.Usagef("repository %q %w", repo, errRepositoryName)
	}
	const permissions = "the job needs the permissions actions: read, checks: read, contents: read, pull-requests: write and statuses: write; a fork's own job never has them"
	forge := restapi.Forge{
		Name:    name,
		Header:  map[string]string{"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"},
		Refused: map[int]string{http.StatusUnauthorized: "pass a valid token in GITHUB_TOKEN", http.StatusForbidden: permissions},
	}
	if token != "" {
		forge.Header["Authorization"] = "Bearer " + token
	}
	c, err := restapi.NewClient(forge, "GITHUB_API_URL", api, "repos/"+repo, now)
	if err != nil {
		return nil, err
	}
	return &Client{Client: c, Bot: ActionsBotID}, nil
}

// IsStatus reports whether err is an answer with that HTTP status.
func IsStatus(err error, status int) bool { return restapi.IsStatus(err, status) }

// Pages calls use with each page of a list until there is none left.
func Pages[T any](ctx context.Context, g *Client, what, path string, query url.Values, use func([]T)) error {
	return restapi.Pages(ctx, g.Client, what, path, query, use)
}
