package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/perftrack/perftrack/migrations"
	"github.com/perftrack/perftrack/store"
)

// A RestoreResult describes a restored database.
type RestoreResult struct {
	Runs      int
	Old       string          // path of the replaced database, or ""
	Migration store.Migration // how the schema of the backup was changed
}

// A FaultyError reports a backup not restored because it is damaged.
type FaultyError struct{ store.Verification }

func (e *FaultyError) Error() string {
	return fmt.Sprintf("%v: faults found: %d", store.ErrDamaged, len(e.Problems)+len(e.Summaries)+len(e.Bad))
}

// Unwrap returns [store.ErrDamaged].
func (e *FaultyError) Unwrap() error { return store.ErrDamaged }

// Restore replaces the database at path, which may be missing, with a copy of the backup at from,
// of any schema up to the latest. It first checks the entire backup: the error is a [*FaultyError]
// if it is damaged. The old database is kept, see [Replace]; without Force, the error is
// [fs.ErrExist] if there is one. The error is [store.ErrBusy] if another process has it open.
func Restore(ctx context.Context, path, from string, opt CopyOptions) (done RestoreResult, err error) {
	if path, err = realPath(path); err != nil {
		return done, fmt.Errorf("restore store: %w", err)
	}
	if err := checkReplaced(ctx, path, from, opt.Force); err != nil {
		return done, fmt.Errorf("restore store %s: %w", path, explain(err))
	}
	part, err := restorable(ctx, path, from, opt, &done)
	if err != nil {
		return done, fmt.Errorf("read backup %s: %w", from, explain(err))
	}
	defer removePart(part)
	if err := ctx.Err(); err != nil {
		return done, err
	}
	if err := checkReplaced(ctx, path, from, opt.Force); err != nil { // the database may have been created in the meantime
		return done, fmt.Errorf("restore store %s: %w", path, explain(err))
	}
	done.Old, err = Replace(ctx, path, part)
	return done, err
}

// checkReplaced returns an error if the database at path must not be replaced with the file from.
func checkReplaced(ctx context.Context, path, from string, force bool) error {
	latest, err := migrations.SQLite().Latest()
	if err != nil {
		return err
	}
	have, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if of, err := os.Stat(from); err == nil && os.SameFile(have, of) {
		return errors.New("the backup is the database itself")
	}
	_, _, err = inspect(ctx, path, latest)
	switch {
	case errors.Is(err, store.ErrForeign):
		return fmt.Errorf("%w: if it was perftrack's, move it away", err)
	case force, errors.Is(err, store.ErrNoDatabase): // whatever is wrong with the database, it is kept, or it is an empty file
		return nil
	}
	return fmt.Errorf("%w: replace it with --force, which keeps it under another name", fs.ErrExist)
}

// restorable makes a copy of the backup, with the latest schema, next to the database at path and
// checks it. A fault of the backup is also in the copy, because VACUUM copies indexes as they are.
func restorable(ctx context.Context, path, from string, opt CopyOptions, done *RestoreResult) (_ string, err error) {
	if from, err = realPath(from); err != nil {
		return "", err
	}
	if _, err := readHeader(from); err != nil {
		if errors.Is(err, store.ErrNoDatabase) {
			err = fmt.Errorf("%w: name a file that `perftrack db backup` made", fs.ErrNotExist)
		}
		return "", err
	}
	if err := MakeFolder(filepath.Dir(path)); err != nil {
		return "", err
	}
	part, err := newPart(path, from)
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			removePart(part)
		}
	}()
	if err := copyInto(ctx, from, part, opt.Progress); err != nil {
		if errors.Is(err, store.ErrNoDatabase) {
			err = fmt.Errorf("%w: the file is empty", store.ErrForeign)
		}
		return "", err
	}
	db, err := Open(ctx, part) // migrates it
	if err != nil {
		return "", err
	}
	v, err := db.VerifyReporting(ctx, func(done, of int) { opt.Progress("checking runs", done, of) })
	done.Runs, done.Migration = v.Runs, db.Migration()
	if err = errors.Join(err, db.Close()); err == nil && !v.OK() {
		err = &FaultyError{v}
	}
	if err != nil {
		return "", err
	}
	return part, syncPath(part)
}
