package storetest

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// FleetTables creates those tables and views of the program perftrack-fleet that others read, with a
// table of jobs in place of its queue's. It is valid for SQLite and for PostgreSQL.
const FleetTables = `
CREATE TABLE fleet_workers (id TEXT PRIMARY KEY, class TEXT, procedure TEXT, version TEXT, host TEXT, cpu TEXT, cpus INT, decides BOOLEAN,
	started_us BIGINT, seen_us BIGINT, job BIGINT NULL);
CREATE TABLE fleet_trials (id TEXT PRIMARY KEY, repository TEXT, url TEXT, dir TEXT, base_sha TEXT, head_sha TEXT, class TEXT, procedure TEXT, priority INT,
	pull_request TEXT, optional BOOLEAN, state TEXT, flags TEXT, created_us BIGINT, ended_us BIGINT NULL);
CREATE TABLE fleet_jobs (job BIGINT PRIMARY KEY, kind TEXT, class TEXT, procedure TEXT, priority INT, state TEXT, repository TEXT, trial TEXT, target TEXT,
	shard TEXT, first_round INT, last_round INT, attempt INT, worker TEXT, created_us BIGINT, started_us BIGINT NULL, ended_us BIGINT NULL);
CREATE VIEW fleet_queue AS SELECT * FROM fleet_jobs;
CREATE VIEW fleet_classes AS
SELECT class, procedure, sum(workers) AS workers, sum(waiting) AS waiting, sum(running) AS running, min(oldest_waiting_us) AS oldest_waiting_us, max(newest_seen_us) AS newest_seen_us
FROM (
	SELECT class, procedure, 1 AS workers, 0 AS waiting, 0 AS running, CAST(NULL AS BIGINT) AS oldest_waiting_us, seen_us AS newest_seen_us FROM fleet_workers
	UNION ALL
	SELECT class, procedure, 0, CASE state WHEN 'waiting' THEN 1 ELSE 0 END, CASE state WHEN 'running' THEN 1 ELSE 0 END,
		CASE state WHEN 'waiting' THEN created_us END, NULL FROM fleet_queue WHERE kind = 'rounds' AND state IN ('waiting', 'running')
) AS both_of GROUP BY class, procedure;
`

// FleetNow is the time at which [Fleet] is described.
var FleetNow = time.Date(2026, 9, 30, 12, 0, 0, 0, time.UTC)

// Fleet inserts a fleet into the tables of [FleetTables], with times before now. It has each alarm
// once: a lost worker with a job, a class without a live worker, and a pull request that waits too
// long. One name is hostile.
func Fleet(now time.Time) string {
	at := func(ago time.Duration) int64 { return now.Add(-ago).UnixMicro() }
	var b strings.Builder
	worker := func(id, class, cpu string, decides bool, started, seen time.Duration, job string) {
		fmt.Fprintf(&b, "INSERT INTO fleet_workers VALUES ('%s', '%s', 'pairs/3', '0.9.0', '%s.example', '%s', 8, %t, %d, %d, %s);\n",
			id, class, id, cpu, decides, at(started), at(seen), job)
	}
	worker("l1", "linux", "AMD EPYC 9354", false, 3*time.Hour, 4*time.Second, "8")
	worker("l2", "linux", "AMD EPYC 9354", true, 3*time.Hour, 7*time.Second, "9")
	worker("l3", "linux", "Xeon 8480 <img/src=x/onerror=perftrackCanary=1>", false, 2*time.Hour, 5*time.Minute, "7")
	worker("l4", "linux", "AMD EPYC 9354", false, 2*time.Hour, 6*time.Minute, "NULL") // lost without a job, in a class with others
	worker("m1", "mac", "Apple M4", false, 26*time.Hour, 40*time.Minute, "NULL")
	worker("gone", "mac", "Apple M4", false, 26*time.Hour, time.Duration(now.UnixMicro())*time.Microsecond, "NULL") // seen_us is 0: it has ended
	trial := func(id, base, head, class string, priority int, pull, state string, created time.Duration, ended string) {
		fmt.Fprintf(&b, "INSERT INTO fleet_trials VALUES ('%s', 'example.org/m', 'https://example.org/m.git', '', '%s', '%s', '%s', 'pairs/3', %d, '%s', %t, '%s', '[]', %d, %s);\n",
			id, sha(base), sha(head), class, priority, pull, class == "mac", state, at(created), ended)
	}
	trial("t1", "a", "b", "linux", 2, "12", "decided", 2*time.Hour, fmt.Sprint(at(90*time.Minute)))
	trial("t2", "b", "c", "linux", 2, "13", "open", 25*time.Minute, "NULL")
	trial("t3", "b", "c", "mac", 4, "", "open", 24*time.Minute, "NULL")
	job := func(id int, kind, class string, priority int, state, trial string, first, attempt int, worker string, created, started, ended time.Duration) {
		times := []string{"NULL", "NULL"}
		for i, ago := range []time.Duration{started, ended} {
			if ago > 0 {
				times[i] = fmt.Sprint(at(ago))
			}
		}
		target, shard, procedure := "'engine'", "'1/1'", "'pairs/3'"
		if kind == "check" {
			target, shard, procedure, trial = "NULL", "NULL", "NULL", ""
		}
		if worker = "'" + worker + "'"; worker == "''" {
			worker = "NULL"
		}
		fmt.Fprintf(&b, "INSERT INTO fleet_jobs VALUES (%d, '%s', '%s', %s, %d, '%s', 'example.org/m', '%s', %s, %s, %d, %d, %d, %s, %d, %s, %s);\n",
			id, kind, class, procedure, priority, state, trial, target, shard, first, first+3, attempt, worker, at(created), times[0], times[1])
	}
	const m = time.Minute
	job(1, "rounds", "linux", 2, "completed", "t1", 1, 1, "l1", 120*m, 119*m, 115*m)
	job(2, "rounds", "linux", 2, "cancelled", "t1", 5, 0, "", 120*m, 0, 90*m)
	job(3, "rounds", "linux", 2, "failed", "t1", 9, 3, "l3", 119*m, 100*m, 95*m)
	job(4, "check", "linux", 2, "completed", "", 0, 1, "l2", 121*m, 120*m, 90*m)
	job(5, "rounds", "mac", 4, "waiting", "t3", 1, 0, "", 24*m, 0, 0)
	job(6, "rounds", "mac", 4, "waiting", "t3", 5, 0, "", 24*m, 0, 0)
	job(7, "rounds", "linux", 2, "running", "t2", 1, 1, "l3", 25*m, 6*m, 0)
	job(8, "rounds", "linux", 2, "running", "t2", 5, 1, "l1", 25*m, 2*m, 0)
	job(9, "check", "linux", 2, "running", "", 0, 1, "l2", 26*m, 25*m, 0)
	job(10, "rounds", "linux", 2, "waiting", "t2", 9, 0, "", 20*m, 0, 0)
	job(11, "rounds", "linux", 4, "waiting", "t2", 13, 1, "", 300*m, 0, 0)
	job(12, "check", "linux", 3, "waiting", "", 0, 0, "", 1*m, 0, 0)
	return b.String()
}

// ExecFile executes statements in an SQLite file, with the driver of the program.
func ExecFile(t testing.TB, path, statements string) {
	t.Helper()
	driver := "sqlite" // of builds without cgo
	if slices.Contains(sql.Drivers(), "sqlite3") {
		driver = "sqlite3"
	}
	db, err := sql.Open(driver, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	Exec(t, db, statements)
}

// Exec executes statements.
func Exec(t testing.TB, db *sql.DB, statements string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
}
