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

// A RebuildResult is the outcome of [Rebuild].
type RebuildResult struct {
	Path string
	Old  string // new path of the old database; "" if there was none
	Runs int    // number of runs in the new database
	Lost int    // number of damaged or unreadable runs in the old database
}

// Rebuild creates a new database from the readable part of the old one and from the data of earlier
// exchanges in this clone's git repository. It keeps the old database under a different name.
func Rebuild(ctx context.Context, a *workspace.Session) (done RebuildResult, err error) {
	d, err := a.Database(ctx)
	if err != nil {
		return done, err
	}
	if !d.IsFile() {
		return done, fault.Usagef("db rebuild %s: only a file can be rebuilt: `perftrack db verify --repair` mends summaries, "+
			"`perftrack db copy` copies the sound runs to a new database, and a backup has the others", d.Name)
	}
	done.Path = d.Path
	part := done.Path + ".rebuild"
	if err := removeDatabase(part); err != nil { // may have been left by a killed perftrack
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
			err = fmt.Errorf("%w: stop the other perftrack and try again", err)
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

// refill copies the records from the old database to db in their original order, and then adds the
// records from git.
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
		a.Noticef("the old database is unreadable: %v", err)
	case errors.Is(err, store.ErrForeign):
		return fault.Data(fmt.Errorf("%w: if perftrack created it, move it away and run `perftrack db rebuild` again", err))
	default: // the database has an unknown schema, for example, and must not be replaced
		return fault.IO(err)
	}
	if err := refillFromGit(ctx, a, db); err != nil {
		return err
	}
	infos, err := db.Runs(ctx, store.Filter{})
	done.Runs = len(infos)
	return err
}

// salvage copies the undamaged records from old to db. It returns only errors from db; errors from
// old are printed as notices.
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
	did := a.Counting("copying runs", len(infos))
	for _, info := range infos {
		if err := ctx.Err(); err != nil {
			return err
		}
		run, err := old.Get(ctx, info.ID)
		if err != nil {
			done.Lost++
			a.Noticef("run %s was not copied: %v", record.ShortHash(info.ID), err)
			continue
		}
		if _, _, err := db.Put(ctx, run); err != nil {
			return err
		}
		did()
	}
	return ctx.Err()
}

func noticeDamage(a *workspace.Session, what string, err error) {
	if err != nil {
		a.Noticef("the old database's %s are unreadable: %v", what, err)
	}
}

// refillFromGit copies the records from git to db, if there is a repository.
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
	err = s.storeReceived(ctx, mine, nil)
	s.noticeSkipped()
	return err
}
