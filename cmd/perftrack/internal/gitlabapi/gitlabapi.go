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
	"slices"
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
	const token = "pass a token of the project with the scope api in the variable GITLAB_TOKEN: see docs/forges.md"
	forge := restapi.Forge{Name: "GitLab", Conflicts: true, Header: map[string]string{"Accept": "application/json"}, Refused: map[int]string{
		http.StatusUnauthorized: token,
		http.StatusForbidden:    "the token needs the scope api and the role Developer: see docs/forges.md",
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
// own, and says what it did. Where create is false, only one that is there already is changed.
func (g *Client) SetComment(ctx context.Context, request int, marker, body string, create bool) (did string, err error) {
	if err := g.findMe(ctx); err != nil {
		return "", err
	}
	body = withoutCommands(body)
	notes := fmt.Sprintf("merge_requests/%d/notes", request)
	for try := 1; ; try++ {
		own, err := g.own(ctx, notes, marker)
		switch {
		case err != nil:
			return did, err
		case len(own) > 0:
			did, err = g.keepFirst(ctx, notes, own, body, did)
			if restapi.IsStatus(err, http.StatusNotFound) && try < restapi.MaxTries {
				continue // deleted meanwhile
			}
			return did, err
		case did != "":
			return did, nil // GitLab's list has not caught up
		case !create:
			return "no note needed", nil
		}
		_, err = g.Call(ctx, restapi.Request{
			What: "create the note", Method: http.MethodPost, Path: notes, Body: map[string]string{"body": body}, Once: true,
		}, nil)
		var e *restapi.Error
		switch {
		case err == nil:
			did = "created the note" // the next look finds what another job made at the same moment
		case errors.As(err, &e) && e.Uncertain() && try < restapi.MaxTries:
			if err := g.Sleep(ctx, time.Second<<(try-1)); err != nil {
				return did, err
			}
		default:
			return did, err
		}
	}
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

// own returns our notes with the marker, the oldest first.
func (g *Client) own(ctx context.Context, notes, marker string) (own []note, err error) {
	query := url.Values{"sort": {"asc"}, "order_by": {"created_at"}}
	err = restapi.Pages(ctx, g.Client, "list the notes", notes, query, func(list []note) {
		for _, n := range list {
			if !n.System && n.Author.ID == g.me && strings.HasPrefix(n.Body, marker) {
				own = append(own, n)
			}
		}
	})
	slices.SortFunc(own, func(a, b note) int { return int(min(1, max(-1, a.ID-b.ID))) })
	return own, err
}

// keepFirst makes body the oldest of our notes and deletes the others.
func (g *Client) keepFirst(ctx context.Context, notes string, own []note, body, did string) (string, error) {
	if strings.TrimSpace(own[0].Body) != strings.TrimSpace(body) {
		_, err := g.Call(ctx, restapi.Request{
			What: "update the note", Method: http.MethodPut, Path: notes + "/" + strconv.FormatInt(own[0].ID, 10), Body: map[string]string{"body": body},
		}, nil)
		if err != nil {
			return did, err
		}
		did = "updated the note"
	}
	for _, n := range own[1:] {
		_, err := g.Call(ctx, restapi.Request{What: "delete a second note", Method: http.MethodDelete, Path: notes + "/" + strconv.FormatInt(n.ID, 10)}, nil)
		if err != nil && !restapi.IsStatus(err, http.StatusNotFound) {
			return did, err
		}
	}
	if did == "" {
		did = "left the note as it is"
	}
	return did, nil
}

var command = regexp.MustCompile(`(?m)^([ \t]*)/`)

// withoutCommands keeps a line of a note from being a command, such as /merge, which GitLab
// would carry out as the owner of the token.
func withoutCommands(body string) string { return command.ReplaceAllString(body, "$1&#47;") }
