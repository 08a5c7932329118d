package notify

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/queue"
	"github.com/perftrack/perftrack/store"
)

// fleetAt returns the queue at a minute of a day with two workers of class c and one job. Worker b
// is lost between minutes 10 and 30. Nobody takes the job between minutes 40 and 50, when no worker
// is alive; both workers have ended.
func fleetAt(minute int) *queue.State {
	now := night(1).Add(time.Duration(minute) * time.Minute)
	q := store.Queue{Exists: true}
	worker := func(id string, seen time.Time, job int64) {
		q.Workers = append(q.Workers, store.QueueWorker{ID: id, Class: "c<!-- @all", Procedure: "p", Seen: seen, Job: job})
	}
	if minute < 40 || minute >= 50 {
		worker("a", now, 0)
		seen := now
		if minute >= 10 && minute < 30 {
			seen = night(1).Add(10 * time.Minute)
		}
		worker("b", seen, 7)
	}
	if minute >= 40 {
		q.Groups = append(q.Groups, store.QueueGroup{Kind: "rounds", Class: "c<!-- @all", Procedure: "p", Priority: 2, State: store.JobWaiting, Jobs: minute - 39, Oldest: night(1).Add(40 * time.Minute)})
	}
	s := queue.Of(q, now)
	return &s
}

// An alarm of the queue and its end are reported once on each channel, although notify runs every
// minute, and other jobs of the repository have a database without a fleet.
func TestQueueAlarmsAreToldOnce(t *testing.T) {
	h := newHookServer(t)
	clone, _ := workTree(t)
	f := githubtest.New(t)
	var told []string
	for minute := range 61 {
		now := State{Queue: fleetAt(minute), At: night(1)}
		if minute%7 == 3 { // another job, whose database has no fleet
			now.Queue = nil
		}
		for i, c := range []channel{newIssue(t, f), newTestHook(t, h, clone), newIssue(t, f)} { // the issue's job is rerun
			said, err := Tell(t.Context(), c, now, one, false)
			if err != nil {
				t.Fatal(err)
			}
			f.Settle()
			all := fmt.Sprint(minute, ": ", strings.Join(said, "; "))
			if i == 0 && len(said) > 0 {
				told = append(told, all)
			} else if len(said) > 0 && (i == 2 || told[len(told)-1] != all) {
				t.Errorf("%s is told %s", c.name(), all)
			}
		}
		if minute == 20 && (!strings.Contains(f.Issues[0].Body, "The queue of the fleet, as last reported:\n\n- worker `b` of class `c<!-- @all` was last seen at") || f.Issues[0].State != "open") {
			t.Errorf("the issue is %s and says\n%s", f.Issues[0].State, f.Issues[0].Body)
		}
	}
	want := []string{
		"12: worker b of class c<!-- @all was last seen at 2026-01-01 03:10 UTC, running job 7",
		"30: worker b of class c<!-- @all is no longer missing",
		"42: no live worker takes the 3 jobs of class c<!-- @all with procedure p, the oldest waiting since 2026-01-01 03:40 UTC",
		"50: class c<!-- @all with procedure p has a live worker again, or no job waits for one",
		"55: 16 jobs of class c<!-- @all with procedure p wait, one of a pull request or release since 2026-01-01 03:40 UTC",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
	if h.sent != len(want) {
		t.Errorf("%d letters to the webhook, want %d", h.sent, len(want))
	}
	if len(f.Issues) != 1 || f.Issues[0].State != "open" {
		t.Errorf("%d issues, %+v", len(f.Issues), f.Issues)
	}
}

// A webhook gets the alarm in a form for programs.
func TestQueueAlarmForPrograms(t *testing.T) {
	h := &hook{repository: "o/r"}
	s := State{Queue: fleetAt(20)}
	text, err := h.payload(Letter{ID: "1", Events: s.queueAlarms()})
	if err != nil {
		t.Fatal(err)
	}
	const want = `"kind":"lost-worker","target":"","benchmark":"","from":0,"to":0,"queue":{"kind":"lost-worker","class":"c\u003c!-- @all","worker":"b","since":"2026-01-01T03:10:00Z","job":7},"sentence":"worker b of`
	if !strings.Contains(string(text), want) {
		t.Errorf("%s, want %s", text, want)
	}
}
