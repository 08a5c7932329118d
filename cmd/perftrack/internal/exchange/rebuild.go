package exchange

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

// A RebuildResult says what [Rebuild] did.
type RebuildResult struct {
	Path string
	Old  string // where the old database is now; "" when there was none
	Runs int    // in the new one
	Lost int    // of the old one, which could not be read or are not what was stored
}

// Rebuild makes a new database from what can be read of the old one and from what this clone
// keeps in git of earlier exchanges. The old one is kept beside it.
func Rebuild(ctx context.Context, a *workspace.Session) (done RebuildResult, err error) {
	if done.Path, err = a.DatabasePath(ctx); err != nil {
		return done, err
	}
	part := done.Path + ".rebuild"
	if err := removeDatabase(part); err != nil { // of a perftrack that was killed
		return done, fault.IO(err)
	}
	db, err := sqlite.Open(ctx, part)
	if err != nil {
		return done, fault.IO(err)
	}
	err = refill(ctx, a, db, &done)
	if err = errors.Join(err, db.Close()); err != nil {
		return done, errors.Join(err, removeDatabase(part))
	}
	if done.Old, err = sqlite.Replace(ctx, done.Path, part); err != nil {
		if errors.Is(err, store.ErrBusy) {
			err = fmt.Errorf("%w: end the other perftrack and try again", err)
		}
		return done, errors.Join(fault.IO(err), removeDatabase(part))
	}
	return done, nil
}

func removeDatabase(path string) error {
	var errs []error
	for _, ending := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		if err := os.Remove(path + ending); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// refill stores what the old database has, in its order, and then what git has.
func refill(ctx context.Context, a *workspace.Session, db *store.DB, done *RebuildResult) error {
	old, err := sqlite.OpenReadOnly(ctx, done.Path)
	switch {
	case errors.Is(err, store.ErrNoDatabase):
	case err == nil:
		old.Salvage()
		err = errors.Join(salvage(ctx, a, old, db, done), old.Close())
		if err != nil {
			return err
		}
	case errors.Is(err, store.ErrDamaged):
		a.Noticef("nothing can be read of the old database: %v", err)
	case errors.Is(err, store.ErrForeign):
		return fault.Data(fmt.Errorf("%w: if it was perftrack's, move it away and run `perftrack db rebuild` again", err))
	default: // of another schema, not readable: not for us to replace
		return fault.IO(err)
	}
	if err := refillFromGit(ctx, a, db); err != nil {
		return err
	}
	infos, err := db.Runs(ctx, store.Filter{})
	done.Runs = len(infos)
	return err
}

// salvage copies what can be read and is what was stored. An error is one of the new
// database; what is wrong with the old one is noticed and left behind.
func salvage(ctx context.Context, a *workspace.Session, old, db *store.DB, done *RebuildResult) error {
	deletions, err := old.Deletions(ctx)
	noticeDamage(a, "deletions", err)
	for _, d := range deletions {
		if _, err := db.Delete(ctx, d); err != nil {
			return err
		}
	}
	acceptances, err := old.AcceptanceRecords(ctx, "")
	noticeDamage(a, "accepted changes", err)
	for _, one := range acceptances {
		if _, _, err := db.Accept(ctx, one); err != nil {
			return err
		}
	}
	infos, err := old.Runs(ctx, store.Filter{})
	noticeDamage(a, "runs", err)
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return err
		}
		run, err := old.Get(ctx, info.ID)
		if err != nil {
			done.Lost++
			a.Noticef("run %s is left behind: %v", record.ShortHash(info.ID), err)
			continue
		}
		if _, _, err := db.Put(ctx, run); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func noticeDamage(a *workspace.Session, what string, err error) {
	if err != nil {
		a.Noticef("the %s of the old database cannot be read: %v", what, err)
	}
}

// refillFromGit stores what this clone keeps in git, if it is one.
func refillFromGit(ctx context.Context, a *workspace.Session, db *store.DB) error {
	where, err := a.Locate(ctx)
	if err != nil || where.Repo == nil {
		return err
	}
	s := newSyncer(a, where.Repo, SyncOptions{})
	s.db = db
	if err := s.readKnown(ctx); err != nil {
		return err
	}
	mine, err := s.clone.List(ctx)
	if err != nil {
		return fault.Git(err)
	}
	if err := s.listFiles(ctx, mine); err != nil {
		return err
	}
	err = s.storeReceived(ctx, nil)
	s.noticeSkipped()
	return err
}
