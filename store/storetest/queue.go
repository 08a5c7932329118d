package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/store"
)

// testQueue tests that the queue of a fleet is read from its tables, and that there is none without
// them.
func testQueue(t *testing.T, db *store.DB, exec func(*testing.T, *store.DB, string)) {
	ctx := context.Background()
	read := func() store.Queue {
		t.Helper()
		q, err := db.Queue(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if has, err := db.HasQueue(ctx); err != nil || has != q.Exists {
			t.Errorf("HasQueue: %v, %v; Exists is %v", has, err, q.Exists)
		}
		return q
	}
	if got, want := fmt.Sprintf("%+v", read()), fmt.Sprintf("%+v", store.Queue{}); got != want {
		t.Errorf("without a fleet: %s", got)
	}
	exec(t, db, FleetTables)
	if got, want := fmt.Sprintf("%+v", read()), fmt.Sprintf("%+v", store.Queue{Exists: true}); got != want {
		t.Errorf("of an empty fleet: %s", got)
	}
	exec(t, db, Fleet(FleetNow))
	q := read()
	var got []string
	say := func(format string, args ...any) { got = append(got, fmt.Sprintf(format, args...)) }
	ago := func(at time.Time) string {
		if at.IsZero() {
			return "-"
		}
		return FleetNow.Sub(at).String()
	}
	for _, w := range q.Workers {
		say("%s %s %s %s %s %s %d %v %s %s %d", w.ID, w.Class, w.Procedure, w.Version, w.Host, w.CPU, w.CPUs, w.Decides, ago(w.Started), ago(w.Seen), w.Job)
	}
	for _, g := range q.Groups {
		say("%s %s %s %d %s %d %s", g.Kind, g.Class, g.Procedure, g.Priority, g.State, g.Jobs, ago(g.Oldest))
	}
	for _, j := range q.Jobs {
		say("%d %s %s %s %d %s %s %s %s %s %d-%d %d %s %s %s %s", j.ID, j.Kind, j.Class, j.Procedure, j.Priority, j.State, j.Repository, j.Trial, j.Target, j.Shard,
			j.First, j.Last, j.Attempt, j.Worker, ago(j.Created), ago(j.Started), ago(j.Ended))
	}
	for _, r := range q.Trials {
		say("%s %s %.1s..%.1s %s %s %d %s %v %s %s %s", r.ID, r.Repository, r.Base, r.Head, r.Class, r.Procedure, r.Priority, r.PullRequest, r.Optional, r.State, ago(r.Created), ago(r.Ended))
	}
	want := []string{
		"l1 linux pairs/3 0.9.0 l1.example AMD EPYC 9354 8 false 3h0m0s 4s 8",
		"l2 linux pairs/3 0.9.0 l2.example AMD EPYC 9354 8 true 3h0m0s 7s 9",
		"l3 linux pairs/3 0.9.0 l3.example Xeon 8480 <img/src=x/onerror=perftrackCanary=1> 8 false 2h0m0s 5m0s 7",
		"l4 linux pairs/3 0.9.0 l4.example AMD EPYC 9354 8 false 2h0m0s 6m0s 0",
		"m1 mac pairs/3 0.9.0 m1.example Apple M4 8 false 26h0m0s 40m0s 0",

		"check linux  2 completed 1 2h1m0s",
		"check linux  2 running 1 26m0s",
		"check linux  3 waiting 1 1m0s",
		"rounds linux pairs/3 2 cancelled 1 2h0m0s",
		"rounds linux pairs/3 2 completed 1 2h0m0s",
		"rounds linux pairs/3 2 failed 1 1h59m0s",
		"rounds linux pairs/3 2 running 2 25m0s",
		"rounds linux pairs/3 2 waiting 1 20m0s",
		"rounds linux pairs/3 4 waiting 1 5h0m0s",
		"rounds mac pairs/3 4 waiting 2 24m0s",

		"12 check linux  3 waiting example.org/m    0-3 0  1m0s - -",
		"11 rounds linux pairs/3 4 waiting example.org/m t2 engine 1/1 13-16 1  5h0m0s - -",
		"10 rounds linux pairs/3 2 waiting example.org/m t2 engine 1/1 9-12 0  20m0s - -",
		"9 check linux  2 running example.org/m    0-3 1 l2 26m0s 25m0s -",
		"8 rounds linux pairs/3 2 running example.org/m t2 engine 1/1 5-8 1 l1 25m0s 2m0s -",
		"7 rounds linux pairs/3 2 running example.org/m t2 engine 1/1 1-4 1 l3 25m0s 6m0s -",
		"6 rounds mac pairs/3 4 waiting example.org/m t3 engine 1/1 5-8 0  24m0s - -",
		"5 rounds mac pairs/3 4 waiting example.org/m t3 engine 1/1 1-4 0  24m0s - -",
		"4 check linux  2 completed example.org/m    0-3 1 l2 2h1m0s 2h0m0s 1h30m0s",
		"3 rounds linux pairs/3 2 failed example.org/m t1 engine 1/1 9-12 3 l3 1h59m0s 1h40m0s 1h35m0s",
		"2 rounds linux pairs/3 2 cancelled example.org/m t1 engine 1/1 5-8 0  2h0m0s - 1h30m0s",
		"1 rounds linux pairs/3 2 completed example.org/m t1 engine 1/1 1-4 1 l1 2h0m0s 1h59m0s 1h55m0s",

		"t3 example.org/m b..c mac pairs/3 4  true open 24m0s -",
		"t2 example.org/m b..c linux pairs/3 2 13 false open 25m0s -",
		"t1 example.org/m a..b linux pairs/3 2 12 false decided 2h0m0s 1h30m0s",
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Errorf("row %d: %q, want %q", i, got[i:min(i+1, len(got))], want[i:min(i+1, len(want))])
		}
	}
	testLongQueue(t, db, exec)
	verify(t, db, 0)
}

// testLongQueue reads a long queue: the jobs waiting longest, those ended last, and the count of all.
func testLongQueue(t *testing.T, db *store.DB, exec func(*testing.T, *store.DB, string)) {
	exec(t, db, `DELETE FROM fleet_jobs; DELETE FROM fleet_trials;
		INSERT INTO fleet_jobs WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 1000)
		SELECT n, 'rounds', 'linux', 'pairs/3', 2, CASE n % 2 WHEN 0 THEN 'waiting' ELSE 'completed' END, 'r', 't', 'engine', '1/1', 1, 4, 1, NULL, n, NULL, NULL FROM n`)
	q, err := db.Queue(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var waiting, ended []int64
	for _, j := range q.Jobs {
		if j.State == store.JobWaiting {
			waiting = append(waiting, j.ID)
		} else {
			ended = append(ended, j.ID)
		}
	}
	if len(waiting) != 60 || waiting[0] != 120 || slices.Min(waiting) != 2 || len(ended) != 60 || ended[0] != 999 || slices.Min(ended) != 881 {
		t.Errorf("waiting %v, ended %v", waiting, ended)
	}
	if got, want := fmt.Sprint(q.Groups[0].Jobs, q.Groups[1].Jobs, q.Groups[1].Oldest.UnixMicro(), len(q.Groups)), "500 500 2 2"; got != want {
		t.Errorf("groups %s, want %s", got, want)
	}
}
