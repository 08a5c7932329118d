package jobs

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivershared/riverpilot"
	"github.com/riverqueue/river/rivertype"

	"github.com/perftrack/perftrack/fleet/database"
)

// A Fence keeps a worker from changing a job that another worker has claimed in the meantime.
//
// River changes the state of a job if it is running, no matter whose attempt runs: a worker that
// was stopped for longer than its lease would complete the attempt of its successor. The fence
// stands between River and its driver, and compares the attempt in the transaction that changes the
// state.
type Fence struct {
	rest
	riverpilot.StandardPilot
	db     *database.DB
	client string
	limit  int // jobs in flight a repository, 0 for any number

	mu     sync.Mutex
	claims map[int64]*claim
}

type claim struct {
	attempt int
	ended   bool // the worker has returned, and River has only to store the state
}

// NewFence returns the fence of a client. A repository has at most limit jobs in flight; 0 means any
// number.
func NewFence(d *database.DB, client string, limit int) *Fence {
	return &Fence{db: d, client: client, limit: limit, claims: map[int64]*claim{}}
}

// JobGetAvailable claims jobs, and remembers their attempts.
func (f *Fence) JobGetAvailable(
	ctx context.Context, exec riverdriver.Executor, state riverpilot.ProducerState, params *riverdriver.JobGetAvailableParams,
) (*riverdriver.JobGetAvailableResult, error) {
	if params.Queue != DecideQueue && f.rests() {
		return &riverdriver.JobGetAvailableResult{}, nil
	}
	get := f.StandardPilot.JobGetAvailable
	if f.limit > 0 && params.Queue != DecideQueue {
		get = f.getWithinLimit
	}
	result, err := get(ctx, exec, state, params)
	if err == nil {
		f.mu.Lock()
		for _, job := range result.Jobs {
			f.claims[job.ID] = &claim{attempt: job.Attempt}
		}
		f.mu.Unlock()
	}
	return result, err
}

// JobSetStateIfRunningMany changes the state of those jobs that are still claimed by this client.
func (f *Fence) JobSetStateIfRunningMany(
	ctx context.Context, exec riverdriver.Executor, params *riverdriver.JobSetStateIfRunningManyParams,
) ([]*rivertype.JobRow, error) {
	if tx, ok := exec.(riverdriver.ExecutorTx); ok {
		return f.setState(ctx, tx, params)
	}
	tx, err := exec.Begin(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := f.setState(ctx, tx, params)
	if err != nil {
		return nil, errors.Join(err, tx.Rollback(ctx))
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range params.ID {
		if c := f.claims[id]; c != nil && c.ended {
			delete(f.claims, id)
		}
	}
	return rows, nil
}

func (f *Fence) setState(
	ctx context.Context, tx riverdriver.ExecutorTx, params *riverdriver.JobSetStateIfRunningManyParams,
) ([]*rivertype.JobRow, error) {
	held := *params
	for i := len(held.ID) - 1; i >= 0; i-- {
		ok, err := f.held(ctx, tx, held.ID[i])
		if err != nil {
			return nil, err
		}
		if ok {
			continue
		}
		held.ID, held.Attempt = without(held.ID, i), without(held.Attempt, i)
		held.ErrData, held.FinalizedAt = without(held.ErrData, i), without(held.FinalizedAt, i)
		held.MetadataDoMerge, held.MetadataUpdates = without(held.MetadataDoMerge, i), without(held.MetadataUpdates, i)
		held.ScheduledAt, held.State = without(held.ScheduledAt, i), without(held.State, i)
	}
	if len(held.ID) == 0 {
		return nil, nil
	}
	return f.StandardPilot.JobSetStateIfRunningMany(ctx, tx, &held)
}

func without[T any](s []T, i int) []T { return slices.Concat(s[:i], s[i+1:]) }

// held reports whether a job is still running as the attempt that this client claimed, and locks
// it.
func (f *Fence) held(ctx context.Context, tx riverdriver.ExecutorTx, id int64) (bool, error) {
	f.mu.Lock()
	c := f.claims[id]
	f.mu.Unlock()
	if c == nil {
		return false, nil
	}
	var attempt int
	var client string
	query := f.db.SQL(`SELECT attempt, {claimed_by} FROM river_job WHERE id = ? AND state = 'running' {lock}`)
	err := tx.QueryRow(ctx, query, id).Scan(&attempt, &client)
	if errors.Is(err, sql.ErrNoRows) || errors.Is(err, rivertype.ErrNotFound) {
		return false, nil
	}
	return err == nil && attempt == c.attempt && client == f.client, err
}

// Ended tells the fence that the worker has returned from a job.
func (f *Fence) Ended(id int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if c := f.claims[id]; c != nil {
		c.ended = true
	}
}

// Idle reports whether this client neither works on a job nor has to store its state.
func (f *Fence) Idle() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.claims) == 0
}

// Claimed reports whether this client works on a job, or has still to store its state.
func (f *Fence) Claimed(id int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.claims[id] != nil
}

// Set changes the state of a job in a transaction. It returns rivertype.ErrNotFound if the job is
// no longer claimed by this client.
func (f *Fence) Set(ctx context.Context, tx *sql.Tx, p *riverdriver.JobSetStateIfRunningParams) error {
	rows, err := f.setState(ctx, f.db.Driver().UnwrapExecutor(tx), &riverdriver.JobSetStateIfRunningManyParams{
		ID: []int64{p.ID}, Attempt: []*int{p.Attempt}, ErrData: [][]byte{p.ErrData}, FinalizedAt: []*time.Time{p.FinalizedAt},
		MetadataDoMerge: []bool{false}, MetadataUpdates: [][]byte{nil}, ScheduledAt: []*time.Time{p.ScheduledAt},
		State: []rivertype.JobState{p.State},
	})
	if err == nil && len(rows) == 0 {
		err = rivertype.ErrNotFound
	}
	return err
}
