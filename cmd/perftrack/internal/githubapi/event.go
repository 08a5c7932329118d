package githubapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// An Event is the event that started a job, reduced to the fields that identify the pull request.
// In a trusted job, these fields come from GitHub's own database, but contributors choose the
// branch names.
type Event struct {
	Repository  repository   `json:"repository"`
	WorkflowRun *WorkflowRun `json:"workflow_run"`
	PullRequest *PullRequest `json:"pull_request"`
	Label       *struct {    // the label that was set or removed
		Name string `json:"name"`
	} `json:"label"`
}

type repository struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
	Owner    struct {
		Login string `json:"login"`
	} `json:"owner"`
}

// A WorkflowRun is a single run of a workflow.
type WorkflowRun struct {
	ID             int64       `json:"id"`
	WorkflowID     int64       `json:"workflow_id"`
	Event          string      `json:"event"`
	Status         string      `json:"status"`
	Conclusion     string      `json:"conclusion"`
	HeadBranch     string      `json:"head_branch"`
	HeadSHA        string      `json:"head_sha"`
	HeadRepository *repository `json:"head_repository"` // null if the fork was deleted
}

// The events that start the measuring workflow.
const (
	PullRequestEvent = "pull_request"
	MergeGroupEvent  = "merge_group"
)

// OfGroup reports whether the event is about the measurement of a merge group.
func (e *Event) OfGroup() bool { return e.WorkflowRun != nil && e.WorkflowRun.Event == MergeGroupEvent }

// ReadEvent reads an event from a job's event file.
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
	case e.WorkflowRun != nil && e.WorkflowRun.Event != PullRequestEvent && e.WorkflowRun.Event != MergeGroupEvent:
		return nil, fault.Usagef("the workflow that ended was started by %q: use perftrack ci comment only with pull_request or merge_group", e.WorkflowRun.Event)
	case e.WorkflowRun == nil && e.PullRequest == nil:
		return nil, fault.Usagef("the event is neither a pull_request nor a workflow_run: see perftrack help github")
	case !gitrepo.IsHash(e.HeadSHA()):
		return nil, fault.Data(errors.New("the event does not name a head commit"))
	}
	return &e, nil
}

// HeadSHA returns the hash of the measured commit.
func (e *Event) HeadSHA() string {
	if e.WorkflowRun != nil {
		return e.WorkflowRun.HeadSHA
	}
	return e.PullRequest.Head.SHA
}
