// Package lease tells living workers from dead ones, because River does not. A worker renews a row
// of its own; its jobs return to the queue if it does not. Begin with [Register].
package lease

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"github.com/perftrack/perftrack/fleet/database"
)

// A lease ends after Expiry, unless it is renewed.
var (
	Renewal = database.Scaled(10 * time.Second)
	Expiry  = database.Scaled(30 * time.Second)
)

// A Worker describes the process that takes a lease.
type Worker struct {
	ID, Class, Procedure, Version string
	Decides                       bool
}

// A Lease is the row of a living worker.
type Lease struct {
	Worker
	Client string // name of the process in River's jobs

	db    *database.DB
	job   atomic.Int64
	kick  chan struct{}
	watch Watch
}

// ErrReplaced is the error of a worker whose id another process has taken over.
var ErrReplaced = errors.New("another worker with this id has started: give each worker its own -id")

// Register takes the lease of a worker. It replaces the lease of an earlier process with the same
// id, and puts the jobs of that process back.
func Register(ctx context.Context, d *database.DB, w Worker) (*Lease, error) {
	if w.ID == "" || len(w.ID) > 80 {
		return nil, fmt.Errorf("the id %q of the worker is empty or longer than 80 letters: choose another -id", w.ID)
	}
	// The suffix has a fixed length, so that SQL can remove it.
	l := &Lease{Worker: w, Client: fmt.Sprintf("%s#%016x", w.ID, time.Now().UnixMicro()), db: d, kick: make(chan struct{}, 1)}
	if err := d.Do(ctx, l.store); err != nil {
		return nil, fmt.Errorf("register worker %s: %w", w.ID, err)
	}
	l.watch.Seen()
	_, err := putBack(ctx, d, `substr({claimed_by}, 1, length({claimed_by}) - 17) = ? AND {claimed_by} <> ?`, w.ID, l.Client)
	return l, errors.Join(err, Forget(ctx, d))
}

func (l *Lease) store(ctx context.Context, tx *sql.Tx) error {
	decides := 0
	if l.Decides {
		decides = 1
	}
	host, _ := os.Hostname() // only shown
	_, err := tx.ExecContext(ctx, l.db.SQL(`INSERT INTO fleet_workers
		(id, client, class, procedure, version, host, cpu, cpus, decides, started_us, seen_us)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, {now_us}, {now_us})
		ON CONFLICT (id) DO UPDATE SET client = excluded.client, class = excluded.class, procedure = excluded.procedure,
		version = excluded.version, host = excluded.host, cpu = excluded.cpu, cpus = excluded.cpus, decides = excluded.decides,
		started_us = excluded.started_us, seen_us = excluded.seen_us, job = NULL`),
		l.ID, l.Client, l.Class, l.Procedure, l.Version, host, cpu(), runtime.NumCPU(), decides)
	return err
}

// SetJob records the job that the worker runs, or 0.
func (l *Lease) SetJob(id int64) {
	l.job.Store(id)
	select {
	case l.kick <- struct{}{}:
	default:
	}
}

// Keep renews the lease until ctx ends, and puts the jobs of dead workers back. It also puts back
// jobs that River claimed for this process without learning of it, because the connection died.
// Keep returns an error if another process has replaced the lease.
func (l *Lease) Keep(ctx context.Context, claimed func(job int64) bool) error {
	tick := time.NewTicker(Renewal)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-l.kick:
			if err := l.renew(ctx); errors.Is(err, ErrReplaced) {
				return err
			}
			continue
		case <-tick.C:
		}
		err := l.renew(ctx)
		if errors.Is(err, ErrReplaced) {
			return err
		}
		if err == nil {
			err = l.tidy(ctx, claimed)
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "perftrack-fleet: renew lease:", err) // the next renewal may succeed
		}
	}
}

func (l *Lease) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(Renewal, time.Second))
	defer cancel()
	job := sql.NullInt64{Int64: l.job.Load()}
	job.Valid = job.Int64 != 0
	renew := l.db.SQL(`UPDATE fleet_workers SET seen_us = {now_us}, job = ? WHERE id = ? AND client = ?`)
	result, err := l.db.ExecContext(ctx, renew, job, l.ID, l.Client)
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return errors.Join(err, ErrReplaced)
	}
	l.watch.Seen()
	return nil
}

// tidy puts jobs back. It must not keep the lease from being renewed.
func (l *Lease) tidy(ctx context.Context, claimed func(job int64) bool) error {
	ctx, cancel := context.WithTimeout(ctx, max(Renewal, time.Second))
	defer cancel()
	if l.watch.Steady() {
		if _, err := PutBack(ctx, l.db); err != nil {
			return err
		}
	}
	// Expiry is longer than any claim takes.
	own := `{claimed_by} = ? AND {us}attempted_at{/us} < {now_us} - ?`
	found, err := deadJobs(ctx, l.db, l.db.SQL(running+own), []any{l.Client, Expiry.Microseconds()})
	if err != nil {
		return err
	}
	for _, job := range found {
		if claimed(job.id) {
			continue
		}
		if _, err := putBack(ctx, l.db, own+` AND id = ?`, l.Client, Expiry.Microseconds(), job.id); err != nil {
			return err
		}
	}
	return nil
}

// End gives the lease up.
func (l *Lease) End(ctx context.Context) error {
	_, err := l.db.ExecContext(ctx, l.db.SQL(`DELETE FROM fleet_workers WHERE id = ? AND client = ?`), l.ID, l.Client)
	return err
}

// Live returns the number of living workers of a class and procedure.
func Live(ctx context.Context, d *database.DB, class, procedure string) (n int, err error) {
	err = d.Retry(ctx, func(ctx context.Context) error {
		return d.QueryRowContext(ctx, d.SQL(`SELECT count(*) FROM fleet_workers WHERE class = ? AND procedure = ? AND seen_us > {now_us} - ?`),
			class, procedure, Expiry.Microseconds()).Scan(&n)
	})
	return n, err
}

// cpu returns the model of the CPU, or the architecture if it is unknown.
func cpu() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.SplitSeq(string(text), "\n") {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}
