package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// quietly prints no progress. overwriting also replaces an existing file.
var (
	quietly     = CopyOptions{Progress: func(string, int, int) {}}
	overwriting = CopyOptions{Progress: quietly.Progress, Force: true}
)

// beside returns the names of the files in the folder of a file.
func beside(t *testing.T, path string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// A backup is a complete database with the runs and the permissions of the original.
func TestBackup(t *testing.T) {
	g := newGolden(t, 3)
	path := g.copy(t)
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "a [b]*.db")
	done, err := Backup(t.Context(), path, to, quietly)
	if err != nil || done.Runs != 3 || done.Path != to {
		t.Fatalf("%+v, %v", done, err)
	}
	info, err := os.Stat(to)
	if err != nil || info.Mode().Perm() != 0o640 || info.Size() != done.Bytes {
		t.Errorf("%v of %d bytes, want %d: %v", info.Mode(), info.Size(), done.Bytes, err)
	}
	if names := beside(t, to); !slices.Equal(names, []string{filepath.Base(to)}) {
		t.Errorf("left %v", names)
	}
	g.check(t, to, defaults())
}

// Backup does not migrate an older schema.
func TestBackupOfOldSchema(t *testing.T) {
	path := oldDatabase(t, today-1)
	to := filepath.Join(t.TempDir(), "old.db")
	if done, err := Backup(t.Context(), path, to, quietly); err != nil || done.Runs != 1 {
		t.Fatalf("%+v, %v", done, err)
	}
	if v, _, err := inspect(t.Context(), to, today); v != today-1 || err != nil {
		t.Errorf("schema %d, %v", v, err)
	}
}

// Backup refuses to replace a file without Force, or anything but a plain file, and leaves nothing
// behind.
func TestBackupRefuses(t *testing.T) {
	g := newGolden(t, 1)
	path := g.copy(t)
	dir := t.TempDir()
	there, used, foreign := filepath.Join(dir, "there.db"), filepath.Join(dir, "used.db"), filepath.Join(dir, "foreign.db")
	for _, name := range []string{there, used, used + "-wal", foreign} {
		if err := os.WriteFile(name, []byte("text"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(dir, "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	before := beside(t, there)
	for _, tt := range []struct {
		path, to, want string
		opt            CopyOptions
	}{
		{path, there, "file already exists: name another file, or replace it with --force", quietly},
		{path, path, "is the database itself", overwriting},
		{path, link, "is the database itself", overwriting},
		{path, used, "is a database in use", overwriting},
		{path, dir, "is a directory: name a file in it", overwriting},
		{path, os.DevNull, "not a regular file", overwriting},
		{path, filepath.Join(dir, "no", "x.db"), "make that folder first", overwriting},
		{path, filepath.Join(there, "x.db"), "not a directory", overwriting},
		{filepath.Join(dir, "none.db"), filepath.Join(dir, "new.db"), "no database here", quietly},
		{foreign, filepath.Join(dir, "new.db"), "not a perftrack database", quietly},
		{dir, filepath.Join(dir, "new.db"), "not a perftrack database", quietly},
	} {
		if _, err := Backup(t.Context(), tt.path, tt.to, tt.opt); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s to %s: %v, want %q", tt.path, tt.to, err, tt.want)
		}
	}
	if after := beside(t, there); !slices.Equal(after, before) {
		t.Errorf("%v became %v", before, after)
	}
	if done, err := Backup(t.Context(), path, there, overwriting); err != nil || done.Runs != 1 {
		t.Errorf("with force: %+v, %v", done, err)
	}
	g.check(t, there, defaults())
}

// A cancelled backup leaves the file as it was.
func TestBackupCancelled(t *testing.T) {
	path := newGolden(t, 3).copy(t)
	to := filepath.Join(t.TempDir(), "b.db")
	if err := os.WriteFile(to, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Backup(ctx, path, to, overwriting); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if text, err := os.ReadFile(to); string(text) != "old" || len(beside(t, to)) != 1 {
		t.Errorf("%q, %v, %v", text, err, beside(t, to))
	}
}

// A later backup removes the old files of a killed backup, and nothing else.
func TestBackupRemovesStaleParts(t *testing.T) {
	path := newGolden(t, 1).copy(t)
	to := filepath.Join(t.TempDir(), "b.db")
	ago := time.Now().Add(-2 * staleAfter)
	for _, name := range []string{"b.db.part-1", "b.db.part-2", "b.db.old-1", "c.db.part-1"} {
		name = filepath.Join(filepath.Dir(to), name)
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(name, "2") {
			if err := os.Chtimes(name, ago, ago); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := Backup(t.Context(), path, to, quietly); err != nil {
		t.Fatal(err)
	}
	if got, want := beside(t, to), []string{"b.db", "b.db.old-1", "b.db.part-2", "c.db.part-1"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Restore turns a backup into a database, even if there is no old database or the backup has an
// older schema. It keeps the old database and does not modify the backup.
func TestRestore(t *testing.T) {
	g := newGolden(t, 3)
	from := g.copy(t)
	before := fingerprint(t, from)
	path := filepath.Join(t.TempDir(), "new", "perftrack.db")
	done, err := Restore(t.Context(), path, from, quietly)
	if err != nil || done.Runs != 3 || done.Old != "" || done.Migration.From != today {
		t.Fatalf("%+v, %v", done, err)
	}
	if names := beside(t, path); !slices.Equal(names, []string{"perftrack.db", "perftrack.db.lock"}) {
		t.Errorf("left %v", names)
	}
	g.check(t, path, defaults()).Close()
	if _, err := Restore(t.Context(), path, from, quietly); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a database: %v", err)
	}
	old := oldDatabase(t, today-1)
	done, err = Restore(t.Context(), path, old, overwriting)
	if err != nil || done.Runs != 1 || done.Migration.From != today-1 || done.Migration.To != today {
		t.Fatalf("%+v, %v", done, err)
	}
	g.check(t, done.Old, defaults())
	if v, _, err := inspect(t.Context(), old, today); v != today-1 || err != nil {
		t.Errorf("the backup has schema %d, %v", v, err)
	}
	if fingerprint(t, from) != before {
		t.Error("the backup was changed")
	}
	if parts, _ := filepath.Glob(path + ".part-*"); len(parts) > 0 {
		t.Errorf("left %v", parts)
	}
}

// Restore refuses anything but a sound backup, and then changes nothing.
func TestRestoreRefuses(t *testing.T) {
	g := newGolden(t, 3)
	path := g.copy(t)
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	altered := write("altered.db", g.data)
	hurt := connect(altered, writerParams, 1)
	if _, err := hurt.Exec(`UPDATE results SET orders = x'0100000000000000' WHERE run_id = 2 AND benchmark_id = 1`); err != nil {
		t.Fatal(err)
	}
	hurt.Close()
	lost := write("lost.db", g.data)
	hurt = connect(lost, writerParams, 1)
	if _, err := hurt.Exec(`DELETE FROM runs WHERE id = 3`); err != nil {
		t.Fatal(err)
	}
	hurt.Close()
	newer := write("newer.db", g.data)
	hurt = connect(newer, writerParams, 1)
	if _, err := hurt.Exec(`PRAGMA user_version = 99`); err != nil {
		t.Fatal(err)
	}
	hurt.Close()
	before := []string{"perftrack.db", "perftrack.db-shm", "perftrack.db-wal"} // inspect opens it
	for _, tt := range []struct{ from, want string }{
		{altered, "the database is damaged: faults found: 1"},
		{lost, "the database is damaged: faults found: 4"},
		{write("cut.db", g.data[:len(g.data)/4096/2*4096]), "damaged"},
		{newer, "upgrade perftrack"},
		{write("empty.db", nil), "the file is empty"},
		{write("text.db", []byte("text")), "not a SQLite file"},
		{dir, "not a regular file"},
		{filepath.Join(dir, "none.db"), "name a file that"},
		{path, "the backup is the database itself"},
	} {
		if _, err := Restore(t.Context(), path, tt.from, overwriting); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.from, err, tt.want)
		}
	}
	if after := beside(t, path); !slices.Equal(after, before) {
		t.Errorf("%v became %v", before, after)
	}
	g.check(t, path, defaults())
	if _, err := Restore(t.Context(), filepath.Join(dir, "text.db"), path, overwriting); !errors.Is(err, store.ErrForeign) {
		t.Errorf("over a text: %v", err)
	}
}

// A backup that lost a row without a digest is refused, because SQLite finds the row in an index.
func TestRestoreFindsLostRow(t *testing.T) {
	path := newGolden(t, 1).copy(t)
	db := openAt(t, path)
	for i := range 2 {
		_, _, err := db.Accept(t.Context(), record.Acceptance{Target: "engine", Benchmark: "X", Commit: strings.Repeat("c", 40), Reason: "r", Time: time.Unix(int64(i), 0)})
		if err != nil {
			t.Fatal(err)
		}
	}
	db.Close()
	raw := connect(path, readerParams, 1)
	var root int
	if err := raw.QueryRow(`SELECT rootpage FROM sqlite_schema WHERE name = 'acceptances'`).Scan(&root); err != nil {
		t.Fatal(err)
	}
	raw.Close()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	count := &data[(root-1)*4096+4] // low byte of the number of rows in the page
	if *count != 2 {
		t.Fatalf("%d rows", *count)
	}
	*count--
	from := filepath.Join(t.TempDir(), "b.db")
	if err := os.WriteFile(from, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), filepath.Join(t.TempDir(), "p.db"), from, quietly); !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
}

// Restore refuses while another process has the database open.
func TestRestoreIntoUse(t *testing.T) {
	g := newGolden(t, 3)
	from, path := g.copy(t), g.copy(t)
	db := openAt(t, path)
	if _, err := Restore(t.Context(), path, from, overwriting); !errors.Is(err, store.ErrBusy) {
		t.Fatalf("%v, want ErrBusy", err)
	}
	if storetest.Export(t, db) != g.export {
		t.Error("the runs are not the same")
	}
	db.Close()
	if done, err := Restore(t.Context(), path, from, overwriting); err != nil || done.Old == "" {
		t.Errorf("afterwards: %+v, %v", done, err)
	}
}
