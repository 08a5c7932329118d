package exchange

import (
	"context"
	"errors"
	"fmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// A CopyResult is the outcome of [Copy].
type CopyResult struct {
	To                           string // name of the database, without secrets
	Runs, Acceptances, Deletions int    // how many records were added
	Known                        int    // number of runs already in the database
}

// A batch of copied runs ends when it has one of these sizes. Each batch is one transaction.
const (
	batchRuns   = 100
	batchRounds = 100_000
)

// Copy copies all records from one database to another, in the order they were stored. Each
// database is named as for --db. Existing records of the second one stay as they are, so an
// interrupted copy may be repeated. Every run is compared with its id, the hash of its content.
// Damaged runs are left out: see [workspace.Session.Damaged].
func Copy(ctx context.Context, a *workspace.Session, from, to string) (done CopyResult, err error) {
	source, err := a.DatabaseNamed(ctx, from)
	if err != nil {
		return done, err
	}
	target, err := a.DatabaseNamed(ctx, to)
	if err != nil {
		return done, err
	}
	if source.Name == target.Name && source.Repository == target.Repository {
		return done, fault.Usagef("db copy: both databases are %s: name another one", source.Name)
	}
	old, err := a.OpenNamed(ctx, source)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	db, err := target.Open(ctx)
	if err != nil {
		return done, fault.IO(err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	c := copying{a, old, db, CopyResult{To: target.Name}}
	for _, part := range []func(context.Context) error{c.deletions, c.acceptances, c.runs} {
		if err := part(ctx); err != nil {
			return c.done, fault.IO(fmt.Errorf("%w (%d runs were copied: the same command continues)", err, c.done.Runs))
		}
	}
	return c.done, nil
}

type copying struct {
	session  *workspace.Session
	from, to *store.DB
	done     CopyResult
}

func (c *copying) deletions(ctx context.Context) error {
	deletions, err := c.from.Deletions(ctx)
	if err != nil {
		return err
	}
	before, err := c.to.Deletions(ctx)
	if err != nil {
		return err
	}
	for _, d := range deletions {
		if _, err := c.to.Delete(ctx, d); err != nil {
			return err
		}
	}
	after, err := c.to.Deletions(ctx)
	c.done.Deletions = len(after) - len(before)
	return err
}

func (c *copying) acceptances(ctx context.Context) error {
	acceptances, err := c.from.AcceptanceRecords(ctx, "")
	if err != nil {
		return err
	}
	for _, one := range acceptances {
		_, added, err := c.to.Accept(ctx, one)
		if err != nil {
			return err
		}
		if added {
			c.done.Acceptances++
		}
	}
	return nil
}

func (c *copying) runs(ctx context.Context) error {
	infos, err := c.from.Runs(ctx, store.Filter{})
	if err != nil {
		return err
	}
	stored, err := idsOf(ctx, c.to)
	if err != nil {
		return err
	}
	var batch []*record.Run
	rounds := 0
	for i, info := range infos {
		if stored[info.ID] {
			c.done.Known++
		} else {
			run, err := c.from.Get(ctx, info.ID)
			if errors.Is(err, store.ErrDamaged) {
				continue
			}
			if err == nil {
				err = checkID(info.ID, run)
			}
			if err != nil {
				return fmt.Errorf("copy store %s: %w", c.from.Path(), err)
			}
			batch, rounds = append(batch, run), rounds+info.Rounds
		}
		if len(batch) < batchRuns && rounds < batchRounds && i+1 < len(infos) {
			continue
		}
		if err := c.store(ctx, batch); err != nil {
			return err
		}
		batch, rounds = nil, 0
		if c.session.Reading != nil {
			c.session.Reading("copying runs", i+1, len(infos))
		}
	}
	return c.store(ctx, batch)
}

func (c *copying) store(ctx context.Context, batch []*record.Run) error {
	if len(batch) == 0 {
		return nil
	}
	n, err := c.to.PutAll(ctx, batch)
	c.done.Runs += n
	return err
}

func idsOf(ctx context.Context, db *store.DB) (map[string]bool, error) {
	infos, err := db.Runs(ctx, store.Filter{})
	ids := make(map[string]bool, len(infos))
	for _, info := range infos {
		ids[info.ID] = true
	}
	return ids, err
}
