// Package gitlabapi is a client for the parts of GitLab's API needed to show a job's result: the
// notes on a merge request and the status of a commit. It makes no decisions.
package gitlabapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
)

// Options identify the project and the token. They come from a job's environment variables.
type Options struct {
	API      string // CI_API_V4_URL
	Project  string // CI_MERGE_REQUEST_PROJECT_ID, a number
	Token    string // GITLAB_TOKEN
	JobToken string // CI_JOB_TOKEN, used if Token is ""
	Pipeline string // CI_PIPELINE_ID, the pipeline to add the status to, or ""
	Commit   string // CI_COMMIT_SHA, the commit of the pipeline
}

// A Client sends requests about one project to GitLab's API.
type Client struct {
	*restapi.Client
	pipeline int64
	commit   string // the pipeline's commit
	me       int64  // id of the token's user, or 0 if not yet known
}

var number = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)

// NewClient returns a client. The address opt.API must come from the environment, never from a file
// in the repository.
func NewClient(opt Options, now func() time.Time) (*Client, error) {
	if !number.MatchString(opt.Project) {
		return nil, fault.Usagef("CI_MERGE_REQUEST_PROJECT_ID %q is not a number: run this command in a merge request pipeline", opt.Project)
	}
	const token = "pass a project token with the api scope in the variable GITLAB_TOKEN: see perftrack help forges gitlab"
	forge := restapi.Forge{Name: "GitLab", Conflicts: true, Header: map[string]string{"Accept": "application/json"}, Refused: map[int]string{
		http.StatusUnauthorized: token,
		http.StatusForbidden:    "the token needs the api scope and the Developer role: see perftrack help forges gitlab",
		http.StatusNotFound:     "the project or merge request does not exist, or the token has no access to it: " + token,
	}}
	switch {
	case opt.Token != "":
		forge.Header["PRIVATE-TOKEN"] = opt.Token
	case opt.JobToken != "":
		forge.Header["JOB-TOKEN"] = opt.JobToken
	}
	c, err := restapi.NewClient(forge, "CI_API_V4_URL", opt.API, "projects/"+opt.Project, now)
	if err != nil {
		return nil, err
	}
	g := &Client{Client: c, commit: opt.Commit}
	if number.MatchString(opt.Pipeline) {
		g.pipeline, _ = strconv.ParseInt(opt.Pipeline, 10, 64)
	}
	return g, nil
}

// Head returns the newest commit of a merge request, or "" if the merge request is not open.
func (g *Client) Head(ctx context.Context, request int) (string, error) {
	var answer struct {
		State string `json:"state"`
		SHA   string `json:"sha"`
	}
	_, err := g.Get(ctx, "read the merge request", fmt.Sprintf("merge_requests/%d", request), nil, &answer)
	if err != nil || answer.State != "opened" {
		return "", err
	}
	return answer.SHA, nil
}

// states maps the states of a commit status on GitHub to those on GitLab.
var states = map[string]string{"success": "success", "failure": "failed", "error": "failed", "pending": "pending"}

// SetStatus sets the commit status named perftrack. It adds the status to the pipeline only if the
// pipeline is for the same commit. A pipeline for merged results is for a merge commit, so GitLab
// would not find it for the head.
func (g *Client) SetStatus(ctx context.Context, sha, state, description, link string) error {
	body := map[string]any{"state": states[state], "name": statusName, "description": description}
	if link != "" {
		body["target_url"] = link
	}
	if g.pipeline > 0 && sha == g.commit {
		body["pipeline_id"] = g.pipeline
	}
	_, err := g.Call(ctx, restapi.Request{What: "set the commit status", Method: http.MethodPost, Path: "statuses/" + sha, Body: body}, nil)
	var e *restapi.Error
	if errors.As(err, &e) && e.Status == http.StatusBadRequest && strings.Contains(e.Message, "Cannot transition status") {
		return nil // the status already has this state
	}
	return err
}

// statusName is the name of the commit status.
const statusName = "perftrack"

// A note is a comment on a merge request.
type note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	System bool   `json:"system"`
	Author struct {
		ID int64 `json:"id"`
	} `json:"author"`
}

// SetComment makes body the token user's only note beginning with marker on the merge request, and
// returns a description of what it did: see [restapi.Client.SetComment].
func (g *Client) SetComment(ctx context.Context, request int, marker, body string, create bool) (did string, err error) {
	if err := g.findMe(ctx); err != nil {
		return "", err
	}
	notes := fmt.Sprintf("merge_requests/%d/notes", request)
	call := func(ctx context.Context, what, method, path string, body any) error {
		_, err := g.Call(ctx, restapi.Request{What: what, Method: method, Path: path, Body: body, Once: method == http.MethodPost}, nil)
		return err
	}
	text := func(body string) any { return map[string]string{"body": body} }
	return g.Client.SetComment(ctx, restapi.Comments{
		Noun: "note",
		List: func(ctx context.Context) ([]restapi.Comment, error) { return g.own(ctx, notes, marker) },
		Create: func(ctx context.Context, body string) error {
			return call(ctx, "create the note", http.MethodPost, notes, text(body))
		},
		Update: func(ctx context.Context, id int64, body string) error {
			return call(ctx, "update the note", http.MethodPut, notes+"/"+strconv.FormatInt(id, 10), text(body))
		},
		Delete: func(ctx context.Context, id int64) error {
			return call(ctx, "delete a second note", http.MethodDelete, notes+"/"+strconv.FormatInt(id, 10), nil)
		},
	}, withoutCommands(body), create)
}

// findMe finds the id of the token's user, who is the author of perftrack's notes.
func (g *Client) findMe(ctx context.Context) error {
	if g.me != 0 {
		return nil
	}
	var answer struct {
		ID int64 `json:"id"`
	}
	if _, err := g.Get(ctx, "find the token's user", "../../user", nil, &answer); err != nil {
		return err
	}
	if g.me = answer.ID; g.me == 0 {
		return &restapi.Error{Forge: "GitLab", What: "find the token's user", Message: "the response has no id"}
	}
	return nil
}

// own returns the token user's notes beginning with marker.
func (g *Client) own(ctx context.Context, notes, marker string) (own []restapi.Comment, err error) {
	query := url.Values{"sort": {"asc"}, "order_by": {"created_at"}}
	err = restapi.Pages(ctx, g.Client, "list the notes", notes, query, func(list []note) {
		for _, n := range list {
			if !n.System && n.Author.ID == g.me && strings.HasPrefix(n.Body, marker) {
				own = append(own, restapi.Comment{ID: n.ID, Body: n.Body})
			}
		}
	})
	return own, err
}

var command = regexp.MustCompile(`(?m)^([ \t]*)/`)

// withoutCommands escapes a slash at the beginning of a line. Otherwise GitLab would run quick
// actions such as /merge as the token's owner.
func withoutCommands(body string) string { return command.ReplaceAllString(body, "$1&#47;") }
