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

// An Event is one line of the log of a bisection. The state of a search follows from its
// events in their order, so that it goes on after an interruption where it was, and its
// last step can be taken back.
type Event struct {
	Event string    `json:"event"` // one of the constants below
	Time  time.Time `json:"time"`

	// Of a line: where the search is, from the commit behind Good to Bad, and how
	// likely each is at first.
	Good    string    `json:"good,omitempty"`
	Bad     string    `json:"bad,omitempty"`
	Line    []string  `json:"line,omitempty"`
	Weights []float64 `json:"weights,omitempty"`
	// Of the first line: what is measured.
	Subject *Subject `json:"subject,omitempty"`

	Commit string      `json:"commit,omitempty"` // of choose, skip, verdict, found
	Base   string      `json:"base,omitempty"`   // of pair, same, confirm, history
	Head   string      `json:"head,omitempty"`
	Round  int         `json:"round,omitempty"`
	Values *[2]float64 `json:"values,omitempty"` // of pair, history: base and head
	Env    string      `json:"env,omitempty"`    // in which a pair was measured
	IsBad  bool        `json:"is_bad,omitempty"` // of verdict
	P      float64     `json:"p,omitempty"`
	Reason string      `json:"reason,omitempty"`
}

// The events.
const (
	eventLine    = "line"    // a line of commits is searched
	eventHistory = "history" // a pair, or with a base alone one value, that was stored before
	eventChoose  = "choose"  // a commit is measured next
	eventConfirm = "confirm" // two commits are measured against each other
	eventPair    = "pair"    // a pair was measured
	eventSkip    = "skip"    // a commit cannot be measured
	eventSame    = "same"    // two commits have the same program
	eventVerdict = "verdict" // of a step of git bisect run
	eventFound   = "found"   // the search is over
	eventUndo    = "undo"    // the last choose or confirm, and what followed, does not count
)

// A Subject is what a bisection measures.
type Subject struct {
	Target    string `json:"target"`
	Package   string `json:"package,omitempty"`
	Bench     string `json:"bench"`
	Unit      string `json:"unit"`
	Benchtime string `json:"benchtime"`
	CPUs      string `json:"cpus,omitempty"`  // that it is pinned to
	Procs     int    `json:"procs,omitempty"` // GOMAXPROCS, which Bench ends in if it is not 1; 0 is that of the environment
	Trial     string `json:"trial"`           // beginning of the names of its trials
}

// A eventLog is the file of the events, one JSON object a line.
type eventLog struct {
	path   string
	events []Event
}

// readBisectLog reads a log, which need not exist. A last line that a crash cut off
// does not count.
func readBisectLog(path string) (*eventLog, error) {
	l := &eventLog{path: path}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read log of the bisection: %w", err)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	for n, line := range bytes.Split(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n")) {
		var e Event
		if len(line) == 0 {
			continue
		}
		if err := json.Unmarshal(line, &e); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: start again with `perftrack bisect-helper reset`", path, n+1, err)
		}
		l.events = append(l.events, e)
	}
	if len(whole) < len(text) {
		if err := os.Truncate(path, int64(len(whole))); err != nil {
			return nil, fmt.Errorf("repair log of the bisection: %w", err)
		}
	}
	return l, nil
}

// add writes an event; when it returns, no crash loses it.
func (l *eventLog) add(e Event) error {
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write log of the bisection: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o755); err != nil {
		return fmt.Errorf("write log of the bisection: %w", err)
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write log of the bisection: %w", err)
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write log of the bisection: %w", err)
	}
	l.events = append(l.events, e)
	return nil
}

// valid returns the events that no undo took back.
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

// lastStep returns where the last step begins, -1 if there is none.
func lastStep(events []Event) int {
	for i := len(events) - 1; i >= 0; i-- {
		if e := events[i].Event; e == eventChoose || e == eventConfirm {
			return i
		}
	}
	return -1
}

// subject returns what the log is about, nil when it is empty.
func (l *eventLog) subject() *Subject {
	for _, e := range l.events {
		if e.Subject != nil {
			return e.Subject
		}
	}
	return nil
}

// firstLine returns the line that the search began with.
func (l *eventLog) firstLine() Event {
	return l.events[slices.IndexFunc(l.events, func(e Event) bool { return e.Event == eventLine })]
}

// lastRound returns the highest number of a round of two commits, also of those that
// were taken back: their samples stay stored.
func (l *eventLog) lastRound(base, head string) (last int) {
	for _, e := range l.events {
		if e.Event == eventPair && e.Base == base && e.Head == head {
			last = max(last, e.Round)
		}
	}
	return last
}

// pairs returns the pairs of two commits measured in an environment.
func pairsOf(events []Event, env, base, head string) (pairs [][2]float64) {
	for _, e := range events {
		if e.Event == eventPair && e.Env == env && e.Base == base && e.Head == head {
			pairs = append(pairs, *e.Values)
		}
	}
	return pairs
}

// skipped returns why a commit cannot be measured, "" if it can.
func skipped(events []Event, env, commit string) string {
	i := slices.IndexFunc(events, func(e Event) bool { return e.Event == eventSkip && e.Commit == commit && e.Env == env })
	if i < 0 {
		return ""
	}
	return events[i].Reason
}
