package documents

// QueueSchema is the version of the document about the queue.
const QueueSchema = 1

// A Queue is the document about the queue of a fleet. Only perftrack serve has it. It changes
// without the runs, so it refers to no other document; its lists may be empty, and unknown values
// are missing. The file queue.json is described in docs/views.md.
type Queue struct {
	Schema  int            `json:"schema_version"` // always [QueueSchema]
	Kind    string         `json:"kind"`           // always queue
	Time    int64          `json:"time"`           // when the queue was read
	Alarms  []QueueAlarm   `json:"alarms"`         // the worst first
	Classes []QueueClass   `json:"classes"`        // by name
	Workers []QueueWorker  `json:"workers"`        // by class and id
	Jobs    []QueueJob     `json:"jobs"`           // newest first: those that run, wait longest or ended last
	Counts  map[string]int `json:"counts"`         // number of all jobs by state
}

// A QueueAlarm is something wrong with the queue. Text is one sentence about it, without a full
// stop.
type QueueAlarm struct {
	Kind      string `json:"kind"` // no-worker, lost-worker or waiting
	Text      string `json:"text"`
	Checks    bool   `json:"checks,omitempty"` // it is about checks, which have no class
	Class     string `json:"class,omitempty"`
	Procedure string `json:"procedure,omitempty"`
	Worker    string `json:"worker,omitempty"`
	Since     int64  `json:"since"`
}

// A QueueClass describes the workers that take the same jobs, and these jobs.
type QueueClass struct {
	Checks    bool   `json:"checks,omitempty"` // the jobs are checks, which decide about trials
	Name      string `json:"name,omitempty"`
	Procedure string `json:"procedure,omitempty"` // version of the procedure that measures
	Live      int    `json:"live"`                // workers
	Lost      int    `json:"lost"`
	Waiting   int    `json:"waiting"` // jobs
	Running   int    `json:"running"`
	Oldest    int64  `json:"oldest_waiting,omitempty"` // when the oldest waiting job was queued
}

// A QueueWorker is a worker that has not ended.
type QueueWorker struct {
	ID        string `json:"id"`
	State     string `json:"state"` // live or lost
	Class     string `json:"class"`
	Procedure string `json:"procedure,omitempty"`
	Version   string `json:"version,omitempty"` // of perftrack
	Host      string `json:"host,omitempty"`
	CPU       string `json:"cpu,omitempty"`
	CPUs      int    `json:"cpus,omitempty"`
	Decides   bool   `json:"decides,omitempty"` // it also takes checks
	Started   int64  `json:"started,omitempty"`
	Seen      int64  `json:"seen"`
	Job       int64  `json:"job,omitempty"`
}

// A QueueJob is a job: rounds of a trial, or a check.
type QueueJob struct {
	ID          int64  `json:"id"`
	Kind        string `json:"kind"` // rounds or check
	Class       string `json:"class"`
	Procedure   string `json:"procedure,omitempty"`
	Priority    int    `json:"priority"` // 1 release, 2 pull request, 3 nightly, 4 backfill
	State       string `json:"state"`    // waiting, running, completed, cancelled or failed
	Repository  string `json:"repository"`
	Trial       string `json:"trial,omitempty"`
	Base        string `json:"base,omitempty"`
	Head        string `json:"head,omitempty"`
	PullRequest string `json:"pull_request,omitempty"`
	Target      string `json:"target,omitempty"`
	Shard       string `json:"shard,omitempty"`
	First       int    `json:"first_round,omitempty"`
	Last        int    `json:"last_round,omitempty"`
	Attempt     int    `json:"attempt"`
	Worker      string `json:"worker,omitempty"` // of the newest attempt
	Created     int64  `json:"created"`
	Started     int64  `json:"started,omitempty"`
	Ended       int64  `json:"ended,omitempty"`
}
