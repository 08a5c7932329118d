package sqlite

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// backupTo is a role that backs up the database to the file label, which it replaces.
func backupTo(path, label string, _ int) error {
	_, err := Backup(context.Background(), path, label, overwriting)
	return err
}

// backupInPlace is a role that backs up the database without a temporary name.
func backupInPlace(path, label string, _ int) error {
	_ = os.Remove(label)
	return copyInto(context.Background(), path, label, quietly.Progress)
}

// writers are processes that store runs.
type writers struct {
	children []*child
	printed  []string // files with the ids printed by each
}

func startWriters(t *testing.T, path string, n, runs int) (w writers) {
	t.Helper()
	for i := range n {
		c := newChild("ingest", path, fmt.Sprint(i), runs)
		out, err := os.Create(filepath.Join(t.TempDir(), "out"))
		if err != nil {
			t.Fatal(err)
		}
		c.Stdout = out
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		out.Close()
		w.children, w.printed = append(w.children, c), append(w.printed, out.Name())
	}
	return w
}

// acked returns the ids printed so far.
func (w writers) acked(t *testing.T) (ids []string) {
	t.Helper()
	for _, name := range w.printed {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
		}
		ids = append(ids, strings.Fields(string(text[:bytes.LastIndexByte(text, '\n')+1]))...)
	}
	return ids
}

// wait waits for the processes. The returned channel is closed when all have ended.
func (w writers) wait(t *testing.T) (ended chan struct{}) {
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		for _, c := range w.children {
			if c.Wait() != nil {
				t.Error(c.err.String())
			}
		}
	}()
	return ended
}

// faultOf returns an error if a backup cannot be read, is damaged, or lacks some of the
// acknowledged runs.
func faultOf(t *testing.T, path string, acked []string) error {
	t.Helper()
	db, err := Open(context.Background(), path)
	if err != nil {
		return err
	}
	defer db.Close()
	v, err := db.Verify(context.Background())
	if err != nil || !v.OK() {
		return fmt.Errorf("%+v, %w", v, err)
	}
	if lost, n := missing(t, db, acked); len(lost) > 0 {
		return fmt.Errorf("%d of %d acknowledged runs are missing among %d", len(lost), len(acked), n)
	}
	return nil
}

// A made describes a backup, with the ids of the runs acknowledged before the backup began.
type made struct {
	path  string
	acked []string
	err   error
}

// backupsWhile makes a backup every 100 ms while processes write, and returns the number of backups
// and the faults found.
func backupsWhile(t *testing.T, processes, runs int, backup func(path, to string) error) (n int, faults []error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	dir := t.TempDir()
	w := startWriters(t, path, processes, runs)
	all := make(chan made, 1<<16) // never blocks
	go func() {
		defer close(all)
		ended := w.wait(t)
		for i, done := 0, false; !done; i++ {
			select {
			case <-ended:
				done = true // one more backup, of everything
			case <-time.After(100 * time.Millisecond):
			}
			m := made{path: filepath.Join(dir, fmt.Sprint(i)), acked: w.acked(t)}
			m.err = backup(path, m.path)
			all <- m
		}
	}()
	for m := range all { // while the next backups are made
		n++
		if m.err == nil {
			m.err = faultOf(t, m.path, m.acked)
		}
		if m.err != nil {
			faults = append(faults, m.err)
		}
		removePart(m.path)
	}
	if acked := w.acked(t); len(acked) != processes*runs {
		t.Errorf("%d runs were stored, want %d", len(acked), processes*runs)
	}
	return n, faults
}

// While processes write, each backup is whole and has every run acknowledged before the backup
// began.
func TestTortureBackup(t *testing.T) {
	processes := livetest.Few(4, 16)
	n, faults := backupsWhile(t, processes, scale(livetest.Few(20, 60), 500), func(path, to string) error {
		_, err := Backup(context.Background(), path, to, quietly)
		return err
	})
	t.Logf("%d backups beside %d writers", n, processes)
	if len(faults) > 0 {
		t.Errorf("%d of %d backups: %v", len(faults), n, errors.Join(faults...))
	}
}

// Copying only the database file while other processes write loses runs, and the test detects it.
func TestControlBackup(t *testing.T) {
	livetest.Skip(t)
	n, faults := backupsWhile(t, 2, 60, func(path, to string) error {
		data, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(to, data, 0o644))
	})
	t.Logf("%d faults in %d copies", len(faults), n)
	if len(faults) == 0 {
		t.Error("no copy of the file alone was seen to lack runs")
	}
}

// killedBackups kills backups at random times, and returns how many left a whole file, no file, or
// anything else. Before every second one there is an older backup with fewer runs.
func killedBackups(t *testing.T, role string, kills int) (whole, none, torn int) {
	t.Helper()
	random := dice(t)
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	older := filepath.Join(t.TempDir(), "older.db")
	if _, err := Backup(context.Background(), path, older, quietly); err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(older)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, path, 300)
	began := time.Now()
	if c := start(t, role, path, filepath.Join(t.TempDir(), "first.db"), 0); c.Wait() != nil {
		t.Fatal(c.err.String())
	}
	window := int64(time.Since(began)) * 3 / 2
	for i := range kills {
		to := filepath.Join(t.TempDir(), "b.db")
		replaces := i%2 == 1
		if replaces {
			if err := os.WriteFile(to, old, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		c := start(t, role, path, to, 0)
		time.Sleep(time.Duration(random.Int64N(window)))
		c.Process.Kill()
		c.Wait()
		data, err := os.ReadFile(to)
		switch {
		case errors.Is(err, fs.ErrNotExist) && !replaces, replaces && bytes.Equal(data, old):
			none++
		case err == nil && faultOf(t, to, nil) == nil && runsIn(t, to) == 300:
			whole++
		default:
			torn++
		}
	}
	return whole, none, torn
}

func runsIn(t *testing.T, path string) int {
	t.Helper()
	n, _, err := contentOf(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A backup killed at any time leaves either the previous state or a complete new file.
func TestTortureKilledBackup(t *testing.T) {
	whole, none, torn := killedBackups(t, "backup", scale(livetest.Few(6, 40), 1000))
	t.Logf("%d whole, %d as before, %d torn", whole, none, torn)
	if torn > 0 {
		t.Errorf("%d torn backups", torn)
	}
}

func TestControlKilledBackup(t *testing.T) {
	livetest.Skip(t)
	if whole, none, torn := killedBackups(t, "backup in place", 100); torn == 0 {
		t.Errorf("a backup without a temporary name was never seen torn: %d whole, %d as before", whole, none)
	}
}

// Backing up to a full disk returns an error saying so and leaves nothing behind.
func TestBackupOnFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 30)
	dir := t.TempDir()
	cmd := exec.Command("unshare", "-rm", "sh", "-c", `mount -t tmpfs -o size=64k tmpfs "$1" || exit 7; "$2" "$3" "$1/b.db" 0; ls "$1"`, "sh", dir, os.Args[0], path)
	cmd.Env = append(os.Environ(), childRole+"=backup")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.Is(err, exec.ErrNotFound) || errors.As(err, &exit) && (exit.ExitCode() == 7 || bytes.HasPrefix(out, []byte("unshare:"))) {
		t.Skipf("no small file system can be made here: %s", out)
	}
	if text := string(out); err != nil || !strings.Contains(text, "back up store "+path+": no space left") || strings.Contains(text, "b.db") {
		t.Errorf("%s, %v", out, err)
	}
}

// restoreDamaged restores damaged backups, and returns how many were refused, restored with the
// same runs, and restored with other runs.
func restoreDamaged(t *testing.T, n int, restore func(path, from string) error) (refused, same, other int) {
	t.Helper()
	random := dice(t)
	g := newGolden(t, 10)
	for range n {
		data, what := mutate(random, g.data)
		dir := t.TempDir()
		path, from := filepath.Join(dir, "perftrack.db"), filepath.Join(dir, "b.db")
		if err := os.WriteFile(from, data, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := restore(path, from); err != nil {
			refused++
			if _, err := os.Lstat(path); err == nil {
				t.Fatalf("%s: refused, but there is a database", what)
			}
			continue
		}
		db, err := Open(context.Background(), path)
		if err != nil {
			other++
			continue
		}
		if export, err := exportOf(db); err == nil && export == g.export {
			same++
		} else {
			other++
		}
		db.Close()
	}
	return refused, same, other
}

// exportOf is like storetest.Export, but returns an error.
func exportOf(db *store.DB) (string, error) {
	infos, err := db.Runs(context.Background(), store.Filter{})
	var text strings.Builder
	w := record.NewWriter(&text)
	for _, info := range infos {
		var run *record.Run
		if run, err = db.Get(context.Background(), info.ID); err == nil {
			err = w.Write(run)
		}
		if err != nil {
			break
		}
	}
	return text.String(), err
}

// A damaged backup is refused unless the damage affects no run.
func TestTortureRestoreDamaged(t *testing.T) {
	refused, same, other := restoreDamaged(t, scale(livetest.Few(30, 100), 2000), func(path, from string) error {
		_, err := Restore(context.Background(), path, from, quietly)
		return err
	})
	t.Logf("%d refused, %d with the same runs", refused, same)
	if other > 0 || refused == 0 {
		t.Errorf("%d restored with other runs, %d refused", other, refused)
	}
}

func TestControlRestoreDamaged(t *testing.T) {
	_, _, other := restoreDamaged(t, 100, func(path, from string) error {
		data, err := os.ReadFile(from)
		return errors.Join(err, os.WriteFile(path, data, 0o644))
	})
	if other == 0 {
		t.Error("without a check, no damage was ever seen in the restored database")
	}
}
