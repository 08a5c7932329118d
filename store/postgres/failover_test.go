package postgres

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
)

// When the primary is lost, its synchronous replica takes over. Writers go on with the same URL,
// and no acknowledged run is lost or stored twice. A replica answers readers.
func TestFailover(t *testing.T) {
	livetest.Skip(t)
	ctx := context.Background()
	const writers = 8
	n := scale(100, 1000)
	primary := pgtest.Start(t)
	primary.Exec(t, "postgres", "CREATE DATABASE perf")
	standby := primary.Standby(t, "second")
	primary.Exec(t, "postgres", "ALTER SYSTEM SET synchronous_standby_names = 'second'")
	primary.Exec(t, "postgres", "SELECT pg_reload_conf()")
	waitFor(t, "the replica to be synchronous", func() bool {
		return primary.Exec(t, "postgres", "SELECT sync_state FROM pg_stat_replication") == "sync"
	})
	url := fmt.Sprintf("postgres://postgres@127.0.0.1:%d,127.0.0.1:%d/perf?sslmode=disable", primary.Port, standby.Port)
	openAt(t, address(t, url), repository).Close()

	var writing []*child
	for i := range writers {
		writing = append(writing, start(t, "ingest", url, fmt.Sprint(i), n))
	}
	waitFor(t, "some runs in the replica", func() bool { return count(t, standby) > writers*n/4 })
	replica, err := OpenReadOnly(ctx, address(t, standby.URL("perf")), repository)
	if err != nil {
		t.Fatal(err)
	}
	points, err := replica.History(ctx, "engine", sample("", 0).Benchmarks[0].BenchmarkID)
	if err != nil || len(points) == 0 {
		t.Errorf("history of the replica: %d points, %v", len(points), err)
	}
	replica.Close()
	if _, err := Open(ctx, address(t, standby.URL("perf")), repository); err == nil || !strings.Contains(err.Error(), "name the primary") {
		t.Errorf("open a replica for writing: %v", err)
	}

	primary.Kill()
	atKill := count(t, standby)
	time.Sleep(2 * time.Second) // writers must wait
	standby.Promote(t)
	var acked []string
	for _, c := range writing {
		if err := c.Wait(); err != nil {
			t.Errorf("writer: %v: %s", err, c.err.String())
		}
		acked = append(acked, c.lines()...)
	}
	if got := checkWhole(t, address(t, url), acked); got != writers*n || len(acked) != writers*n {
		t.Errorf("%d runs, %d acknowledged, want %d", got, len(acked), writers*n)
	}
	if atKill >= writers*n {
		t.Error("all runs were stored before the primary was killed")
	}
	t.Logf("%d of %d runs were stored when the primary was killed, %d points in the history of the replica", atKill, writers*n, len(points))
}

// Without a synchronous replica, acknowledged runs are lost with the primary.
func TestControlFailover(t *testing.T) {
	livetest.Skip(t)
	primary := pgtest.Start(t, "-c", "fsync=off")
	primary.Exec(t, "postgres", "CREATE DATABASE perf")
	standby := primary.Standby(t, "second")
	openAt(t, address(t, primary.URL("perf")), repository).Close()
	waitFor(t, "the replica to follow", func() bool {
		return standby.Exec(t, "perf", "SELECT count(to_regclass('runs'))") == "1" && count(t, standby) == 0
	})
	primary.Exec(t, "postgres", "SELECT pg_terminate_backend(pid) FROM pg_stat_replication")
	standby.Exec(t, "postgres", "ALTER SYSTEM SET primary_conninfo = ''")
	standby.Exec(t, "postgres", "SELECT pg_reload_conf()") // as if the network were cut
	time.Sleep(time.Second)
	c := start(t, "ingest", primary.URL("perf"), "", 50)
	if err := c.Wait(); err != nil {
		t.Fatal(c.err.String())
	}
	primary.Kill()
	standby.Promote(t)
	if lost, _ := missing(t, openAt(t, address(t, standby.URL("perf")), repository), c.lines()); len(lost) == 0 {
		t.Error("nothing was lost: the test above would not see it")
	}
}

func count(t *testing.T, s *pgtest.Server) (n int) {
	t.Helper()
	if _, err := fmt.Sscan(s.Exec(t, "perf", "SELECT count(*) FROM runs"), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func waitFor(t *testing.T, what string, ready func() bool) {
	t.Helper()
	for range 600 {
		if ready() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("waited a minute for %s", what)
}
