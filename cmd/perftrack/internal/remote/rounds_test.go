package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fleet"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
)

var (
	base = strings.Repeat("a", 40)
	head = strings.Repeat("b", 40)
)

// A queue answers with events, one a call, and then ends.
type queue struct {
	events []fleet.Event
	added  []string
}

var errEnd = errors.New("no more events")

func (q *queue) Add(jobs []fleet.Job) error {
	for _, j := range jobs {
		q.added = append(q.added, fmt.Sprintf("%d-%d", j.First, j.Last))
	}
	return nil
}

func (q *queue) Next(context.Context, <-chan time.Time) (e fleet.Event, ok bool, err error) {
	if len(q.events) == 0 {
		return e, false, errEnd
	}
	e, q.events = q.events[0], q.events[1:]
	return e, true, nil
}

// sides returns the text of both sides with the given rounds, or of the failure of a side.
func sides(t *testing.T, first, last int, failed record.Side) string {
	t.Helper()
	var text bytes.Buffer
	w := record.NewWriter(&text)
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, side := range []record.Side{record.Base, record.Head} {
		r := &record.Run{Target: "x", Trial: "t1", Side: side, Status: record.Complete, Start: at, End: at, Commit: record.Commit{SHA: base}}
		if side == record.Head {
			r.Commit.SHA = head
		}
		pairs.SetDecision(r)
		b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "Sort"}, Samples: []record.Samples{{Unit: "ns/op"}}}
		for n := first; n <= last; n++ {
			b.Rounds = append(b.Rounds, record.Round{N: n, Iters: 1})
			b.Samples[0].Values = append(b.Samples[0].Values, float64(n))
		}
		if first > 0 {
			r.Benchmarks = []record.Benchmark{b}
		}
		if failed != record.NoSide {
			r.Status = record.Failed
		}
		if side == failed {
			r.AddFailure("x", record.NotBuilt+"x.go:1: broken")
		}
		if err := w.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	return text.String()
}

func TestRounds(t *testing.T) {
	part := func(first, last int) fleet.Event {
		return fleet.Event{Part: &fleet.Part{Worker: "w", Target: "x", First: first, Last: last, Text: sides(t, first, last, "")}}
	}
	opened := func(workers int) fleet.Event { return fleet.Event{Opened: &fleet.Opened{Workers: workers}} }
	lost := func(first, last int) fleet.Event {
		return fleet.Event{Failed: &fleet.Failed{Target: "x", First: first, Last: last, Kind: "io", Message: "the machine is gone"}}
	}
	bad := fleet.Event{Part: &fleet.Part{Worker: "w", Target: "x", First: 1, Last: 2, Text: sides(t, 1, 3, "")}}
	for _, tt := range []struct {
		name        string
		first, last int
		batch       int
		until       int // the caller wants rounds up to this one
		events      []fleet.Event
		added       string
		took        string
		notices     int
		err         error
	}{
		{"one worker", 1, 40, 4, 4, []fleet.Event{opened(1), part(1, 2), part(3, 4)}, "1-2 3-4 5-6", "1-2 3-4", 0, nil},
		{"out of order", 1, 40, 4, 4, []fleet.Event{opened(3), part(3, 4), part(1, 2)}, "1-2 3-4 5-6 7-8 9-10", "1-2 3-4", 0, nil},
		{"shared by four", 1, 4, 4, 9, []fleet.Event{opened(4), part(1, 2), part(3, 4)}, "1-2 3-4", "1-2 3-4", 0, nil},
		{"the limit ends it", 7, 8, 4, 40, []fleet.Event{opened(1), part(7, 8)}, "7-8", "7-8", 0, nil},
		{"stored before", 3, 8, 4, 8, []fleet.Event{opened(1), part(1, 2), part(3, 6), part(7, 8)}, "3-4 5-6 7-8", "3-6 7-8", 0, nil},
		{"one worker for all", 1, 10, 0, 40, []fleet.Event{opened(3), part(1, 7), part(8, 10)}, "1-10 8-10", "1-7 8-10", 0, nil},
		{"a lost job", 1, 6, 4, 6, []fleet.Event{opened(1), part(1, 2), part(5, 6), lost(3, 4)}, "1-2 3-4 5-6", "1-2 5-6", 1, nil},
		{"nothing but a lost job", 1, 6, 4, 6, []fleet.Event{opened(1), lost(1, 2)}, "1-2 3-4", "", 0, &FailedError{}},
		{"a part with other rounds", 1, 4, 4, 4, []fleet.Event{opened(1), bad, part(3, 4)}, "1-2 3-4", "3-4", 1, nil},
		{"the queue ends", 1, 4, 4, 4, []fleet.Event{opened(1), part(1, 2)}, "1-2 3-4", "1-2", 0, errEnd},
	} {
		notices := 0
		a := &workspace.Session{Now: time.Now, Notice: func(string) { notices++ }}
		r := &Rounds{
			Fleet: &Fleet{session: a, Staff: fleet.NewStaff(a, "c")}, Pair: Pair{Target: config.Target{Name: "x"}, Base: base, Head: head},
			Trial: "t1", First: tt.first, Last: tt.last, Most: 2, Batch: tt.batch,
		}
		if tt.batch == 0 {
			r.Most = 10
		}
		r.begin()
		q := &queue{events: tt.events}
		var took []string
		err := r.follow(t.Context(), q, func(p Part) (bool, error) {
			took = append(took, fmt.Sprintf("%d-%d", p.First, p.Last))
			return p.Last < tt.until, nil
		})
		if got := strings.Join(took, " "); got != tt.took {
			t.Errorf("%s: took %s, want %s", tt.name, got, tt.took)
		}
		if got := strings.Join(q.added, " "); got != tt.added {
			t.Errorf("%s: added %s, want %s", tt.name, got, tt.added)
		}
		if notices != tt.notices {
			t.Errorf("%s: %d notices, want %d", tt.name, notices, tt.notices)
		}
		if failed := new(*FailedError); !errors.Is(err, tt.err) && !(errors.As(tt.err, failed) && errors.As(err, failed)) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.err)
		}
		for _, run := range r.Runs(record.Complete, func(r *record.Run) { r.Protocol.Procedure = "p" }) {
			p := run.Protocol
			if p.Procedure != "p" || p.Spread == nil || p.Spread.Class != "c" || p.Spread.Machines != 1 || run.LastRound() > r.taken {
				t.Errorf("%s: run with protocol %+v and rounds up to %d", tt.name, p, run.LastRound())
			}
		}
	}
}

func TestFailed(t *testing.T) {
	const message = "base: build x: exit status 1\n# x\nx.go:1: broken"
	for _, tt := range []struct {
		name, text string
		side       record.Side
		reason     string
		message    string
	}{
		{"the base", sides(t, 0, 0, record.Base), record.Base, "it does not build: x.go:1: broken", "build x: exit status 1\n# x\nx.go:1: broken"},
		{"the head", sides(t, 0, 0, record.Head), record.Head, "it does not build: x.go:1: broken", message},
		{"unknown", "", record.NoSide, "base: build x: exit status 1", message},
		{"unreadable", "Benchmark", record.NoSide, "base: build x: exit status 1", message},
	} {
		e := failed(fleet.Failed{Kind: "build", Message: message, Text: tt.text})
		if e.Side != tt.side || e.Reason != tt.reason || e.Message != tt.message || e.Kind != "build" {
			t.Errorf("%s: %+v", tt.name, e)
		}
	}
}
