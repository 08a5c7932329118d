//go:build linux

package main

import (
	"strings"
	"syscall"
	"testing"

	"github.com/perftrack/perftrack/fleet/pgtest"
)

// A worker whose role has only the rights that `rights` prints works, fails, and puts the job of a
// dead worker back. The role can do nothing else.
func TestRights(t *testing.T) {
	t.Parallel()
	f := newFleet(t, pgtest.NewDatabase(t))
	out, err := f.command("rights", "measurer").Output()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.db.Exec("CREATE ROLE measurer LOGIN; " + string(out)); err != nil {
		t.Fatal(err)
	}
	s := f.queue()
	s.open(f, "T1", `,"flags":["--pause=100ms"]`)
	s.add(1, 4)
	killed := f.worker("w1")
	f.running("w1", 1)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.end("interrupted") // this process must not put the job back

	owner := f.address
	f.address = strings.Replace(f.address, "postgres@", "measurer@", 1)
	w := f.worker("w2", "-in-flight", "3", "-decide")
	f.eventually("the rounds are stored", func() bool { return f.count(`SELECT count(*) FROM fleet_rounds`) == 4 })
	f.address = owner
	s = f.queue()
	s.open(f, "T2", `,"flags":["--kind=io"]`)
	s.add(1, 4)
	s.next(failed)
	s.end("failed")
	if err := w.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.wait(t)
	if text := w.stderr.String(); strings.Contains(text, "denied") {
		t.Error(text)
	}
	conn, err := f.db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "SET ROLE measurer"); err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		`INSERT INTO river_job (kind, args, max_attempts) VALUES ('check', '{}', 1)`,
		`UPDATE river_job SET args = '{}'`, `UPDATE river_job SET queue = 'decide'`, `UPDATE river_job SET kind = 'check'`, `DELETE FROM river_job`,
		`INSERT INTO fleet_trials (id) VALUES ('T3')`, `UPDATE fleet_trials SET url = 'x'`, `DELETE FROM fleet_trials`,
		`SELECT body FROM fleet_parts`, `UPDATE fleet_parts SET body = ''`, `DELETE FROM fleet_parts`,
		`UPDATE fleet_rounds SET part = 1`, `DELETE FROM fleet_rounds`, `DELETE FROM fleet_failures`, `SELECT body FROM fleet_failures`,
		`UPDATE river_queue SET paused_at = now()`, `DELETE FROM river_queue`, `CREATE TABLE mine (x int)`, `UPDATE fleet_schema SET version = 0`,
		`DELETE FROM river_migration`, `INSERT INTO river_leader (elected_at, expires_at, leader_id) VALUES (now(), now(), 'x')`,
	} {
		if _, err := conn.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "permission denied") {
			t.Errorf("%s: %v", statement, err)
		}
	}
}
