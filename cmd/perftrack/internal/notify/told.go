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
	"github.com/perftrack/perftrack/compare/stat"
	"github.com/perftrack/perftrack/runner/record"
)

// A Told is what a channel was told.
type Told struct {
	Version int     `json:"version"`
	Steps   []Step  `json:"steps"`             // in force, as they were told last
	Alarms  []Event `json:"alarms,omitempty"`  // what is not measured as it was, as it was told
	Sending *Letter `json:"sending,omitempty"` // on its way: whether it arrived is not known
}

// version is that of the format of a Told.
const version = 1

// A Letter is what is told at once, and what is told after it.
type Letter struct {
	ID     string  `json:"id"` // the same whenever it is sent
	Events []Event `json:"events"`
	Next   []Step  `json:"next"`
	Alarms []Event `json:"next_alarms,omitempty"`
}

// after is what was told once the letter arrived.
func (l Letter) after() Told { return Told{Version: version, Steps: l.Next, Alarms: l.Alarms} }

// A Key is one unit of a benchmark in one environment.
type Key struct {
	Target      string `json:"target"`
	Package     string `json:"package,omitempty"`
	Suite       string `json:"suite,omitempty"`
	Benchmark   string `json:"benchmark"`
	Unit        string `json:"unit,omitempty"` // as it is shown
	Environment string `json:"environment,omitempty"`
}

func (k Key) compare(o Key) int {
	return cmp.Or(strings.Compare(k.Target, o.Target), strings.Compare(k.Package, o.Package), strings.Compare(k.Suite, o.Suite),
		strings.Compare(k.Benchmark, o.Benchmark), strings.Compare(k.Unit, o.Unit), strings.Compare(k.Environment, o.Environment))
}

func keyOf(s history.Standing) Key {
	return Key{s.Target, s.Package, s.Suite, s.Name, s.Tidied, s.Environment}
}

// A Step is a regression that was told.
type Step struct {
	Key
	From  float64 `json:"from"`           // before the oldest that is in force
	Value float64 `json:"value"`          // of the level since it was told
	Told  float64 `json:"told,omitempty"` // as it was told last, where that is another one: the level became better since
	Count int     `json:"count"`          // how many are in force
	After string  `json:"after"`          // commit before the newest, as it was told
	UpTo  string  `json:"up_to"`          // commit that has it
}

// The kinds of events.
const (
	New       = "new"
	Worse     = "worse"
	Recovered = "recovered"
	Accepted  = "accepted"
	Failing   = "failing"  // a benchmark, a package or a target
	Lost      = "lost"     // a benchmark that is no longer measured
	Stopped   = "stopped"  // a target of which nothing was measured for longer than usual
	Measured  = "measured" // again, one of these three
)

// An Event is one thing to tell.
type Event struct {
	Kind string `json:"kind"`
	Key
	Stored  string  `json:"unit_stored,omitempty"`
	From    float64 `json:"from"` // before it, or of what was told before
	To      float64 `json:"to"`   // both 0 of what has no value
	After   string  `json:"after_commit,omitempty"`
	UpTo    string  `json:"up_to_commit,omitempty"`
	Drift   int     `json:"drift_runs,omitempty"` // runs over which it came in, 0 for a step
	Commits int     `json:"commits,omitempty"`    // how many may have made it, 0 if that is not known

	Reason string    `json:"reason,omitempty"`        // why it fails
	Last   time.Time `json:"last_measured,omitzero"`  // when anything was
	Usual  int64     `json:"usual_seconds,omitempty"` // between two runs
	For    int64     `json:"for_seconds,omitempty"`   // since nothing was measured, when it was told
}

// parseTold reads what a channel keeps. Nothing is what nobody was told yet.
func parseTold(text []byte) (t Told, err error) {
	if len(text) == 0 {
		return Told{Version: version}, nil
	}
	if err := json.Unmarshal(text, &t); err != nil {
		return Told{}, err
	}
	if t.Version != version {
		return Told{}, errors.New("it is of another version of perftrack")
	}
	return t, nil
}

func (t Told) text() ([]byte, error) { return json.Marshal(t) }

// Differences returns what stands otherwise than it was told, in the order of the keys, and
// what is told after that. What has no runs to tell is as it was told, and so is what was told
// of a commit that is not on the line: this run is of an older commit than that one was.
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
		case !known || !s.Enough && len(s.InForce) == 0 || !s.Has(t.UpTo):
			next = append(next, t) // nothing is known of it now
			delete(standing, t.Key)
		case len(s.InForce) > 0:
		case s.Accepted != nil:
			events = append(events, Event{Kind: Accepted, Key: t.Key, From: t.From, To: s.Value, After: s.Accepted.Last.Commit, UpTo: s.Accepted.First.Commit})
		default:
			events = append(events, Event{Kind: Recovered, Key: t.Key, From: cmp.Or(t.Told, t.Value), To: s.Value, After: t.After, UpTo: t.UpTo})
		}
	}
	for key, s := range standing {
		if len(s.InForce) == 0 {
			continue
		}
		first, last := s.InForce[0], s.InForce[len(s.InForce)-1]
		step := Step{Key: key, From: first.From, Value: s.Value, Count: len(s.InForce), After: last.Last.Commit, UpTo: last.First.Commit}
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
			step.Count = len(s.InForce)
		}
		if known && step.Value != old.Value && moved(s, old) < 0 { // better, which is not told
			step.Told = cmp.Or(old.Told, old.Value)
		}
		next = append(next, step)
	}
	slices.SortFunc(events, func(a, b Event) int { return a.compare(b.Key) })
	slices.SortFunc(next, func(a, b Step) int { return a.compare(b.Key) })
	return events, next
}

// moved returns +1 or -1 if the newest level is worse or better than what was told by at
// least a step, else 0. Of what counts exactly, another step is one of any size.
func moved(s history.Standing, told Step) int {
	last := s.InForce[len(s.InForce)-1]
	way := stat.Sign(last.To-last.From) * stat.Sign(s.Value-told.Value)
	exact := last.Shift.Lo == last.Shift.Hi && s.Value != told.Value
	far := !(s.Value > 0 && told.Value > 0) || math.Abs(math.Log(s.Value/told.Value)) >= math.Log1p(s.Threshold)/2
	if exact || far {
		return way
	}
	return 0
}

// id names a benchmark as reports do.
func (k Key) id() record.BenchmarkID {
	return record.BenchmarkID{Kind: record.Bench, Package: k.Package, Suite: k.Suite, Name: k.Benchmark}
}
