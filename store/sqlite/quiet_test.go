package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/store"
)

// startWithoutRights runs a child without write access to the directory of path, even if this
// process is root, and waits until it has ended.
func startWithoutRights(t *testing.T, role, path, label string) *child {
	t.Helper()
	for dir := filepath.Dir(path); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(path), 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o755) })
	c := newChild(role, path, label, 0)
	if os.Geteuid() == 0 {
		binary := filepath.Join(t.TempDir(), "test") // go test's own binary is in a directory owned by root
		data, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(binary, data, 0o755); err != nil {
			t.Fatal(err)
		}
		for dir := filepath.Dir(binary); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		const nobody = 65534
		c.Path = binary
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if err := c.Start(); err != nil {
		t.Skip("no process without rights here: ", err)
	}
	_ = c.Wait()
	return c
}

// A closed database can be read without write access to its directory. If there is a log, the error
// says what to do.
func TestUnwritableFolder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	ids := fill(t, path, 3)
	if c := startWithoutRights(t, "list", path, ""); c.err.Len() > 0 || c.out.String() != strings.Join(ids, "\n")+"\n" {
		t.Errorf("%s%s\nwant\n%s", c.out.String(), c.err.String(), strings.Join(ids, "\n"))
	}
	if err := os.Chmod(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db := openAt(t, path)
	if _, _, err := db.Put(context.Background(), sample("log", 1)); err != nil {
		t.Fatal(err)
	}
	// Make a copy as after a crash, without the shared memory of the writer.
	crashed := filepath.Join(t.TempDir(), "perftrack.db")
	for _, ending := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + ending)
		if err != nil || len(data) == 0 {
			t.Fatalf("%d bytes, %v", len(data), err)
		}
		if err := os.WriteFile(crashed+ending, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if c := startWithoutRights(t, "list", crashed, ""); !strings.Contains(c.err.String(), "copy the database with its -wal file") || c.out.Len() > 0 {
		t.Errorf("with a log: %s%s", c.out.String(), c.err.String())
	}
}

// Data read without locks is refused if another process has written in the meantime.
func TestWrittenMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 3)
	state, ok := stateOf(path)
	if !ok || state.unchanged(path) != nil {
		t.Fatal("a closed database is not quiet")
	}
	db := openAt(t, path)
	if _, _, err := db.Put(context.Background(), sample("written", 1)); err != nil {
		t.Fatal(err)
	}
	if err := state.unchanged(path); !errors.Is(err, errWritten) {
		t.Errorf("with a run in the log: %v", err)
	}
	db.Close()
	if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := state.unchanged(path); !errors.Is(err, errWritten) {
		t.Errorf("with a run in the file: %v", err)
	}
}

// If the first page was torn during a transaction, it is restored from the journal.
func TestTornFirstPage(t *testing.T) {
	// The transaction changes the version, on the first page, so the journal contains that page.
	crashed, want := crash(t, `PRAGMA user_version = 77; UPDATE results SET samples = x'0000000000000000'`)
	copyTorn := func() string { return crashed(func(file []byte) { clear(file[:512]) }) }
	isTakenBack(t, copyTorn, want)
	torn := copyTorn()
	if c := startWithoutRights(t, "list", torn, ""); !strings.Contains(c.err.String(), "copy the database with its -journal file") {
		t.Errorf("where nothing can be written: %s%s", c.out.String(), c.err.String())
	}
	torn = copyTorn()
	if err := os.Remove(torn + "-journal"); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(context.Background(), torn); !errors.Is(err, store.ErrForeign) {
		t.Errorf("without the journal: %v", err)
	}
}
