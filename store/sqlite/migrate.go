package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/perftrack/perftrack/migrations"
)

// migrate migrates the database from schema have to the latest schema. Unless the database is
// empty, migrate first makes a backup and returns its path. The caller must hold the lock.
func migrate(ctx context.Context, db *sql.DB, path string, have int, set migrations.Set) (backup string, err error) {
	if have > 0 {
		newest, err := set.Newest(ctx, db)
		if err != nil {
			return "", fmt.Errorf("read applied migrations: %w", err)
		}
		if newest != have { // otherwise every Open would try to migrate, without any effect
			return "", fmt.Errorf("its user_version says schema %d, but its migrations are at %d, so one of them was changed: "+
				"to make them agree, run sqlite3 %s 'PRAGMA user_version = %d'", have, newest, path, newest)
		}
		if backup, err = backupBefore(ctx, db, path, have); err != nil {
			return "", fmt.Errorf("backup before migrating from schema %d: %w", have, err)
		}
	}
	if err := set.Up(ctx, db); err != nil {
		if backup != "" {
			return "", fmt.Errorf("%w (the database is unchanged; %s is a copy of it)", err, backup)
		}
		return "", err
	}
	return backup, nil
}

// backupBefore copies the database to a new file next to it and returns the path of the copy. The
// copy gets its name only when it is complete and on disk.
func backupBefore(ctx context.Context, db *sql.DB, path string, version int) (string, error) {
	to := fmt.Sprintf("%s.schema-%d", path, version)
	for n := 2; exists(to); n++ {
		to = fmt.Sprintf("%s.schema-%d-%d", path, version, n)
	}
	part := to + ".part"
	_ = os.Remove(part) // may have been left behind by a process that died
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

// syncPath flushes a file or directory to disk.
func syncPath(path string) error {
	flag := os.O_RDONLY
	if runtime.GOOS == "windows" { // Windows can sync only files open for writing, and no directories
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
