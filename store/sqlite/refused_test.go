package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/flock"
)

// A database whose schema version contradicts its applied migrations is refused each time, and
// nothing is changed.
func TestSchemaThatDisagrees(t *testing.T) {
	path := newGolden(t, 1).copy(t)
	db := connect(path, writerParams, 1)
	if _, err := db.Exec(`PRAGMA user_version = 1`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	for range 2 {
		_, err := Open(t.Context(), path)
		if err == nil || !strings.Contains(err.Error(), fmt.Sprint("user_version says schema 1, but its migrations are at ", today)) || !strings.Contains(err.Error(), fmt.Sprint("PRAGMA user_version = ", today)) {
			t.Errorf("opened: %v", err)
		}
	}
	if made, _ := filepath.Glob(path + ".schema-*"); len(made) > 0 {
		t.Errorf("made %v", made)
	}
}

// Any user who may write to the database may lock it.
func TestLockIsShared(t *testing.T) {
	path := newGolden(t, 1).copy(t)
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path+lockEnding, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, err := lock(t.Context(), path, flock.Exclusive)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if info, err := os.Stat(path + lockEnding); err != nil || info.Mode().Perm() != 0o664 {
		t.Errorf("the lock is %v, %v", info.Mode(), err)
	}
}

// If the path is too long for SQLite, the error says so.
func TestLongPath(t *testing.T) {
	path := filepath.Join(t.TempDir(), strings.Repeat("d/", 250), "x.db")
	if _, err := Open(t.Context(), path); err == nil || !strings.Contains(err.Error(), "SQLite supports only 508: name a database elsewhere") {
		t.Errorf("opened: %v", err)
	}
}
