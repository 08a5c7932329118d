package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/perftrack/perftrack/migrations"
)

// migrate brings the database from schema have to the newest, after a backup
// of one that holds something. The caller has the lock.
func migrate(ctx context.Context, db *sql.DB, path string, have int, set migrations.Set) (backup string, err error) {
	if have > 0 {
		newest, err := migrations.Newest(ctx, db)
		if err != nil {
			return "", fmt.Errorf("read which migrations were applied: %w", err)
		}
		if newest != have { // nothing would be migrated, time and again
			return "", fmt.Errorf("its user_version says schema %d and its migrations say %d, somebody changed one of them: "+
				"sqlite3 %s 'PRAGMA user_version = %d' makes them agree", have, newest, path, newest)
		}
		if backup, err = backupBefore(ctx, db, path, have); err != nil {
			return "", fmt.Errorf("backup before migrating from schema %d: %w", have, err)
		}
	}
	if err := set.Up(ctx, db); err != nil {
		if backup != "" {
			return "", fmt.Errorf("%w (the database is as it was; %s is a copy of it)", err, backup)
		}
		return "", err
	}
	return backup, nil
}

// backupBefore copies the database to a new file beside it, which is there
// whole and on the disk, or not at all.
func backupBefore(ctx context.Context, db *sql.DB, path string, version int) (string, error) {
	to := fmt.Sprintf("%s.schema-%d", path, version)
	for n := 2; ; n++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			break
		} else if err != nil {
			return "", err
		}
		to = fmt.Sprintf("%s.schema-%d-%d", path, version, n)
	}
	part := to + ".part"
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a process that died
		return "", err
	}
	if _, err := db.ExecContext(context.WithoutCancel(ctx), `VACUUM INTO $1`, part); err != nil {
		_ = os.Remove(part)
		return "", err
	}
	if err := syncPath(part); err != nil {
		return "", err
	}
	if err := os.Rename(part, to); err != nil {
		return "", err
	}
	return to, syncPath(filepath.Dir(to))
}

// syncPath brings a file or a folder onto the disk.
func syncPath(path string) error {
	flag := os.O_RDONLY
	if runtime.GOOS == "windows" { // there only a file that is open for writing is brought there, and no folder
		if info, err := os.Stat(path); err != nil || info.IsDir() {
			return err
		}
		flag = os.O_RDWR
	}
	f, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
