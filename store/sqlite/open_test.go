package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// fill stores n runs in the database at path and returns their ids.
func fill(t testing.TB, path string, n int) []string {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i := range n {
		id, _, err := db.Put(context.Background(), storetest.Plain(strings.Repeat("a", 40), i, 3))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return ids
}

// A database may have any name, and no part of a name is interpreted as an option.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b.db", "a?mode=memory.db", "a#b.db", "100%.db", "%41.db", "a&_txlock=x;'\".db", "ä\x01\u2028.db", "file:x.db"} {
		path := filepath.Join(t.TempDir(), name, name)
		fill(t, path, 1)
		db, err := OpenReadOnly(context.Background(), path)
		if err != nil {
			t.Errorf("%q: %v", name, err)
			continue
		}
		infos, err := db.Runs(context.Background(), store.Filter{})
		db.Close()
		if err != nil || len(infos) != 1 {
			t.Errorf("%q: %d runs, %v", name, len(infos), err)
		}
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%q: not at its path: %v", name, err)
		}
	}
}

func TestFolder(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, ".perftrack", "perftrack.db")
	fill(t, path, 1)
	if text, err := os.ReadFile(filepath.Join(root, ".perftrack", ".gitignore")); string(text) != "*\n" {
		t.Errorf(".gitignore %q, %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(root, ".perftrack", ".gitignore"), []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(root, "other", "perftrack.db")
	fill(t, path, 2)
	fill(t, other, 1)
	if text, err := os.ReadFile(filepath.Join(root, ".perftrack", ".gitignore")); string(text) != "mine" {
		t.Errorf(".gitignore of the user became %q, %v", text, err)
	}
	if _, err := os.Stat(filepath.Join(root, "other", ".gitignore")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not perftrack's hides itself: %v", err)
	}
}

func TestReadOnly(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	path := filepath.Join(dir, "perftrack.db")
	if _, err := OpenReadOnly(ctx, path); !errors.Is(err, store.ErrNoDatabase) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "perftrack run") {
		t.Errorf("no database: %v", err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("reading made %v", files)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenReadOnly(ctx, path); !errors.Is(err, store.ErrNoDatabase) {
		t.Errorf("empty file: %v", err)
	}
	ids := fill(t, path, 1)
	db, err := OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Get(ctx, ids[0]); err != nil {
		t.Error(err)
	}
	if _, _, err := db.Put(ctx, storetest.Plain("", 1, 1)); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("Put: %v", err)
	}
}

// A symbolic link leads to the same database with the same lock and the same log.
func TestSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "perftrack.db"), filepath.Join(dir, "link.db")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(context.Background(), link); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("link to nowhere: %v", err)
	}
	ids := fill(t, path, 1)
	if _, err := openAt(t, link).Get(context.Background(), ids[0]); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(link + ".lock"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the link has a lock of its own: %v", err)
	}
	loop := filepath.Join(dir, "loop.db")
	os.Symlink(loop, loop)
	if _, err := Open(context.Background(), loop); err == nil {
		t.Error("opened a loop of links")
	}
}

// All connections of a pool have the pragmas. If a statement set them, it would affect only one
// connection.
func TestPragmasOnEveryConnection(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	b, err := open(ctx, path, defaults())
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	writer := map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "30000", "query_only": "0",
		"trusted_schema": "0", "cell_size_check": "1", "mmap_size": "0",
	}
	reader := map[string]string{"journal_mode": "wal", "foreign_keys": "1", "busy_timeout": "30000", "query_only": "1", "trusted_schema": "0", "cell_size_check": "1"}
	for range maxReaders { // all are held at once, so each connection is a new one
		conn, err := b.reader.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		checkPragmas(t, conn, reader)
		if _, err := conn.ExecContext(ctx, `PRAGMA query_only = 0; DELETE FROM runs`); err == nil {
			t.Error("a reader can write")
		}
	}
	conn, err := b.writer.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	checkPragmas(t, conn, writer)

	// The control: a pragma set by a statement does not affect all connections.
	pool := connect(path, "", 4)
	defer pool.Close()
	if _, err := pool.Exec(`PRAGMA foreign_keys = ON`); err != nil {
		t.Fatal(err)
	}
	without := 0
	for range 4 {
		conn, err := pool.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if readPragma(t, conn, "foreign_keys") == "0" {
			without++
		}
	}
	if without == 0 {
		t.Error("a statement reached every connection: this test sees nothing")
	}
}

func checkPragmas(t *testing.T, conn *sql.Conn, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got := readPragma(t, conn, name); got != value && !(name == "mmap_size" && got == "") {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
}

func readPragma(t *testing.T, conn *sql.Conn, name string) (value string) {
	t.Helper()
	if err := conn.QueryRowContext(context.Background(), `PRAGMA `+name).Scan(&value); err != nil && err != sql.ErrNoRows {
		t.Fatalf("%s: %v", name, err)
	}
	return value
}

// Close leaves a database file that is complete without its log, even while an idle process has the
// database open.
func TestCopyAfterClose(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "perftrack.db")
	fill(t, path, 0)
	idle := connect(path, readerParams, 1)
	defer idle.Close()
	if err := idle.Ping(); err != nil {
		t.Fatal(err)
	}
	ids := fill(t, path, 20)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// Close does not empty the log, because it would have to block all other writers.
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() == 0 {
		t.Errorf("the log was emptied: %v", err)
	}
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(copied, data, 0o644); err != nil {
		t.Fatal(err)
	}
	infos, err := openAt(t, copied).Runs(context.Background(), store.Filter{})
	if err != nil || len(infos) != len(ids) {
		t.Errorf("%d runs in the copy, %v; want %d", len(infos), err, len(ids))
	}
}

// Files of other programs are recognized and refused, and are not touched.
func TestForeignFiles(t *testing.T) {
	ctx := context.Background()
	create := func(name string, statements ...string) string {
		path := filepath.Join(t.TempDir(), name)
		db := connect(path, "", 1)
		defer db.Close()
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	write := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, path string }{
		{"tables of another program", create("a.db", `CREATE TABLE t (a)`)},
		{"another application id", create("b.db", `PRAGMA application_id = 77; CREATE TABLE t (a)`)},
		{"another application id in WAL mode", create("c.db", `PRAGMA journal_mode = WAL; PRAGMA application_id = 77`)},
		{"version without an application", create("d.db", `PRAGMA user_version = 1; CREATE TABLE t (a)`)},
		{"our id without a version", create("e.db", `PRAGMA application_id = 0x50455246`)},
		{"text", write("f.db", "BenchmarkA 1 1 ns/op\n")},
		{"long text", write("g.db", strings.Repeat("BenchmarkA 1 1 ns/op\n", 100))},
		{"beginning of a database", write("h.db", "SQLite format 3\x00")},
		{"folder", t.TempDir()},
		{"pipe", fifo},
	} {
		before := fingerprint(t, tt.path)
		_, err := Open(ctx, tt.path)
		_, rerr := OpenReadOnly(ctx, tt.path)
		if !errors.Is(err, store.ErrForeign) || !errors.Is(rerr, store.ErrForeign) {
			t.Errorf("%s: Open %v, OpenReadOnly %v; want ErrForeign", tt.name, err, rerr)
		}
		if after := fingerprint(t, tt.path); after != before {
			t.Errorf("%s: %s became %s", tt.name, before, after)
		}
	}
}

// list returns the paths of a database and its files.
func list(t *testing.T, path string) []string {
	t.Helper()
	names, err := filepath.Glob(path + "*")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// fingerprint returns digests of a database and its log or journal. It ignores an empty log.
func fingerprint(t testing.TB, path string) string {
	t.Helper()
	var s strings.Builder
	for _, name := range []string{path, path + "-wal", path + "-journal"} {
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&s, "%s %x\n", filepath.Base(name), sha256.Sum256(data))
	}
	return s.String()
}

// The database of a newer perftrack is not touched, whether the newer version number is in the file
// or only in the log.
func TestNewerSchema(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 3)
	latest, err := defaults().migrations.Latest()
	if err != nil {
		t.Fatal(err)
	}
	for _, inLog := range []bool{false, true} {
		db := connect(path, "", 1)
		if _, err := db.Exec(fmt.Sprintf(`PRAGMA user_version = %d`, latest+1)); err != nil {
			t.Fatal(err)
		}
		if !inLog {
			db.Close() // moves the version from the log into the file
		}
		before, files := fingerprint(t, path), list(t, path)
		for name, open := range map[string]func(context.Context, string) (*store.DB, error){"Open": Open, "OpenReadOnly": OpenReadOnly} {
			var schema *store.SchemaError
			_, err := open(ctx, path)
			if !errors.As(err, &schema) || schema.Have != latest+1 || schema.Want != latest || !strings.Contains(err.Error(), path) {
				t.Errorf("%s: %v, want a SchemaError", name, err)
			}
		}
		if after := list(t, path); !slices.Equal(after, files) {
			t.Errorf("in the log %v: files %v became %v", inLog, files, after)
		}
		if after := fingerprint(t, path); after != before {
			t.Errorf("in the log %v: %s became %s", inLog, before, after)
		}
		if _, err := db.Exec(fmt.Sprintf(`PRAGMA user_version = %d`, latest)); inLog && err != nil {
			t.Fatal(err)
		}
		db.Close()
		if !inLog {
			db := connect(path, "", 1)
			if _, err := db.Exec(fmt.Sprintf(`PRAGMA user_version = %d`, latest)); err != nil {
				t.Fatal(err)
			}
			db.Close()
		}
	}
	openAt(t, path)
}
