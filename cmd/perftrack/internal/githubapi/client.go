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

// A Client sends requests about one repository to GitHub's API. The token comes from the
// environment and is sent only to the API's host.
type Client struct {
	*restapi.Client
	Bot int64 // id of the token's user; github-actions[bot] unless GitHub reports another user
}

// Name is GitHub's name in messages.
const Name = "GitHub"

// Aliases for users of [Client].
type (
	Request = restapi.Request
	Error   = restapi.Error
)

var errRepositoryName = errors.New("does not have the form owner/name")

// NewClient returns a client. The address api must come from the environment, never from a file in
// the repository.
func NewClient(api, repo, token string, now func() time.Time) (*Client, error) {
	return newClient(Name, api, repo, token, now)
}

// NewForgejoClient returns a client for Forgejo. Its API for comments and statuses is the same as
// GitHub's.
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

// IsStatus reports whether err is a response with the given HTTP status.
func IsStatus(err error, status int) bool { return restapi.IsStatus(err, status) }

// Pages calls use with the items on each page of a list.
func Pages[T any](ctx context.Context, g *Client, what, path string, query url.Values, use func([]T)) error {
	return restapi.Pages(ctx, g.Client, what, path, query, use)
}
