package worker

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"github.com/perftrack/perftrack/fleet/database"
	"github.com/perftrack/perftrack/fleet/jobs"
	"github.com/perftrack/perftrack/fleet/lease"
)

// errLost is the error of a worker whose job was given to another one.
var errLost = errors.New("the job was put back and belongs to another worker")

// store stores a part in the transaction that completes its job. It stores nothing if the job is no
// longer this attempt's.
func (w *rounds) store(ctx context.Context, job *river.Job[jobs.Rounds], last int, text string) error {
	err := w.db.Do(context.WithoutCancel(ctx), func(ctx context.Context, tx *sql.Tx) error {
		_, err := river.JobCompleteTx[riverdriver.Driver[*sql.Tx]](ctx, tx, job)
		if errors.Is(err, rivertype.ErrNotFound) {
			return errLost
		}
		if err != nil {
			return err
		}
		return insertPart(ctx, w.db, tx, job, w.opt.ID, last, text)
	})
	switch {
	case errors.Is(err, errLost): // or stored by a transaction that seemed to fail
		w.say("rounds %d to %d of trial %s: %v", job.Args.First, last, job.Args.Trial, err)
		return nil
	case database.Duplicate(err):
		return river.JobCancel(fmt.Errorf("rounds %d to %d are stored already: %w", job.Args.First, last, err))
	case err == nil:
		w.fence.Succeeded()
		w.say("stored %s of %s in trial %s", roundsText(job.Args.First, last), job.Args.Target, job.Args.Trial)
	case err != nil:
		w.say("store rounds %d to %d of trial %s: %v", job.Args.First, last, job.Args.Trial, err)
	}
	return err
}

func insertPart(ctx context.Context, d *database.DB, tx *sql.Tx, job *river.Job[jobs.Rounds], worker string, last int, text string) error {
	a := job.Args
	var part int64
	err := tx.QueryRowContext(ctx, d.SQL(`INSERT INTO fleet_parts
		(trial, target, shard, first_round, last_round, job, attempt, worker, stored_us, body)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, {now_us}, ?) RETURNING id`),
		a.Trial, a.Target, a.Shard, a.First, last, job.ID, job.Attempt, worker, text).Scan(&part)
	if err != nil {
		return err
	}
	for round := a.First; round <= last; round++ {
		_, err := tx.ExecContext(ctx, d.SQL(`INSERT INTO fleet_rounds (trial, target, shard, round, part) VALUES (?, ?, ?, ?, ?)`),
			a.Trial, a.Target, a.Shard, round, part)
		if err != nil {
			return err
		}
	}
	return d.Announce(ctx, tx, a.Trial)
}

// final reports whether a failure of this kind is the fault of the commits, not of this machine.
func final(kind string) bool { return kind == "build" || kind == "data" || kind == "config" }

// A problem is why a job failed.
type problem struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

// fail gives a job up, or lets River try it again if it failed for a reason that may go away.
func (w *rounds) fail(ctx context.Context, job *river.Job[jobs.Rounds], p problem, text string) error {
	if !final(p.Kind) {
		w.fence.Failed() // another machine may fare better
	}
	if !final(p.Kind) && len(job.Errors)+1 < jobs.MaxFailures {
		w.say("rounds %d to %d of trial %s are tried again: %s", job.Args.First, job.Args.Last, job.Args.Trial, p.Message)
		return errors.New(p.Message)
	}
	now := time.Now()
	reason, err := json.Marshal(rivertype.AttemptError{At: now, Attempt: job.Attempt, Error: p.Message})
	if err != nil {
		return err
	}
	err = w.db.Do(context.WithoutCancel(ctx), func(ctx context.Context, tx *sql.Tx) error {
		err := w.fence.Set(ctx, tx, riverdriver.JobSetStateDiscarded(job.ID, now, reason, nil))
		if errors.Is(err, rivertype.ErrNotFound) {
			return errLost
		}
		if err != nil {
			return err
		}
		f := lease.Failure{Job: job.ID, Attempt: job.Attempt, Worker: w.opt.ID, Kind: p.Kind, Message: p.Message, Text: text}
		return errors.Join(lease.Fail(ctx, w.db, tx, f), w.db.Announce(ctx, tx, job.Args.Trial))
	})
	w.say("gave up rounds %d to %d of trial %s: %s", job.Args.First, job.Args.Last, job.Args.Trial, p.Message)
	if errors.Is(err, errLost) {
		return nil
	}
	return err
}

func roundsText(first, last int) string {
	if first == last {
		return fmt.Sprintf("round %d", first)
	}
	return fmt.Sprintf("rounds %d to %d", first, last)
}

func (w *rounds) say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "perftrack-fleet: "+format+"\n", args...)
}

// breakDown ends the worker, because no job can succeed here.
func (w *rounds) breakDown(err error) {
	select {
	case w.broken() <- err:
	default:
	}
}

func (w *rounds) broken() chan error {
	w.breakOnce.Do(func() { w.breaks = make(chan error, 1) })
	return w.breaks
}
