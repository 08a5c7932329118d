package exchangetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

// The database is rebuilt from its undamaged runs and from git, and the old database is kept.
func TestRebuild(t *testing.T) {
	tm := NewTeam(t, 1)
	a := tm.Apps[0]
	shared := tm.Add(a, tm.RunAt("a", 3), tm.RunAt("b", 2))
	tm.Sync(a, exchange.SyncOptions{})
	own := tm.Add(a, tm.RunAt("own", 1), tm.RunAt("damaged", 1))
	path := filepath.Join(a.Dir, ".perftrack", "perftrack.db")
	damage(t, path, own[1], shared[0])
	done, err := exchange.Rebuild(context.Background(), a)
	if err != nil || done.Runs != 3 || done.Lost != 2 || done.Old == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	tm.want(a, shared[0], shared[1], own[0])
	if _, err := os.Stat(done.Old); err != nil {
		t.Error(err)
	}
	// Rebuild from git alone, when the file is no longer a database.
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := 4096; i < len(text); i++ {
		text[i] = 0xff
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if done, err = exchange.Rebuild(context.Background(), a); err != nil || done.Runs != 2 {
		t.Fatalf("%+v, %v", done, err)
	}
	tm.want(a, shared...)
	if left, err := filepath.Glob(path + ".rebuild*"); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	// Rebuild refuses while another process uses the database, and never replaces a foreign file.
	db, err := sqlite.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := exchange.Rebuild(context.Background(), a); !errors.Is(err, store.ErrBusy) {
		t.Errorf("in use: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	tm.want(a, shared...)
	a.DB = filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(a.DB, []byte("a note to myself"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := exchange.Rebuild(context.Background(), a); !errors.Is(err, store.ErrForeign) {
		t.Errorf("a foreign file: %v", err)
	}
	if text, err := os.ReadFile(a.DB); err != nil || string(text) != "a note to myself" {
		t.Errorf("the foreign file is %q, %v", text, err)
	}
	if err := os.Remove(a.DB); err != nil {
		t.Fatal(err)
	}
	if done, err := exchange.Rebuild(context.Background(), a); err != nil || done.Runs != 2 || done.Old != "" {
		t.Errorf("from nothing: %+v, %v", done, err)
	}
	if _, err := os.Stat(a.DB + ".old-1"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// damage changes samples of each given run in the database file.
func damage(t *testing.T, path string, ids ...string) {
	t.Helper()
	tool, err := exec.LookPath("sqlite3")
	if err != nil {
		t.Skip("no sqlite3 here: ", err)
	}
	for _, id := range ids {
		out, err := exec.Command(tool, path, fmt.Sprintf(`UPDATE results SET digest = 7 WHERE run_id = (SELECT id FROM runs WHERE uid = '%s')`, id)).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
}
