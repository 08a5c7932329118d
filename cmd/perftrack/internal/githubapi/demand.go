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

// AskedFor begins the status of a head whose measurement somebody asked for; a name follows.
const AskedFor = "asked for by "

// A Demand is that somebody asks for a pull request to be measured: by a comment, of which
// every word is theirs, or by a workflow that only who may push can start.
type Demand struct {
	Repository repository
	Pull       int // 0: the comment is not on a pull request
	By         string
	Commented  bool
	Body       string // of the comment
	Bench      string // of the workflow
	Budget     string
}

var login = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}(\[bot\])?$`)

// ReadDemand reads the file in which the job finds its event.
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
			return nil, fault.Usagef("pull is the number of a pull request")
		}
	default:
		return nil, fault.Usagef("the event is neither a comment nor a workflow that was started by hand: see perftrack help github")
	}
	if !login.MatchString(d.By) {
		return nil, fault.Data(errors.New("the event does not say who asks"))
	}
	return d, nil
}

// Permission returns what a user may do in the repository: admin, write, read or none. The role
// maintain is told as write, and triage as read.
func (g *Client) Permission(ctx context.Context, user string) (string, error) {
	var answer struct {
		Permission string `json:"permission"`
	}
	_, err := g.Get(ctx, "ask what the user may do", "collaborators/"+url.PathEscape(user)+"/permission", nil, &answer)
	return answer.Permission, err
}

// ReadPull reads a pull request.
func (g *Client) ReadPull(ctx context.Context, number int) (p *PullRequest, err error) {
	_, err = g.Get(ctx, "read the pull request", "pulls/"+strconv.Itoa(number), nil, &p)
	if err == nil && p.Number != number {
		err = &Error{What: "read the pull request", Message: "the answer is another one"}
	}
	return p, err
}

// AsEvent returns the event of the pull request that the demand is about, of which that head was measured.
func (d *Demand) AsEvent(head string) *Event {
	e := &Event{Repository: d.Repository, PullRequest: &PullRequest{Number: d.Pull}}
	e.PullRequest.Head.SHA = head
	return e
}

// PullRuns returns the runs of the measuring workflow for the head of a pull request, in any order.
// One in which everything was skipped does not count.
func (g *Client) PullRuns(ctx context.Context, workflow string, p *PullRequest) (runs []WorkflowRun, err error) {
	if p.Head.Repo == nil {
		return nil, nil
	}
	var answer struct {
		Runs []WorkflowRun `json:"workflow_runs"`
	}
	query := url.Values{"head_sha": {p.Head.SHA}, "event": {PullRequestEvent}, "per_page": {"30"}}
	_, err = g.Get(ctx, "list the runs that measured", "actions/workflows/"+workflow+"/runs", query, &answer)
	if IsStatus(err, 404) {
		return nil, nil
	}
	for _, r := range answer.Runs {
		if r.HeadSHA == p.Head.SHA && r.Event == PullRequestEvent && r.HeadRepository != nil && r.HeadRepository.ID == p.Head.Repo.ID && r.Conclusion != "skipped" && len(runs) < maxMeasurements {
			runs = append(runs, r)
		}
	}
	return runs, err
}
