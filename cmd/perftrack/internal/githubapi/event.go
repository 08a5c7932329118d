package githubapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/runner/gitrepo"
)

// An Event is what made GitHub start the job: of its fields those that say
// which pull request the job is about. GitHub wrote it, in the trusted job from
// its own database; but branch names are the contributor's.
type Event struct {
	Repository  repository   `json:"repository"`
	WorkflowRun *WorkflowRun `json:"workflow_run"`
	PullRequest *PullRequest `json:"pull_request"`
	Label       *struct {    // that was set or taken off
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

// A WorkflowRun is one run of a workflow.
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

// What the measuring workflow runs on.
const (
	PullRequestEvent = "pull_request"
	MergeGroupEvent  = "merge_group"
)

// OfGroup reports whether what was measured is a merge group.
func (e *Event) OfGroup() bool { return e.WorkflowRun != nil && e.WorkflowRun.Event == MergeGroupEvent }

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
	case e.WorkflowRun != nil && e.WorkflowRun.Event != PullRequestEvent && e.WorkflowRun.Event != MergeGroupEvent:
		return nil, fault.Usagef("the workflow that ended ran on %q, not on pull_request or merge_group: start perftrack comment only then", e.WorkflowRun.Event)
	case e.WorkflowRun == nil && e.PullRequest == nil:
		return nil, fault.Usagef("the event is neither of a pull_request nor of a workflow_run: see perftrack help github")
	case !gitrepo.IsHash(e.HeadSHA()):
		return nil, fault.Data(errors.New("the event names no head commit"))
	}
	return &e, nil
}

// HeadSHA returns the commit that was measured.
func (e *Event) HeadSHA() string {
	if e.WorkflowRun != nil {
		return e.WorkflowRun.HeadSHA
	}
	return e.PullRequest.Head.SHA
}
