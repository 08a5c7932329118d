package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/perftrack/perftrack/migrations"
)

// copyParams are the connection parameters for VACUUM INTO. It only reads the database but is
// refused on a connection with query_only.
const copyParams = "mode=ro&_busy_timeout=30000"

// CopyOptions says how to back up or restore a database.
type CopyOptions struct {
	Force bool // replace an existing file
	// Progress is called from time to time with the current step, and how much of it is done.
	Progress func(doing string, done, of int)
}

// A BackupResult describes a backup.
type BackupResult struct {
	Path  string // absolute
	Runs  int
	Bytes int64
}

// Backup copies the database at path, of any schema up to the latest, to the file at to. Other
// processes may read and write the database meanwhile. The copy holds a single state of the
// database, with every run whose Put had returned. A file exists at to only when the copy is
// complete and on disk. If Backup is killed, it leaves a file named after the copy and ending in
// .part- and a random suffix. A later Backup removes this file. The error is [fs.ErrExist] if there
// is a file at to.
func Backup(ctx context.Context, path, to string, opt CopyOptions) (done BackupResult, err error) {
	defer explainAs("back up store "+path, &err)
	if to, err = filepath.Abs(to); err != nil {
		return done, err
	}
	done.Path = to
	if path, err = realPath(path); err != nil {
		return done, err
	}
	if err := checkTarget(path, to, opt.Force); err != nil {
		return done, err
	}
	part, err := newPart(to, path)
	if err != nil {
		return done, err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part)
		}
	}()
	if err := copyInto(ctx, path, part, opt.Progress); err != nil {
		return done, err
	}
	if done.Runs, done.Bytes, err = contentOf(ctx, part); err != nil {
		return done, err
	}
	if err := syncPath(part); err != nil {
		return done, err
	}
	if err := ctx.Err(); err != nil {
		return done, err
	}
	if err := checkTarget(path, to, opt.Force); err != nil { // the file may have been created in the meantime
		return done, err
	}
	if err := os.Rename(part, to); err != nil {
		return done, err
	}
	return done, syncPath(filepath.Dir(to))
}

// checkTarget returns an error if a copy of the database at path must not get the name to.
func checkTarget(path, to string, force bool) error {
	have, err := os.Stat(to)
	if of, oerr := os.Stat(path); err == nil && oerr == nil && os.SameFile(have, of) {
		return fmt.Errorf("%s is the database itself: name another file", to)
	}
	for _, ending := range []string{"-wal", "-journal"} { // SQLite would apply it to the copy
		if _, err := os.Lstat(to + ending); err == nil {
			return fmt.Errorf("%s%s exists, so %s is a database in use: name another file", to, ending, to)
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case have.IsDir():
		return fmt.Errorf("%s is a directory: name a file in it", to)
	case !have.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file: name another file", to)
	case !force:
		return fmt.Errorf("%s: %w: name another file, or replace it with --force", to, fs.ErrExist)
	}
	return nil
}

// newPart creates an empty file next to to, with the permissions of the existing database at path.
func newPart(to, path string) (string, error) {
	of, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", errNoDatabase
	}
	if err != nil {
		return "", err
	}
	removeStale(to)
	f, err := os.CreateTemp(filepath.Dir(to), filepath.Base(to)+".part-*")
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%s: %w: make that folder first", filepath.Dir(to), fs.ErrNotExist)
	}
	if err != nil {
		return "", err
	}
	_ = f.Chmod(of.Mode().Perm()) // some file systems have no permissions
	return f.Name(), f.Close()
}

// staleAfter is the time without a write after which the writer of a part is considered dead.
const staleAfter = time.Hour

// removeStale removes the files left behind by killed backups to the same file.
func removeStale(to string) {
	parts, _ := filepath.Glob(escapeGlob(to) + ".part-*") // the pattern is well formed
	for _, part := range parts {
		if info, err := os.Lstat(part); err == nil && info.Mode().IsRegular() && time.Since(info.ModTime()) > staleAfter {
			_ = os.Remove(part)
		}
	}
}

// copyInto copies one state of the database at path to the empty file part.
func copyInto(ctx context.Context, path, part string, progress func(doing string, done, of int)) error {
	latest, err := migrations.SQLite().Latest()
	if err != nil {
		return err
	}
	_, params, err := inspect(ctx, path, latest)
	if err != nil {
		return err
	}
	unchanged, err := watchFor(path, params)
	if err != nil {
		return err
	}
	params = strings.Replace(params, readerParams, copyParams, 1)
	db := connect(path, params, 1)
	defer db.Close()
	defer watch(path, part, progress)()
	_, err = db.ExecContext(ctx, `VACUUM INTO $1`, part)
	if err == nil && unchanged != nil {
		err = unchanged()
	}
	return cmp.Or(ctx.Err(), err)
}

// watch calls progress from time to time until stop is called.
func watch(path, part string, progress func(doing string, done, of int)) (stop func()) {
	ended, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		for {
			select {
			case <-ended:
				return
			case <-time.After(100 * time.Millisecond):
			}
			have, err := os.Stat(part)
			of, oerr := os.Stat(path)
			if err == nil && oerr == nil {
				progress("copying MiB", int(have.Size()>>20), int(max(have.Size(), of.Size())>>20))
			}
		}
	}()
	return func() {
		close(ended)
		<-gone
	}
}

// contentOf returns the number of runs in a closed database and the size of its file.
func contentOf(ctx context.Context, path string) (runs int, bytes int64, err error) {
	db := connect(path, immutableParams, 1)
	defer db.Close()
	err = db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM runs), page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(&runs, &bytes)
	return runs, bytes, err
}

// removePart removes an unfinished database and the files SQLite and a migration have left next to
// it.
func removePart(part string) {
	_ = os.Remove(part)
	for _, separator := range []string{"-", "."} {
		files, _ := filepath.Glob(escapeGlob(part+separator) + "*") // the pattern is well formed
		for _, file := range files {
			_ = os.Remove(file)
		}
	}
}

// escapeGlob returns a pattern matching only path.
func escapeGlob(path string) string {
	if runtime.GOOS == "windows" { // has no escape character in patterns, and its names have no * and ?
		return path
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
