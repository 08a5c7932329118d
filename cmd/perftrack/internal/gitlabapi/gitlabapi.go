// Package gitlabapi is a client of the few parts of GitLab's API with which a job shows a
// result: the notes of a merge request, and the status of a commit. It decides nothing.
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

// Options are where the project is and who asks, from the environment of a job.
type Options struct {
	API      string // CI_API_V4_URL
	Project  string // CI_MERGE_REQUEST_PROJECT_ID: a number
	Token    string // GITLAB_TOKEN
	JobToken string // CI_JOB_TOKEN, where there is no other
	Pipeline string // CI_PIPELINE_ID, which the status is to be part of; or ""
	Commit   string // CI_COMMIT_SHA, which the pipeline is of
}

// A Client sends requests to GitLab's API, for one project.
type Client struct {
	*restapi.Client
	pipeline int64
	commit   string // of the pipeline
	me       int64  // who the token belongs to, 0: not asked yet
}

var number = regexp.MustCompile(`^[1-9][0-9]{0,17}$`)

// NewClient returns a client. The address is the environment's, never that of a file of the
// repository.
func NewClient(opt Options, now func() time.Time) (*Client, error) {
	if !number.MatchString(opt.Project) {
		return nil, fault.Usagef("CI_MERGE_REQUEST_PROJECT_ID %q is no number: this command is for a merge request pipeline", opt.Project)
	}
	const token = "pass a token of the project with the scope api in the variable GITLAB_TOKEN: see perftrack help forges gitlab"
	forge := restapi.Forge{Name: "GitLab", Conflicts: true, Header: map[string]string{"Accept": "application/json"}, Refused: map[int]string{
		http.StatusUnauthorized: token,
		http.StatusForbidden:    "the token needs the scope api and the role Developer: see perftrack help forges gitlab",
		http.StatusNotFound:     "the project or the merge request is gone, or the token may not see it: " + token,
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

// Head returns the newest commit of a merge request, "" if it is not open.
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

// states are GitLab's names for those of a commit status.
var states = map[string]string{"success": "success", "failure": "failed", "error": "failed", "pending": "pending"}

// SetStatus sets the commit status perftrack. It is part of the pipeline only where that is
// of the same commit: one of merged results is of a merge commit, and GitLab finds no such
// pipeline of the head.
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
		return nil // it has this state already
	}
	return err
}

// statusName is the name of the commit status.
const statusName = "perftrack"

// A note is a comment of a merge request.
type note struct {
	ID     int64  `json:"id"`
	Body   string `json:"body"`
	System bool   `json:"system"`
	Author struct {
		ID int64 `json:"id"`
	} `json:"author"`
}

// SetComment makes body the one note of the merge request that begins with marker and is our
// own, and says what it did: see [restapi.Client.SetComment].
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

// findMe asks whose notes are ours.
func (g *Client) findMe(ctx context.Context) error {
	if g.me != 0 {
		return nil
	}
	var answer struct {
		ID int64 `json:"id"`
	}
	if _, err := g.Get(ctx, "ask who the token belongs to", "../../user", nil, &answer); err != nil {
		return err
	}
	if g.me = answer.ID; g.me == 0 {
		return &restapi.Error{Forge: "GitLab", What: "ask who the token belongs to", Message: "the answer does not say"}
	}
	return nil
}

// own returns our notes with the marker.
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

// withoutCommands keeps a line of a note from being a command, such as /merge, which GitLab
// would carry out as the owner of the token.
func withoutCommands(body string) string { return command.ReplaceAllString(body, "$1&#47;") }
