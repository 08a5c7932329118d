// Package queue gives the rounds of a trial to the workers and reports what they stored, as JSON
// lines on stdin and stdout. Begin with session.go; submit.go queues whole checks.
package queue

// A Request is a line on stdin. One field is set.
type Request struct {
	Open   *Trial  `json:"open"`
	Add    []Range `json:"add"`
	Cancel bool    `json:"cancel"`
	Close  *struct {
		State string `json:"state"`
	} `json:"close"`
}

// A Trial is what the rounds have in common.
type Trial struct {
	ID          string   `json:"trial"`
	Repository  string   `json:"repository"`
	URL         string   `json:"url"`
	Dir         string   `json:"dir"`
	Base        string   `json:"base"`
	Head        string   `json:"head"`
	Class       string   `json:"class"`
	Procedure   string   `json:"procedure"`
	Priority    string   `json:"priority"`
	PullRequest string   `json:"pull_request"`
	Optional    bool     `json:"optional"`
	Flags       []string `json:"flags"`
}

// A Range is consecutive rounds of a shard.
type Range struct {
	Target string   `json:"target"`
	Shard  string   `json:"shard"`
	First  int      `json:"first"`
	Last   int      `json:"last"`
	Closed []string `json:"closed"` // benchmarks that need no more rounds
	Only   []string `json:"only"`   // measure no other benchmarks; nil means all
}

// An Event is a line on stdout. One field is set.
type Event struct {
	Opened     *Opened     `json:"opened,omitempty"`
	Part       *Part       `json:"part,omitempty"`
	Failed     *Failed     `json:"failed,omitempty"`
	Workers    *Workers    `json:"workers,omitempty"`
	Superseded *Superseded `json:"superseded,omitempty"`
	Error      *Problem    `json:"error,omitempty"`
}

// Opened answers the request to open a trial.
type Opened struct {
	Trial      string   `json:"trial"` // an earlier one if it asked for the same and was not finished
	Procedure  string   `json:"procedure"`
	Superseded []string `json:"superseded"`
	Workers    int      `json:"workers"`
}

// A Part is the stored result of a job.
type Part struct {
	Job     int64  `json:"job"`
	Attempt int    `json:"attempt"`
	Worker  string `json:"worker"`
	Target  string `json:"target"`
	Shard   string `json:"shard"`
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Text    string `json:"text"`
}

// Failed is a job that was given up.
type Failed struct {
	Job     int64  `json:"job"`
	Target  string `json:"target"`
	Shard   string `json:"shard"`
	First   int    `json:"first"`
	Last    int    `json:"last"`
	Worker  string `json:"worker"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Text    string `json:"text"`
}

// Workers is the number of living workers.
type Workers struct {
	Class string `json:"class"`
	Live  int    `json:"live"`
}

// Superseded names the trial of a newer head of the same pull request.
type Superseded struct {
	By string `json:"by"`
}

// A Problem is an error that ends the process.
type Problem struct {
	Message string `json:"message"`
}
