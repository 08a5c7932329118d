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
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/record"
)

var repositoryName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// ActionsBotID is the id of github-actions[bot], the user of a job's token on github.com.
const ActionsBotID = 41898282

// A PullRequest is a pull request as GitHub describes it.
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
	Repo *repository `json:"repo"` // null if the fork was deleted
}

// FromFork reports whether the pull request comes from another repository.
func (p *PullRequest) FromFork() bool {
	return p.Head.Repo == nil || p.Base.Repo == nil || p.Head.Repo.ID != p.Base.Repo.ID
}

// HasLabel reports whether the pull request has the given label. It ignores case.
func (p *PullRequest) HasLabel(name string) bool {
	return slices.ContainsFunc(p.Labels, func(l struct {
		Name string `json:"name"`
	}) bool {
		return strings.EqualFold(l.Name, name)
	})
}

// A NoPullError explains why there is no pull request to comment on. It is not a failure, because a
// later push is measured separately.
type NoPullError struct{ why string }

// Error returns the reason.
func (e *NoPullError) Error() string { return e.why }

// BaseName returns the name of the pull request's target branch.
func (p *PullRequest) BaseName() string { return cmp.Or(p.Base.Ref, "its base branch") }

// FindPullRequests returns the event's open pull requests with the measured commit still as their
// head. Usually there is one, but a branch can have open pull requests against several target
// branches. FindPullRequests relies only on the event and on GitHub's responses, because a
// workflow_run does not name pull requests from forks and an artifact could name any pull request.
func (g *Client) FindPullRequests(ctx context.Context, e *Event) (candidates []PullRequest, err error) {
	if w := e.WorkflowRun; w != nil {
		if w.HeadRepository == nil {
			return nil, &NoPullError{"the fork no longer exists"}
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

// Head returns the newest commit of a pull request, or "" if the pull request is not open.
func (g *Client) Head(ctx context.Context, number int) (string, error) {
	var p PullRequest
	_, err := g.Get(ctx, "read the pull request", "pulls/"+strconv.Itoa(number), nil, &p)
	if err != nil || p.State != "open" {
		return "", err
	}
	return p.Head.SHA, nil
}

// BaseConfig reads perftrack.toml from the base branch, so a pull request cannot loosen its own
// gate. It returns the default configuration if the branch has no such file.
func (g *Client) BaseConfig(ctx context.Context, p *PullRequest) (*config.Config, error) {
	text, err := g.File(ctx, "read the base branch's perftrack.toml", config.FileName, p.Base.SHA)
	if IsStatus(err, http.StatusNotFound) {
		return config.Default(), nil
	}
	if err != nil {
		return nil, err
	}
	c, err := config.Parse(text, config.FileName)
	if err != nil {
		return nil, fault.Config(fmt.Errorf("base branch: %w", err))
	}
	return c, nil
}

// CommitMessage returns a commit's message and its claimed author.
func (g *Client) CommitMessage(ctx context.Context, sha string) (message, author string, err error) {
	var answer struct {
		Message string `json:"message"`
		Author  struct {
			Name string `json:"name"`
		} `json:"author"`
	}
	_, err = g.Get(ctx, "read the head commit", "git/commits/"+sha, nil, &answer)
	return answer.Message, cmp.Or(answer.Author.Name, "an unnamed author"), err
}

// Commits returns the commits added by a pull request. GitHub lists only the first 250.
func (g *Client) Commits(ctx context.Context, number int) (all []string, err error) {
	type commit struct {
		SHA string `json:"sha"`
	}
	err = Pages(ctx, g, "list the commits", fmt.Sprintf("pulls/%d/commits", number), nil, func(list []commit) {
		for _, c := range list {
			all = append(all, c.SHA)
		}
	})
	return all, err
}

// A Labeling records when a label was set and by whom.
type Labeling struct {
	ID   int64
	Time time.Time
	By   string
}

// LastLabeling returns the most recent labeling of a pull request with label, or nil if GitHub
// lists no labeling with it.
func (g *Client) LastLabeling(ctx context.Context, number int, label string) (last *Labeling, err error) {
	type event struct {
		ID    int64     `json:"id"`
		Event string    `json:"event"`
		Time  time.Time `json:"created_at"`
		Actor struct {
			Login string `json:"login"`
		} `json:"actor"`
		Label struct {
			Name string `json:"name"`
		} `json:"label"`
	}
	err = Pages(ctx, g, "find who set the label", fmt.Sprintf("issues/%d/events", number), nil, func(list []event) {
		for _, e := range list {
			if strings.EqualFold(e.Label.Name, label) && e.Event == "labeled" && (last == nil || e.Time.After(last.Time)) {
				last = &Labeling{ID: e.ID, Time: e.Time, By: e.Actor.Login}
			}
		}
	})
	return last, err
}
