package githubapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strconv"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
)

// A Demand is a request to measure a pull request. It is either a comment, open to anyone, or a
// workflow started by hand, which requires push access.
type Demand struct {
	Repository repository
	Pull       int // 0 if the comment is not on a pull request
	By         string
	Commented  bool
	Body       string // text of the comment
	Bench      string // Bench and Budget are inputs of a workflow started by hand
	Budget     string
}

var login = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`)

// ReadDemand reads a demand from a job's event file.
func ReadDemand(path string) (*Demand, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fault.IO(err)
	}
	type user struct {
		Login string `json:"login"`
	}
	var e struct {
		Repository repository `json:"repository"`
		Sender     user       `json:"sender"`
		Issue      struct {
			Number      int       `json:"number"`
			PullRequest *struct{} `json:"pull_request"`
		} `json:"issue"`
		Comment *struct {
			Body string `json:"body"`
			User user   `json:"user"`
		} `json:"comment"`
		Inputs *struct {
			Pull   string `json:"pull"`
			Bench  string `json:"bench"`
			Budget string `json:"budget"`
		} `json:"inputs"`
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return nil, fault.Data(fmt.Errorf("read event %s: %w", path, err))
	}
	d := &Demand{Repository: e.Repository, By: e.Sender.Login}
	switch {
	case e.Comment != nil:
		d.Commented, d.By, d.Body = true, e.Comment.User.Login, e.Comment.Body
		if e.Issue.PullRequest != nil {
			d.Pull = e.Issue.Number
		}
	case e.Inputs != nil:
		d.Bench, d.Budget = e.Inputs.Bench, e.Inputs.Budget
		if d.Pull, err = strconv.Atoi(e.Inputs.Pull); err != nil || d.Pull <= 0 {
			return nil, fault.Usagef("pull must be the number of a pull request")
		}
	default:
		return nil, fault.Usagef("the event is neither a comment nor a manually started workflow: see perftrack help github")
	}
	if !login.MatchString(d.By) {
		return nil, fault.Data(errors.New("the event does not name its user"))
	}
	return d, nil
}

// Permission returns the user's permission: admin, write, read or none. GitHub reports the role
// maintain as write and the role triage as read.
func (g *Client) Permission(ctx context.Context, user string) (string, error) {
	var answer struct {
		Permission string `json:"permission"`
	}
	_, err := g.Get(ctx, "read the user's permission", "collaborators/"+url.PathEscape(user)+"/permission", nil, &answer)
	return answer.Permission, err
}

// ReadPull returns the pull request with the given number.
func (g *Client) ReadPull(ctx context.Context, number int) (p *PullRequest, err error) {
	_, err = g.Get(ctx, "read the pull request", "pulls/"+strconv.Itoa(number), nil, &p)
	if err == nil && p.Number != number {
		err = &Error{What: "read the pull request", Message: "the response is for another pull request"}
	}
	return p, err
}

// AsEvent returns an event for the pull request of d, with head as the measured commit.
func (d *Demand) AsEvent(head string) *Event {
	e := &Event{Repository: d.Repository, PullRequest: &PullRequest{Number: d.Pull}}
	e.PullRequest.Head.SHA = head
	return e
}
