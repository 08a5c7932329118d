// Package jobs describes the work in the queue: rounds of a trial to measure, and checks to run. It
// connects River to the database. Begin with [Rounds]; [NewClient] adds what River's queue lacks.
package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// MaxClaims is the number of attempts after which a job is given up even if each of them ended with
// the death of its worker, because the job may be the cause. MaxFailures limits those that failed
// while the worker lived on.
const (
	MaxClaims   = 10
	MaxFailures = 3
)

// DecideQueue is the queue of the checks.
const DecideQueue = "decide"

// Rounds are consecutive rounds of a shard of a trial, measured on one machine.
type Rounds struct {
	Trial      string   `json:"trial" river:"unique"`
	Target     string   `json:"target" river:"unique"`
	Shard      string   `json:"shard" river:"unique"`
	First      int      `json:"first" river:"unique"`
	Last       int      `json:"last" river:"unique"`
	Closed     []string `json:"closed,omitempty"` // benchmarks that need no more rounds
	Only       []string `json:"only,omitempty"`   // measure no other benchmarks; nil means all
	Repository string   `json:"repository"`
	Class      string   `json:"class"`
	Procedure  string   `json:"procedure"`
}

// Kind implements river.JobArgs.
func (Rounds) Kind() string { return "rounds" }

// Check is a comparison of two commits that a worker is to decide.
type Check struct {
	Repository  string   `json:"repository" river:"unique"`
	URL         string   `json:"url" river:"unique"`
	Dir         string   `json:"dir" river:"unique"`
	Base        string   `json:"base" river:"unique"`
	Head        string   `json:"head" river:"unique"`
	Class       string   `json:"class" river:"unique"`
	Priority    string   `json:"priority"`
	PullRequest string   `json:"pull_request"`
	Optional    bool     `json:"optional"`
	Flags       []string `json:"flags" river:"unique"`
}

// Kind implements river.JobArgs.
func (Check) Kind() string { return "check" }

// Priority returns the rank of a priority, 1 for the most urgent.
func Priority(name string) (int, error) {
	switch name {
	case "release":
		return 1, nil
	case "pull-request", "":
		return 2, nil
	case "nightly":
		return 3, nil
	case "backfill":
		return 4, nil
	}
	return 0, fmt.Errorf("unknown priority %q: use release, pull-request, nightly or backfill", name)
}

// unfinished are the states in which a job excludes another one like it.
var unfinished = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
	rivertype.JobStateRetryable, rivertype.JobStateScheduled,
}

// Options returns the options to insert a job into a queue.
func Options(queue string, priority int) *river.InsertOpts {
	return &river.InsertOpts{
		Queue: queue, Priority: priority, MaxAttempts: MaxClaims,
		UniqueOpts: river.UniqueOpts{ByArgs: true, ByQueue: true, ByState: unfinished},
	}
}

var unusual = regexp.MustCompile(`[^a-z0-9]+`)

// Queue returns the name of the queue of a class and procedure. River restricts the letters of a
// name, so it ends in a hash. Workers with another procedure have another queue.
func Queue(class, procedure string) string {
	sum := sha256.Sum256([]byte(class + "\x00" + procedure))
	name := strings.Trim(unusual.ReplaceAllString(strings.ToLower(class), "-"), "-")
	name = strings.Trim(name[:min(len(name), 30)], "-")
	if name == "" {
		name = "class"
	}
	return name + "-" + hex.EncodeToString(sum[:8])
}
