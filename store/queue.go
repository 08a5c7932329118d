package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

// A Queue is the queue of a fleet of workers. The program perftrack-fleet keeps it in the database
// of the runs; this package only reads it. It is shared by all repositories of the database.
type Queue struct {
	Exists  bool          // whether the database has a fleet; if not, all lists are empty
	Workers []QueueWorker // by class and id
	Groups  []QueueGroup  // all jobs, counted
	Jobs    []QueueJob    // running jobs, the oldest waiting jobs and the newest ended ones, newest first
	Trials  []QueueTrial  // the newest trials, newest first
}

// The states of a job.
const (
	JobWaiting   = "waiting"
	JobRunning   = "running"
	JobCompleted = "completed"
	JobCancelled = "cancelled"
	JobFailed    = "failed" // after its last attempt
)

// MaxQueueJobs is the maximum number of running, of waiting and of ended jobs in a [Queue].
const MaxQueueJobs = 60

// A QueueWorker is a worker that has not ended properly: it is alive, or it was lost.
type QueueWorker struct {
	ID, Class, Procedure, Version string
	Host, CPU                     string
	CPUs                          int
	Decides                       bool // whether it also runs checks, which decide about trials
	Started, Seen                 time.Time
	Job                           int64 // the job that it runs, or 0
}

// A QueueGroup counts the jobs that have everything in common.
type QueueGroup struct {
	Kind, Class, Procedure string
	Priority               int
	State                  string
	Jobs                   int
	Oldest                 time.Time // when the oldest of them was queued
}

// A QueueJob is a job: rounds of a trial, or a check that decides about one.
type QueueJob struct {
	ID                      int64
	Kind, Class, Procedure  string
	Priority                int
	State                   string
	Repository, Trial       string
	Target, Shard           string
	First, Last             int // rounds
	Attempt                 int
	Worker                  string // the worker of the newest attempt, or ""
	Created, Started, Ended time.Time
}

// A QueueTrial is a trial whose rounds are jobs.
type QueueTrial struct {
	ID, Repository, Base, Head string
	Class, Procedure           string
	Priority                   int
	PullRequest                string
	Optional                   bool
	State                      string
	Created, Ended             time.Time
}

// HasQueue reports whether the database has a fleet.
func (db *DB) HasQueue(ctx context.Context) (has bool, err error) {
	err = db.readUnchecked(ctx, func(tx *sql.Tx) (err error) {
		has, err = db.hasQueue(ctx, tx)
		return err
	})
	return has, db.fail("look for a queue in", err)
}

// hasQueue looks for the view and the tables that Queue reads. Without a fleet, as usual, this is
// one cheap query.
func (db *DB) hasQueue(ctx context.Context, tx *sql.Tx) (has bool, err error) {
	for _, name := range []string{"fleet_queue", "fleet_trials", "fleet_workers"} {
		if err := tx.QueryRowContext(ctx, db.backend.Exists, name).Scan(&has); err != nil || !has {
			return false, err
		}
	}
	return true, nil
}

// Queue returns the queue of the fleet.
func (db *DB) Queue(ctx context.Context) (q Queue, err error) {
	err = db.readUnchecked(ctx, func(tx *sql.Tx) (err error) {
		if q.Exists, err = db.hasQueue(ctx, tx); err != nil || !q.Exists {
			return err
		}
		for _, read := range []func(context.Context, *sql.Tx) error{q.readWorkers, q.readGroups, q.readJobs, q.readTrials} {
			if err := read(ctx, tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Queue{}, db.fail("read the queue of", err)
	}
	return q, nil
}

// readWorkers reads the workers. One without a last time has ended.
func (q *Queue) readWorkers(ctx context.Context, tx *sql.Tx) error {
	return each(ctx, tx, `SELECT id, coalesce(class, ''), coalesce(procedure, ''), coalesce(version, ''), coalesce(host, ''), coalesce(cpu, ''),
			coalesce(cpus, 0), decides, coalesce(started_us, 0), seen_us, coalesce(job, 0)
		FROM fleet_workers WHERE seen_us > 0 ORDER BY class, id`, nil, func(rows *sql.Rows) error {
		var w QueueWorker
		var decides sql.NullBool
		err := rows.Scan(&w.ID, &w.Class, &w.Procedure, &w.Version, &w.Host, &w.CPU, &w.CPUs, &decides, microTime{&w.Started}, microTime{&w.Seen}, &w.Job)
		w.Decides = decides.Bool
		q.Workers = append(q.Workers, w)
		return err
	})
}

func (q *Queue) readGroups(ctx context.Context, tx *sql.Tx) error {
	return each(ctx, tx, `SELECT coalesce(kind, ''), coalesce(class, ''), coalesce(procedure, ''), coalesce(priority, 0), state, count(*), coalesce(min(created_us), 0)
		FROM fleet_queue GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5`, nil, func(rows *sql.Rows) error {
		var g QueueGroup
		err := rows.Scan(&g.Kind, &g.Class, &g.Procedure, &g.Priority, &g.State, &g.Jobs, microTime{&g.Oldest})
		q.Groups = append(q.Groups, g)
		return err
	})
}

// readJobs reads the jobs to show. The numbers of jobs grow with time.
func (q *Queue) readJobs(ctx context.Context, tx *sql.Tx) error {
	const columns = `job, coalesce(kind, '') AS kind, coalesce(class, '') AS class, coalesce(procedure, '') AS procedure, coalesce(priority, 0) AS priority, state,
		coalesce(repository, '') AS repository, coalesce(trial, '') AS trial, coalesce(target, '') AS target, coalesce(shard, '') AS shard,
		coalesce(first_round, 0) AS first_round, coalesce(last_round, 0) AS last_round, coalesce(attempt, 0) AS attempt, coalesce(worker, '') AS worker,
		coalesce(created_us, 0) AS created_us, coalesce(started_us, 0) AS started_us, coalesce(ended_us, 0) AS ended_us`
	part := func(where, order string) string {
		return fmt.Sprintf(`SELECT * FROM (SELECT %s FROM fleet_queue WHERE state %s ORDER BY job %s LIMIT %d) AS %s`, columns, where, order, MaxQueueJobs, "part_"+order)
	}
	query := part("= 'running'", "DESC") + " UNION ALL " + part("= 'waiting'", "ASC") + " UNION ALL " + part("NOT IN ('running', 'waiting')", "DESC") + " ORDER BY 1 DESC"
	return each(ctx, tx, query, nil, func(rows *sql.Rows) error {
		var j QueueJob
		err := rows.Scan(&j.ID, &j.Kind, &j.Class, &j.Procedure, &j.Priority, &j.State, &j.Repository, &j.Trial, &j.Target, &j.Shard,
			&j.First, &j.Last, &j.Attempt, &j.Worker, microTime{&j.Created}, microTime{&j.Started}, microTime{&j.Ended})
		q.Jobs = append(q.Jobs, j)
		return err
	})
}

func (q *Queue) readTrials(ctx context.Context, tx *sql.Tx) error {
	return each(ctx, tx, `SELECT id, coalesce(repository, ''), coalesce(base_sha, ''), coalesce(head_sha, ''), coalesce(class, ''), coalesce(procedure, ''),
			coalesce(priority, 0), coalesce(pull_request, ''), optional, coalesce(state, ''), coalesce(created_us, 0), coalesce(ended_us, 0)
		FROM fleet_trials ORDER BY created_us DESC, id DESC LIMIT $1`, []any{MaxQueueJobs}, func(rows *sql.Rows) error {
		var t QueueTrial
		var optional sql.NullBool
		err := rows.Scan(&t.ID, &t.Repository, &t.Base, &t.Head, &t.Class, &t.Procedure, &t.Priority, &t.PullRequest, &optional, &t.State, microTime{&t.Created}, microTime{&t.Ended})
		t.Optional = optional.Bool
		q.Trials = append(q.Trials, t)
		return err
	})
}

// microTime scans microseconds since 1970 into a time in UTC. 0 is the zero time, which means unknown.
type microTime struct{ into *time.Time }

func (m microTime) Scan(v any) error {
	us, ok := v.(int64)
	if !ok {
		return fmt.Errorf("%v is not a time in microseconds", v)
	}
	if *m.into = (time.Time{}); us != 0 {
		*m.into = time.UnixMicro(us).UTC()
	}
	return nil
}
