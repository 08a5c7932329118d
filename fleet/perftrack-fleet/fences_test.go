//go:build linux

package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/fleet/jobs"
)

// running waits until a worker runs an attempt of a job.
func (f *fleet) running(worker string, attempt int) {
	f.t.Helper()
	f.eventually("the job runs on "+worker, func() bool {
		return f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'running' AND worker = ? AND attempt = ?`, worker, attempt) == 1
	})
}

// A worker that was stopped for longer than its lease, and continues while its successor still
// measures, stores nothing and does not end the job of its successor.
func TestStopped(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", fmt.Sprintf(`,"flags":["--pause=500ms","--begun=%s"]`, filepath.Join(f.dir, "begun")))
		s.add(1, 4)
		stopped := f.worker("w1")
		f.eventually("the child measures", func() bool { _, err := os.Stat(filepath.Join(f.dir, "begun")); return err == nil })
		f.stop(stopped)
		f.worker("w2")
		f.running("w2", 2)
		if err := stopped.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		if p := s.next(part).Part; p.Attempt != 2 || p.Worker != "w2" {
			t.Errorf("%+v", p)
		}
		f.eventually("the stopped worker lives again", func() bool {
			return f.count(`SELECT count(*) FROM fleet_workers WHERE id = 'w1' AND seen_us > (SELECT stored_us FROM fleet_parts)`) == 1
		})
		if err := stopped.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		stopped.wait(t)
		if !strings.Contains(stopped.stderr.String(), "belongs to another worker") {
			t.Errorf("the stopped worker says %q", stopped.stderr.String())
		}
		if n := f.count(`SELECT count(*) FROM fleet_parts`); n != 1 {
			t.Errorf("%d parts", n)
		}
		s.end("decided")
	})
}

// The job of a killed worker is measured by another one, or at once by the same one if it starts
// again.
func TestKilled(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", `,"flags":["--pause=200ms"]`)
		s.add(1, 4)
		for attempt := 1; attempt <= 2; attempt++ {
			w := f.worker("w1")
			f.running("w1", attempt)
			if err := w.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			<-w.done
		}
		f.worker("w2")
		if p := s.next(part).Part; p.Attempt != 3 || p.Worker != "w2" {
			t.Errorf("%+v", p)
		}
		s.end("decided")
	})
}

// A worker that is told to end puts its job back at once, whatever it is doing.
func TestTerminated(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", `,"flags":["--pause=500ms"]`)
		s.add(1, 4)
		for i := range 5 {
			w := f.worker("w1")
			f.running("w1", 1)
			time.Sleep(time.Duration(i*i*10) * time.Millisecond) // from the clone to the measurement
			if err := w.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			w.wait(t)
			if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'waiting' AND attempt = 0`); n != 1 {
				t.Fatal("the job does not wait")
			}
		}
		s.end("interrupted")
	})
}

// A job that outlives none of its workers is given up.
func TestDeadly(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", `,"flags":["--pause=10s"]`)
		s.add(1, 4)
		w := f.worker("w1")
		f.running("w1", 1)
		if _, err := f.db.Exec(`UPDATE river_job SET attempt = max_attempts`); err != nil {
			t.Fatal(err)
		}
		if err := w.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if e := s.next(failed).Failed; e.Kind != "io" || e.Message != "10 workers died while they measured it" {
			t.Errorf("%+v", e)
		}
		s.end("failed")
	})
}

// A job that was claimed for a living worker, which never learned of it because the connection died,
// returns to the queue.
func TestLostClaim(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", "")
		w := f.worker("w1")
		f.eventually("the worker lives", func() bool { return f.count(`SELECT count(*) FROM fleet_workers`) == 1 })
		f.stop(w)
		s.add(1, 4)
		f.eventually("the job waits", func() bool { return f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'waiting'`) == 1 })
		claim := `UPDATE river_job SET state = 'running', attempt = 1, attempted_at = '2026-01-01 00:00:00', attempted_by = `
		by := `(SELECT jsonb(json_array(client)) FROM fleet_workers)`
		if f.db.Postgres {
			by = `ARRAY(SELECT client FROM fleet_workers)`
		}
		if _, err := f.db.Exec(claim + by); err != nil {
			t.Fatal(err)
		}
		if err := w.Process.Signal(syscall.SIGCONT); err != nil {
			t.Fatal(err)
		}
		if p := s.next(part).Part; p.Attempt != 2 || p.Worker != "w1" {
			t.Errorf("%+v", p)
		}
		s.end("decided")
	})
}

// A process with the id of a living worker replaces it.
func TestReplaced(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		w := f.worker("w1")
		f.eventually("the worker is registered", func() bool { return f.count(`SELECT count(*) FROM fleet_workers`) == 1 })
		f.worker("w1")
		<-w.done
		if !strings.Contains(w.stderr.String(), "another worker with this id has started") || w.ProcessState.ExitCode() != 1 {
			t.Errorf("%s", w.stderr.String())
		}
		if n := f.count(`SELECT count(*) FROM fleet_workers`); n != 1 {
			t.Errorf("%d workers", n)
		}
	})
}

// Rounds that a faulty process has queued twice are stored once.
func TestRoundsUnique(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		s.open(f, "T1", "")
		client, err := jobs.Inserter(f.db)
		if err != nil {
			t.Fatal(err)
		}
		for last := 3; last <= 4; last++ {
			job := jobs.Rounds{Trial: "T1", Target: "t", Shard: "1/1", First: 1, Last: last, Repository: "r", Class: "c", Procedure: "p"}
			err := f.db.Do(context.Background(), func(ctx context.Context, tx *sql.Tx) error {
				_, err := client.InsertTx(ctx, tx, job, jobs.Options(jobs.Queue("c", "p"), 1))
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		f.worker("w1", "-once").wait(t)
		if parts, rounds := f.count(`SELECT count(*) FROM fleet_parts`), f.count(`SELECT count(*) FROM fleet_rounds`); parts != 1 || rounds > 4 {
			t.Errorf("%d parts, %d rounds", parts, rounds)
		}
		if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'cancelled'`); n != 1 {
			t.Errorf("%d cancelled", n)
		}
	})
}
