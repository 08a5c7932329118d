package fleet

// The priorities of trials.
const (
	Release     = "release"
	PullRequest = "pull-request"
	Nightly     = "nightly"
	Backfill    = "backfill"
)

// Priorities lists the priorities, the most urgent first.
var Priorities = []string{Release, PullRequest, Nightly, Backfill}

// A Trial describes what a fleet measures.
type Trial struct {
	ID          string   `json:"trial"`
	Repository  string   `json:"repository"` // its name in the database
	URL         string   `json:"url"`        // address or path to clone it from
	Dir         string   `json:"dir"`        // the user's directory within it, with slashes
	Base        string   `json:"base"`       // hashes of the commits
	Head        string   `json:"head"`
	Class       string   `json:"class"` // of the machines
	Procedure   string   `json:"procedure"`
	Priority    string   `json:"priority"`
	PullRequest string   `json:"pull_request,omitempty"` // a newer head of the same one supersedes this trial
	Optional    bool     `json:"optional,omitempty"`     // its result blocks nothing
	Flags       []string `json:"flags"`                  // for perftrack rounds
}

// A Job is a stretch of rounds of one target. Either machine measures both sides of each round.
type Job struct {
	Target string   `json:"target"`
	Shard  string   `json:"shard"` // name of the benchmarks in Only
	First  int      `json:"first"`
	Last   int      `json:"last"`
	Closed []string `json:"closed,omitempty"` // benchmarks that need no more rounds
	Only   []string `json:"only,omitempty"`   // measure no other benchmarks; nil means all
}

// A Part is the stored result of a job: runs with its rounds, as text.
type Part struct {
	Job     int64  `json:"job"`
	Attempt int    `json:"attempt"`
	Worker  string `json:"worker"`
	Target  string `json:"target"`
	Shard   string `json:"shard"`
	First   int    `json:"first"`
	Last    int    `json:"last"` // may be earlier than the job's
	Text    string `json:"text"`
}

// A Failed job was given up.
type Failed struct {
	Job     int64  `json:"job"`
	Target  string `json:"target"`
	Shard   string `json:"shard"`
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Worker  string `json:"worker"`
	Kind    string `json:"kind"` // as in package fault
	Message string `json:"message"`
	Text    string `json:"text"` // runs that record the failure, or ""
}

// Opened answers the opening of a trial.
type Opened struct {
	Trial      string   `json:"trial"` // id of the trial, which may have been opened before
	Superseded []string `json:"superseded,omitempty"`
	Workers    int      `json:"workers"` // live workers of the class and procedure
}

// An Event is a message from the queue, in exactly one field.
type Event struct {
	Opened     *Opened  `json:"opened,omitempty"`
	Part       *Part    `json:"part,omitempty"`
	Failed     *Failed  `json:"failed,omitempty"`
	Workers    *Class   `json:"workers,omitempty"`
	Superseded *By      `json:"superseded,omitempty"`
	Error      *Trouble `json:"error,omitempty"`
}

// A Class tells how many workers of a class are alive.
type Class struct {
	Class string `json:"class"`
	Live  int    `json:"live"`
}

// By names the trial of a newer head of the same pull request.
type By struct {
	Trial string `json:"by"`
}

// Trouble is the error that ended the queue's program.
type Trouble struct {
	Message string `json:"message"`
}

// A request is a message to the queue, in exactly one field.
type request struct {
	Open   *Trial  `json:"open,omitempty"`
	Add    []Job   `json:"add,omitempty"`
	Cancel bool    `json:"cancel,omitempty"`
	Close  *ending `json:"close,omitempty"`
}

type ending struct {
	State string `json:"state"`
}
