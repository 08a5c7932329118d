package bisect

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// An Event is one entry in the log of a bisection. The state of a search follows from its events in
// order, so that it can continue after an interruption and its last step can be undone.
type Event struct {
	Event string    `json:"event"` // one of the constants below
	Time  time.Time `json:"time"`

	// For eventLine: the searched range, as the commits after Good up to Bad, with the prior
	// probability of each.
	Good    string    `json:"good,omitempty"`
	Bad     string    `json:"bad,omitempty"`
	Line    []string  `json:"line,omitempty"`
	Weights []float64 `json:"weights,omitempty"`
	// For the first eventLine: the subject of the bisection.
	Subject *Subject `json:"subject,omitempty"`

	Commit string      `json:"commit,omitempty"` // for choose, skip, verdict, found
	Base   string      `json:"base,omitempty"`   // for pair, same, confirm, history
	Head   string      `json:"head,omitempty"`
	Round  int         `json:"round,omitempty"`
	Values *[2]float64 `json:"values,omitempty"` // for pair, history: base and head
	Env    string      `json:"env,omitempty"`    // the environment of a pair
	IsBad  bool        `json:"is_bad,omitempty"` // for verdict
	P      float64     `json:"p,omitempty"`
	Reason string      `json:"reason,omitempty"`
}

// The values of Event.Event.
const (
	eventLine    = "line"    // the search of a line of commits begins
	eventHistory = "history" // a pair stored before the search or, if there is only a base, a single value
	eventChoose  = "choose"  // a commit was chosen to be measured next
	eventConfirm = "confirm" // two commits will be measured against each other to confirm the culprit
	eventPair    = "pair"    // a pair was measured
	eventSkip    = "skip"    // a commit cannot be measured
	eventSame    = "same"    // two commits have the same program
	eventVerdict = "verdict" // the result of a step of git bisect run
	eventFound   = "found"   // the search has finished
	eventUndo    = "undo"    // the last choose or confirm event and all later ones do not count
)

// A Subject is the benchmark, unit and environment of a bisection.
type Subject struct {
	Target    string `json:"target"`
	Package   string `json:"package,omitempty"`
	Bench     string `json:"bench"`
	Unit      string `json:"unit"`
	Benchtime string `json:"benchtime"`
	CPUs      string `json:"cpus,omitempty"`    // CPUs of the benchmark, if pinned
	Procs     int    `json:"procs,omitempty"`   // GOMAXPROCS, the suffix of Bench unless 1; 0 means the environment's value
	Workers   string `json:"workers,omitempty"` // class of the workers that measure; "" means this machine
	Repo      string `json:"repo,omitempty"`    // where they clone the repository, see remote.Workers
	Trial     string `json:"trial"`             // prefix of the trial ids
}

// An eventLog is the file of events, one JSON object per line.
type eventLog struct {
	path   string
	events []Event
}

// readBisectLog reads a log, which need not exist. It removes a last line cut off by a crash.
func readBisectLog(path string) (*eventLog, error) {
	l := &eventLog{path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read bisection log: %w", err)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for n, line := range bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")) {
		var e Event
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: start over with `perftrack bisect-helper reset`", path, n+1, err)
		}
		l.events = append(l.events, e)
	}
	if len(whole) < len(text) {
		if err := os.Truncate(path, int64(len(whole))); err != nil {
			return nil, fmt.Errorf("repair bisection log: %w", err)
		}
	}
	return l, nil
}

// add appends an event to the log. Once it has returned, a crash does not lose the event.
func (l *eventLog) add(e Event) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write bisection log: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return fmt.Errorf("write bisection log: %w", err)
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write bisection log: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write bisection log: %w", err)
	}
	l.events = append(l.events, e)
	return nil
}

// valid returns all events except undone ones.
func (l *eventLog) valid() (events []Event) {
	for _, e := range l.events {
		if e.Event == eventUndo {
			events = events[:max(lastStep(events), 0)]
			continue
		}
		events = append(events, e)
	}
	return events
}

// lastStep returns the index of the first event of the last step, or -1.
func lastStep(events []Event) int {
	for i := len(events) - 1; i >= 0; i-- {
		if e := events[i].Event; e == eventChoose || e == eventConfirm {
			return i
		}
	}
	return -1
}

// subject returns the subject in the log, or nil if the log is empty.
func (l *eventLog) subject() *Subject {
	for _, e := range l.events {
		if e.Subject != nil {
			return e.Subject
		}
	}
	return nil
}

// firstLine returns the first eventLine of the search, which must exist.
func (l *eventLog) firstLine() Event {
	return l.events[slices.IndexFunc(l.events, func(e Event) bool { return e.Event == eventLine })]
}

// lastRound returns the highest round number measured for two commits. Undone rounds count, because
// their samples stay stored.
func (l *eventLog) lastRound(base, head string) (last int) {
	for _, e := range l.events {
		if e.Event == eventPair && e.Base == base && e.Head == head {
			last = max(last, e.Round)
		}
	}
	return last
}

// pairsOf returns the pairs of two commits measured in an environment.
func pairsOf(events []Event, env, base, head string) (pairs [][2]float64) {
	for _, e := range events {
		if e.Event == eventPair && e.Env == env && e.Base == base && e.Head == head {
			pairs = append(pairs, *e.Values)
		}
	}
	return pairs
}

// skipped returns the reason why a commit cannot be measured, or "" if it can be.
func skipped(events []Event, env, commit string) string {
	i := slices.IndexFunc(events, func(e Event) bool { return e.Event == eventSkip && e.Commit == commit && e.Env == env })
	if i < 0 {
		return ""
	}
	return events[i].Reason
}
