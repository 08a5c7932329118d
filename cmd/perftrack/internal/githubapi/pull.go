package githubapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"

	"github.com/perftrack/perftrack/runner/config"
)

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// ActionsBotID is the id of github-actions[bot], which owns what a job's token
// writes on github.com.
const ActionsBotID = 41898282

// A PullRequest is an open pull request, as far as it is needed here.
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

// HasLabel reports whether the pull request has the label, in whatever case.
func (p *PullRequest) HasLabel(name string) bool {
	return slices.ContainsFunc(p.Labels, func(l struct {
		Name string `json:"name"`
	}) bool {
		return strings.EqualFold(l.Name, name)
	})
}

// NoPullError says why there is no pull request to comment on. It is no failure:
// a push in between has its own measurement.
type NoPullError struct{ why string }

// Error says why there is none.
func (e *NoPullError) Error() string { return e.why }

// BaseName returns the name of the branch that the pull request is to be merged into.
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

// Head returns the newest commit of a pull request, "" if it is not open.
func (g *Client) Head(ctx context.Context, number int) (string, error) {
	var p PullRequest
	_, err := g.Get(ctx, "read the pull request", "pulls/"+strconv.Itoa(number), nil, &p)
	if err != nil || p.State != "open" {
		return "", err
	}
	return p.Head.SHA, nil
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
