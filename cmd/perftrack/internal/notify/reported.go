package notify

import (
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Reported is a channel's memory of its reports.
type Reported struct {
	Version int     `json:"version"`
	Steps   []Step  `json:"steps"`             // unresolved regressions, as last reported
	Alarms  []Event `json:"alarms,omitempty"`  // alarms, as last reported
	Sending *Letter `json:"sending,omitempty"` // letter being sent, which may have arrived
}

// version is the version of the format of Reported.
const version = 1

// A Letter is a set of events to send together, along with the report to remember afterwards.
type Letter struct {
	ID     string  `json:"id"` // the same each time the letter is sent
	Events []Event `json:"events"`
	Next   []Step  `json:"next"`
	Alarms []Event `json:"next_alarms,omitempty"`
}

// after returns the report to remember once the letter has arrived.
func (l Letter) after() Reported { return Reported{Version: version, Steps: l.Next, Alarms: l.Alarms} }

// A Key identifies a unit of a benchmark in one environment.
type Key struct {
	Target      string `json:"target"`
	Package     string `json:"package,omitempty"`
	Suite       string `json:"suite,omitempty"`
	Benchmark   string `json:"benchmark"`
	Unit        string `json:"unit,omitempty"` // unit as it is shown
	Environment string `json:"environment,omitempty"`
}

func (k Key) compare(o Key) int {
	return cmp.Or(strings.Compare(k.Target, o.Target), strings.Compare(k.Package, o.Package), strings.Compare(k.Suite, o.Suite),
		strings.Compare(k.Benchmark, o.Benchmark), strings.Compare(k.Unit, o.Unit), strings.Compare(k.Environment, o.Environment))
}

func keyOf(s history.Standing) Key {
	return Key{s.Target, s.Package, s.Suite, s.Name, s.Tidied, s.Environment}
}

// A Step is a regression as it was reported.
type Step struct {
	Key
	From     float64 `json:"from"`           // value before the oldest unresolved regression
	Value    float64 `json:"value"`          // value of the newest level, even if it has improved since the report
	Reported float64 `json:"told,omitempty"` // last reported value if the level has improved since, or 0
	Count    int     `json:"count"`          // number of unresolved regressions
	After    string  `json:"after"`          // last commit before the newest regression, as reported
	UpTo     string  `json:"up_to"`          // first commit with the newest regression, as reported
}

// The kinds of events.
const (
	New       = "new"
	Worse     = "worse"
	Recovered = "recovered"
	Accepted  = "accepted"
	Failing   = "failing"  // a benchmark, a package or a target fails
	Lost      = "lost"     // a benchmark has no recent samples
	Stopped   = "stopped"  // a target has not been measured for longer than usual
	Measured  = "measured" // measured again after one of the three events above
	Ended     = "ended"    // an alarm of the queue has ended; package queue has the kinds of alarms
)

// An Event is one piece of news.
type Event struct {
	Kind string `json:"kind"`
	Key
	Stored  string  `json:"unit_stored,omitempty"`
	From    float64 `json:"from"` // value before the change, or the last reported value
	To      float64 `json:"to"`   // new value; To and From are 0 if the event has no value
	After   string  `json:"after_commit,omitempty"`
	UpTo    string  `json:"up_to_commit,omitempty"`
	Drift   int     `json:"drift_runs,omitempty"` // length of a slow change in runs, or 0 for a step
	Commits int     `json:"commits,omitempty"`    // number of commits that may have caused the change; 0 if unknown

	Reason string    `json:"reason,omitempty"`        // why a benchmark fails, or the kind of the alarm that has ended
	Last   time.Time `json:"last_measured,omitzero"`  // time of the newest measurement
	Usual  int64     `json:"usual_seconds,omitempty"` // usual gap between two runs
	For    int64     `json:"for_seconds,omitempty"`   // time from the newest measurement to the report

	Queue queue.Alarm `json:"queue,omitzero"` // the alarm of the queue, if the event is about one
}

// parseReported parses a channel's memory. The text is empty before the first report.
func parseReported(text []byte) (t Reported, err error) {
	if len(text) == 0 {
		return Reported{Version: version}, nil
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return Reported{}, err
	}
	if t.Version != version {
		return Reported{}, errors.New("another version of perftrack wrote it")
	}
	return t, nil
}

func (t Reported) text() ([]byte, error) { return json.Marshal(t) }

// Differences returns the events since the last report, sorted by key, and the report to remember.
// A series without enough runs keeps its last report. So does a series reported at a commit not on
// the line, because this job then runs for an older commit.
func Differences(told []Step, now []history.Standing) (events []Event, next []Step) {
	standing := map[Key]history.Standing{}
	for _, s := range now {
		standing[keyOf(s)] = s
	}
	before := map[Key]Step{}
	for _, t := range told {
		before[t.Key] = t
		s, known := standing[t.Key]
		switch {
		case !known || !s.Enough && len(s.Unresolved) == 0 || !s.Has(t.UpTo):
			next = append(next, t) // the current state of the series is unknown
			delete(standing, t.Key)
		case len(s.Unresolved) > 0:
		case s.Accepted != nil:
			events = append(events, Event{Kind: Accepted, Key: t.Key, From: t.From, To: s.Value, After: s.Accepted.Last.Commit, UpTo: s.Accepted.First.Commit})
		default:
			events = append(events, Event{Kind: Recovered, Key: t.Key, From: cmp.Or(t.Reported, t.Value), To: s.Value, After: t.After, UpTo: t.UpTo})
		}
	}
	for key, s := range standing {
		if len(s.Unresolved) == 0 {
			continue
		}
		first, last := s.Unresolved[0], s.Unresolved[len(s.Unresolved)-1]
		step := Step{Key: key, From: first.From, Value: s.Value, Count: len(s.Unresolved), After: last.Last.Commit, UpTo: last.First.Commit}
		event := Event{Kind: New, Key: key, Stored: s.Unit, From: first.From, To: s.Value, After: step.After, UpTo: step.UpTo, Drift: last.Drift}
		old, known := before[key]
		switch {
		case !known:
			events = append(events, event)
		case moved(s, old) > 0:
			event.Kind, event.From = Worse, old.Value
			events = append(events, event)
		case moved(s, old) == 0:
			step = old
			step.Count = len(s.Unresolved)
		}
		if known && step.Value != old.Value && moved(s, old) < 0 { // an improvement is not news
			step.Reported = cmp.Or(old.Reported, old.Value)
		}
		next = append(next, step)
	}
	slices.SortFunc(events, func(a, b Event) int { return a.compare(b.Key) })
	slices.SortFunc(next, func(a, b Step) int { return a.compare(b.Key) })
	return events, next
}

// moved returns +1 if the newest level is worse than the reported one by at least half the
// threshold, -1 if it is better by as much, and 0 otherwise. For an exact count, any change is
// large enough.
func moved(s history.Standing, told Step) int {
	last := s.Unresolved[len(s.Unresolved)-1]
	way := stat.Sign(last.To-last.From) * stat.Sign(s.Value-told.Value)
	exact := last.Shift.Lo == last.Shift.Hi && s.Value != told.Value
	far := !(s.Value > 0 && told.Value > 0) || math.Abs(math.Log(s.Value/told.Value)) >= math.Log1p(s.Threshold)/2
	if exact || far {
		return way
	}
	return 0
}

// id returns the benchmark of the key.
func (k Key) id() record.BenchmarkID {
	return record.BenchmarkID{Kind: record.Bench, Package: k.Package, Suite: k.Suite, Name: k.Benchmark}
}
