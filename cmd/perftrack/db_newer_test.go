package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
)

// usesDatabase lists commands that read or write the database, with the arguments they need.
var usesDatabase = []string{
	"history", "history X", "list", "list runs", "list trials", "list benchmarks", "compare HEAD HEAD", "export", "report",
	"import --target t x.txt", "sync", "sync --prune --keep 90d", "ci accept X --target t --commit HEAD --reason r", "ci accept --list",
	"db stats", "db verify", "db verify --repair", "db migrate", "db backup new.db", "db restore other.db", "db prune --keep 1", "db prune --keep 1 --yes", "db rebuild",
}

// Every command refuses the database of a newer perftrack or a file of another program, and does
// not modify it.
func TestNewerDatabase(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("PERFTRACK_DB", filepath.Join(dir, "p.db"))
	for _, words := range []string{"init -q -b main", "-c user.name=a -c user.email=a@b commit -q --allow-empty -m one", "remote add origin " + dir} {
		if out, err := exec.Command("git", strings.Fields(words)...).CombinedOutput(); err != nil {
			t.Fatalf("%s, %v", out, err)
		}
	}
	if err := os.WriteFile("x.txt", []byte("BenchmarkX 10 5 ns/op\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	quietly := func(args ...string) (code int, out, errs string) {
		var stdout, stderr bytes.Buffer
		code = run(args, strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	for _, words := range []string{"import --target t --commit HEAD x.txt", "db backup other.db"} {
		if code, _, errs := quietly(strings.Fields(words)...); code != console.ExitOK {
			t.Fatal(errs)
		}
	}
	sound, err := os.ReadFile("other.db")
	if err != nil {
		t.Fatal(err)
	}
	const version, id = 60, 68 // offsets of the user version and the application id
	for _, tt := range []struct {
		offset int
		value  uint32
		want   string
	}{
		{version, binary.BigEndian.Uint32(sound[version:]) + 1, "upgrade perftrack"},
		{id, 0x12345678, "not a perftrack database"},
	} {
		data := bytes.Clone(sound)
		binary.BigEndian.PutUint32(data[tt.offset:], tt.value)
		for _, ending := range []string{"", "-wal", "-shm"} {
			_ = os.Remove("p.db" + ending)
		}
		if err := os.WriteFile("p.db", data, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, words := range usesDatabase {
			code, out, errs := quietly(strings.Fields(words)...)
			refused := strings.Contains(errs, tt.want) || words == "db restore other.db" && strings.Contains(errs, "replace it with --force")
			if code != console.ExitError || !refused {
				t.Errorf("%s: exit %d, %s%s; want %q", words, code, out, errs, tt.want)
			}
			if after, err := os.ReadFile("p.db"); err != nil || !bytes.Equal(after, data) {
				t.Fatalf("%s: the database was changed, %v", words, err)
			}
			if _, err := os.Lstat("new.db"); err == nil {
				t.Errorf("%s made new.db", words)
			}
		}
	}
}
