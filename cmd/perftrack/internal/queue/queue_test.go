package queue

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/store"
)

var now = time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)

// worker returns a worker of class c that was last seen some time ago.
func worker(id string, seen time.Duration, job int64) store.QueueWorker {
	return store.QueueWorker{ID: id, Class: "c", Procedure: "p", Seen: now.Add(-seen), Job: job}
}

// jobs returns jobs of class c, the oldest queued some time ago.
func jobs(n int, state string, priority int, oldest time.Duration) store.QueueGroup {
	return store.QueueGroup{Kind: "rounds", Class: "c", Procedure: "p", Priority: priority, State: state, Jobs: n, Oldest: now.Add(-oldest)}
}

const (
	m    = time.Minute
	just = time.Millisecond
)

func TestAlarms(t *testing.T) {
	other := func(g store.QueueGroup, kind, procedure string) store.QueueGroup {
		g.Kind, g.Procedure = kind, procedure
		return g
	}
	decides := worker("d", 0, 0)
	decides.Decides = true
	elsewhere := worker("e", 0, 0)
	elsewhere.Class = "elsewhere"
	for _, tt := range []struct {
		name    string
		workers []store.QueueWorker
		groups  []store.QueueGroup
		want    string
	}{
		{"nothing", nil, nil, ""},
		{"idle", []store.QueueWorker{worker("a", 5*time.Second, 0)}, nil, ""},
		{"busy", []store.QueueWorker{worker("a", 5*time.Second, 1)}, []store.QueueGroup{jobs(1, "running", 2, 20*m), jobs(9, "waiting", 2, 15*m-just)}, ""},
		{"ended jobs", nil, []store.QueueGroup{jobs(9, "completed", 2, 99*m), jobs(9, "failed", 2, 99*m), jobs(9, "cancelled", 2, 99*m)}, ""},

		{"waits long", []store.QueueWorker{worker("a", 0, 1)}, []store.QueueGroup{jobs(1, "running", 2, 20*m), jobs(9, "waiting", 2, 15*m), jobs(1, "waiting", 1, 16*m)},
			"10 jobs of class <c> with procedure <p> wait, one of a pull request or release since 2026-09-30 11:44 UTC"},
		{"backfill waits for days", []store.QueueWorker{worker("a", 0, 1)}, []store.QueueGroup{jobs(1, "running", 4, 20*m), jobs(9, "waiting", 4, 999*m), jobs(1, "waiting", 3, 999*m)}, ""},
		{"backfill waits and nothing runs", []store.QueueWorker{worker("a", 0, 0)}, []store.QueueGroup{jobs(1, "waiting", 4, 15*m)},
			"1 job of class <c> with procedure <p> waits since 2026-09-30 11:45 UTC"},

		{"nobody yet", nil, []store.QueueGroup{jobs(1, "waiting", 2, 2*m-just)}, ""},
		{"nobody", nil, []store.QueueGroup{jobs(1, "waiting", 2, 2*m)}, "no live worker takes the job of class <c> with procedure <p>, the oldest waiting since 2026-09-30 11:58 UTC"},
		{"nobody for long", nil, []store.QueueGroup{jobs(3, "waiting", 2, 99*m)}, "no live worker takes the 3 jobs of class <c> with procedure <p>, the oldest waiting since 2026-09-30 10:21 UTC"},
		{"another class", []store.QueueWorker{elsewhere}, []store.QueueGroup{jobs(1, "waiting", 2, 2*m)}, "no live worker takes the job of class <c> with procedure <p>, the oldest waiting since 2026-09-30 11:58 UTC"},
		{"another procedure", []store.QueueWorker{worker("a", 0, 0)}, []store.QueueGroup{other(jobs(1, "waiting", 2, 2*m), "rounds", "old")},
			"no live worker takes the job of class <c> with procedure <old>, the oldest waiting since 2026-09-30 11:58 UTC"},

		{"checks without one that decides", []store.QueueWorker{worker("a", 0, 0)}, []store.QueueGroup{other(jobs(2, "waiting", 2, 3*m), "check", "")}, "no live worker takes the 2 checks, the oldest waiting since 2026-09-30 11:57 UTC"},
		{"checks of another class", []store.QueueWorker{decides}, []store.QueueGroup{{Kind: "check", Class: "other", Priority: 2, State: "waiting", Jobs: 2, Oldest: now.Add(-3 * m)}}, ""},
		{"checks wait long", []store.QueueWorker{decides}, []store.QueueGroup{other(jobs(2, "waiting", 2, 15*m), "check", "")}, "2 checks wait, one of a pull request or release since 2026-09-30 11:45 UTC"},

		{"lost with a job", []store.QueueWorker{worker("a", 2*m, 7), worker("b", 0, 0)}, nil, "worker <a> of class <c> was last seen at 2026-09-30 11:58 UTC, running job 7"},
		{"not lost yet", []store.QueueWorker{worker("a", 2*m-just, 7)}, nil, ""},
		{"lost without a job among others", []store.QueueWorker{worker("a", 20*m, 0), worker("b", 0, 0)}, nil, ""},
		{"the last of the class", []store.QueueWorker{worker("a", 20*m, 0), worker("b", 10*m, 0), elsewhere}, nil, "worker <b>, the last of class <c>, was last seen at 2026-09-30 11:50 UTC"},
		{"forgotten", []store.QueueWorker{worker("a", 7*24*time.Hour, 7)}, nil, ""},
		{"not forgotten", []store.QueueWorker{worker("a", 7*24*time.Hour-just, 7)}, nil, "worker <a> of class <c> was last seen at 2026-09-23 12:00 UTC, running job 7"},
		{"everything", []store.QueueWorker{worker("a", 3*m, 7)}, []store.QueueGroup{jobs(1, "waiting", 1, 16*m), jobs(1, "running", 1, 17*m)},
			"no live worker takes the job of class <c> with procedure <p>, the oldest waiting since 2026-09-30 11:44 UTC; worker <a> of class <c> was last seen at 2026-09-30 11:57 UTC, running job 7"},
	} {
		var got []string
		for _, a := range Of(store.Queue{Exists: true, Workers: tt.workers, Groups: tt.groups}, now).Alarms {
			got = append(got, a.Sentence(func(s string) string { return "<" + s + ">" }))
		}
		if s := strings.Join(got, "; "); s != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, s, tt.want)
		}
	}
}

func TestEnded(t *testing.T) {
	for _, tt := range []struct {
		alarm Alarm
		want  string
	}{
		{Alarm{Kind: NoWorker, Class: "c", Procedure: "p"}, "class <c> with procedure <p> has a live worker again, or no job waits for one"},
		{Alarm{Kind: NoWorker, Checks: true}, "checks have a live worker again, or none waits"},
		{Alarm{Kind: LongWaiting, Class: "c"}, "no job of class <c> has been waiting for long any more"},
		{Alarm{Kind: LongWaiting, Checks: true}, "no check has been waiting for long any more"},
		{Alarm{Kind: LostWorker, Class: "c", Worker: "a"}, "worker <a> of class <c> is no longer missing"},
	} {
		if got := tt.alarm.Ended(func(s string) string { return "<" + s + ">" }); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.alarm, got, tt.want)
		}
	}
}

// A class has all of its workers and jobs, however they are counted.
func TestClasses(t *testing.T) {
	decides := worker("d", 0, 0)
	decides.Decides = true
	s := Of(store.Queue{Exists: true, Workers: []store.QueueWorker{worker("a", 0, 1), worker("b", 3*m, 0), decides}, Groups: []store.QueueGroup{
		jobs(2, "running", 2, 9*m), jobs(3, "waiting", 2, 4*m), jobs(4, "waiting", 4, 8*m), jobs(5, "completed", 2, 90*m),
		{Kind: "check", Class: "c", State: "waiting", Jobs: 1, Oldest: now.Add(-m)}, {Kind: "check", Class: "x", State: "running", Jobs: 2, Oldest: now.Add(-m)},
	}}, now)
	var got []string
	for _, c := range s.Classes {
		got = append(got, fmt.Sprintf("%v %q %q: %d live, %d lost, %d waiting since %v, %d running", c.Checks, c.Name, c.Procedure, c.Live, c.Lost, c.Waiting, now.Sub(c.Oldest), c.Running))
	}
	want := []string{
		`true "" "": 1 live, 0 lost, 1 waiting since 1m0s, 2 running`,
		`false "c" "p": 2 live, 1 lost, 7 waiting since 8m0s, 2 running`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
