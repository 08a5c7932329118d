package githubapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"

	"github.com/perftrack/perftrack/runner/config"
)

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// ActionsBotID is the id of github-actions[bot], which owns what a job's token
// writes on github.com.
const ActionsBotID = 41898282

// An Event is what made GitHub start the job: of its fields those that say
// which pull request the job is about. GitHub wrote it, in the trusted job from
// its own database; but branch names are the contributor's.
type Event struct {
	Repository  repository   `json:"repository"`
	WorkflowRun *WorkflowRun `json:"workflow_run"`
	PullRequest *PullRequest `json:"pull_request"`
}

type repository struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
	Owner    struct {
		Login string `json:"login"`
	} `json:"owner"`
}

type WorkflowRun struct {
	ID             int64       `json:"id"`
	WorkflowID     int64       `json:"workflow_id"`
	Event          string      `json:"event"`
	Status         string      `json:"status"`
	Conclusion     string      `json:"conclusion"`
	HeadBranch     string      `json:"head_branch"`
	HeadSHA        string      `json:"head_sha"`
	HeadRepository *repository `json:"head_repository"` // null of a deleted fork
}

type PullRequest struct {
	Number int        `json:"number"`
	State  string     `json:"state"`
	Head   pullBranch `json:"head"`
	Base   pullBranch `json:"base"`
	Labels []struct {
		Name string `json:"name"`
	} `json:"labels"`
}

type pullBranch struct {
	Ref  string      `json:"ref"`
	SHA  string      `json:"sha"`
	Repo *repository `json:"repo"` // null of a deleted fork
}

// FromFork reports whether the pull request comes from another repository.
func (p *PullRequest) FromFork() bool {
	return p.Head.Repo == nil || p.Base.Repo == nil || p.Head.Repo.ID != p.Base.Repo.ID
}

func (p *PullRequest) HasLabel(name string) bool {
	return slices.ContainsFunc(p.Labels, func(l struct {
		Name string `json:"name"`
	}) bool {
		return strings.EqualFold(l.Name, name)
	})
}

// ReadEvent reads the file in which the job finds its event.
func ReadEvent(path string) (*Event, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.IO(err)
	}
	var e Event
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fault.Data(fmt.Errorf("read event %s: %w", path, err))
	}
	switch {
	case e.WorkflowRun != nil && e.WorkflowRun.Event != "pull_request":
		return nil, fault.Usagef("the workflow that ended ran on %q, not on pull_request: start perftrack comment only then", e.WorkflowRun.Event)
	case e.WorkflowRun == nil && e.PullRequest == nil:
		return nil, fault.Usagef("the event is neither of a pull_request nor of a workflow_run: see docs/github.md")
	case !gitrepo.IsHash(e.HeadSHA()):
		return nil, fault.Data(errors.New("the event names no head commit"))
	}
	return &e, nil
}

func (e *Event) HeadSHA() string {
	if e.WorkflowRun != nil {
		return e.WorkflowRun.HeadSHA
	}
	return e.PullRequest.Head.SHA
}

// NoPullError says why there is no pull request to comment on. It is no failure:
// a push in between has its own measurement.
type NoPullError struct{ why string }

func (e *NoPullError) Error() string { return e.why }

// BaseName is what the branch is called that the pull request is to be merged into.
func (p *PullRequest) BaseName() string { return cmp.Or(p.Base.Ref, "its base branch") }

// FindPullRequests finds the open pull requests that the event is about, and whose head is still
// the commit that was measured: one, or with several bases several. Only the event and
// GitHub's own answers are believed: a workflow_run does not name pull requests of forks,
// and the artifact could name any.
func (g *Client) FindPullRequests(ctx context.Context, e *Event) (candidates []PullRequest, err error) {
	if w := e.WorkflowRun; w != nil {
		if w.HeadRepository == nil {
			return nil, &NoPullError{"the fork is gone"}
		}
		query := url.Values{"state": {"open"}, "head": {w.HeadRepository.Owner.Login + ":" + w.HeadBranch}}
		err := Pages(ctx, g, "find the pull request", "pulls", query, func(list []PullRequest) {
			for _, p := range list {
				if p.Head.Repo != nil && p.Head.Repo.ID == w.HeadRepository.ID {
					candidates = append(candidates, p)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	} else {
		var p PullRequest
		if _, err := g.Get(ctx, "read the pull request", "pulls/"+strconv.Itoa(e.PullRequest.Number), nil, &p); err != nil {
			return nil, err
		}
		candidates = append(candidates, p)
	}
	candidates = slices.DeleteFunc(candidates, func(p PullRequest) bool {
		return p.Number <= 0 || p.Head.SHA != e.HeadSHA() || !gitrepo.IsHash(p.Base.SHA) ||
			p.Base.Repo == nil || p.Base.Repo.ID != e.Repository.ID
	})
	if n := len(candidates); n == 0 || n > MaxPulls {
		return nil, &NoPullError{fmt.Sprintf("%d open pull requests have %s as their head", n, record.ShortHash(e.HeadSHA()))}
	}
	slices.SortFunc(candidates, func(a, b PullRequest) int { return cmp.Compare(a.Number, b.Number) })
	return candidates, nil
}

// MergeBase returns where the pull request left its base branch, "" where
// GitHub does not say.
func (g *Client) MergeBase(ctx context.Context, p *PullRequest) (string, error) {
	var answer struct {
		MergeBase struct {
			SHA string `json:"sha"`
		} `json:"merge_base_commit"`
	}
	// Page 2 has no list of changed files, which may be megabytes.
	query := url.Values{"per_page": {"1"}, "page": {"2"}}
	_, err := g.Get(ctx, "find the merge base", "compare/"+p.Base.SHA+"..."+p.Head.SHA, query, &answer)
	return answer.MergeBase.SHA, err
}

// BaseConfig reads perftrack.toml as the base branch has it: a pull request
// cannot loosen its own gate. Where the branch has none, it is the default.
func (g *Client) BaseConfig(ctx context.Context, p *PullRequest) (*config.Config, error) {
	text, _, err := g.Do(ctx, Request{
		What: "read perftrack.toml of the base branch", Path: "contents/" + config.FileName,
		Query: url.Values{"ref": {p.Base.SHA}}, Accept: "application/vnd.github.raw+json",
	})
	if IsStatus(err, http.StatusNotFound) {
		return config.Default(), nil
	}
	if err != nil {
		return nil, err
	}
	c, err := config.Parse(text, config.FileName)
	if err != nil {
		return nil, fault.Config(fmt.Errorf("of the base branch: %w", err))
	}
	return c, nil
}

// CommitMessage returns the message of a commit, and who it says wrote it.
func (g *Client) CommitMessage(ctx context.Context, sha string) (message, author string, err error) {
	var answer struct {
		Message string `json:"message"`
		Author  struct {
			Name string `json:"name"`
		} `json:"author"`
	}
	_, err = g.Get(ctx, "read the head commit", "git/commits/"+sha, nil, &answer)
	return answer.Message, cmp.Or(answer.Author.Name, "nobody named"), err
}

// Artifact returns the archive of a name that a run of a workflow left, nil
// where there is none, or none any more.
func (g *Client) Artifact(ctx context.Context, run int64, name string) (data []byte, expired bool, err error) {
	var answer struct {
		Artifacts []struct {
			ID      int64  `json:"id"`
			Name    string `json:"name"`
			Size    int64  `json:"size_in_bytes"`
			Expired bool   `json:"expired"`
		} `json:"artifacts"`
	}
	path := "actions/runs/" + strconv.FormatInt(run, 10) + "/artifacts"
	if _, err := g.Get(ctx, "list artifacts", path, url.Values{"name": {name}, "per_page": {"100"}}, &answer); err != nil {
		return nil, false, err
	}
	// A job that was run again leaves one each time: the newest counts.
	newest, size := int64(0), int64(0)
	for _, a := range answer.Artifacts {
		switch {
		case a.Name != name || a.ID <= newest:
		case a.Expired:
			expired = true
		default:
			newest, size = a.ID, a.Size
		}
	}
	if newest == 0 {
		return nil, expired, nil
	}
	if size > artifact.MaxArchive {
		return nil, false, Broken(fmt.Sprintf("the artifact %s is larger than %d MiB, the limit: measure fewer benchmarks", name, artifact.MaxArchive>>20), nil)
	}
	data, _, err = g.Do(ctx, Request{
		What: "download the artifact", Path: "actions/artifacts/" + strconv.FormatInt(newest, 10) + "/zip", FollowAway: true,
	})
	if IsStatus(err, http.StatusGone) { // expired just now
		return nil, true, nil
	}
	return data, false, err
}

// SetStatus sets the commit status, and returns who did according to GitHub.
func (g *Client) SetStatus(ctx context.Context, sha, state, description, link string) (creator int64, err error) {
	var made CommitStatus
	_, err = g.call(ctx, Request{
		What: "set the commit status", method: http.MethodPost, Path: "statuses/" + sha,
		body: map[string]string{"state": state, "context": StatusContext, "description": description, "target_url": link},
	}, &made)
	return made.Creator.ID, err
}

// StatusContext is the name of the commit status, which maintainers require.
const StatusContext = "perftrack"

// A Comment is a comment of a pull request.
type Comment struct {
	ID      int64     `json:"id"`
	Body    string    `json:"body"`
	Updated time.Time `json:"updated_at"`
	User    struct {
		ID int64 `json:"id"`
	} `json:"user"`
}

// SetComment makes body the one comment of the pull request that begins with
// marker and is our own, and says what it did. A comment of somebody else's
// that has the marker is not ours. Where create is false, only a comment that
// is there already is changed.
func (g *Client) SetComment(ctx context.Context, pull int, marker, body string, create bool) (did string, err error) {
	me := int64(ActionsBotID)
	created := int64(0)
	for try := 1; ; try++ {
		own, err := g.ListComments(ctx, pull, marker, me)
		if err != nil {
			return did, err
		}
		if len(own) == 0 && created != 0 {
			return did, nil // GitHub's list has not caught up
		}
		if len(own) > 0 {
			err := g.keepFirst(ctx, own, body, created)
			if IsStatus(err, http.StatusNotFound) && try < MaxTries {
				continue // deleted meanwhile
			}
			if did == "" || len(own) > 1 && own[0].ID != created {
				did = "updated the comment"
			}
			return did, err
		}
		if !create {
			return "no comment needed", nil
		}
		var made Comment
		_, err = g.call(ctx, Request{
			What: "create the comment", method: http.MethodPost, Path: fmt.Sprintf("issues/%d/comments", pull),
			body: map[string]string{"body": body}, once: true,
		}, &made)
		var e *Error
		switch {
		case err == nil:
			// The next look finds what another job made at the same moment, and
			// earlier comments of whoever the token really belongs to.
			did, created, me = "created the comment", made.ID, made.User.ID
		case errors.As(err, &e) && e.Uncertain() && try < MaxTries:
			if err := g.Sleep(ctx, time.Second<<(try-1)); err != nil {
				return did, err
			}
		default:
			return did, err
		}
	}
}

// ListComments returns the comments with the marker of the user me, 0 being any, the oldest first.
func (g *Client) ListComments(ctx context.Context, pull int, marker string, me int64) (own []Comment, err error) {
	path := fmt.Sprintf("issues/%d/comments", pull)
	err = Pages(ctx, g, "list comments", path, nil, func(list []Comment) {
		for _, c := range list {
			if (me == 0 || c.User.ID == me) && strings.HasPrefix(c.Body, marker) {
				own = append(own, c)
			}
		}
	})
	slices.SortFunc(own, func(a, b Comment) int { return int(min(1, max(-1, a.ID-b.ID))) })
	return own, err
}

// keepFirst makes body the oldest of our comments and deletes the others.
func (g *Client) keepFirst(ctx context.Context, own []Comment, body string, created int64) error {
	if own[0].ID != created || own[0].Body != body {
		_, err := g.call(ctx, Request{
			What: "update the comment", method: http.MethodPatch, Path: fmt.Sprintf("issues/comments/%d", own[0].ID),
			body: map[string]string{"body": body},
		}, nil)
		if err != nil {
			return err
		}
	}
	for _, c := range own[1:] {
		_, err := g.call(ctx, Request{
			What: "delete a second comment", method: http.MethodDelete, Path: fmt.Sprintf("issues/comments/%d", c.ID),
		}, nil)
		if err != nil && !IsStatus(err, http.StatusNotFound) {
			return err
		}
	}
	return nil
}
