package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
)

// Many processes can write to and read from one database, and all succeed.
func TestConcurrentProcesses(t *testing.T) {
	livetest.Skip(t)
	const writers, readers = 16, 4
	n := scale(15, 500)
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	db := openAt(t, path)
	reading, stop := startReaders(t, path, readers)
	began := time.Now()
	var writing []*child
	for i := range writers {
		writing = append(writing, start(t, "ingest", path, fmt.Sprint(i), n))
	}
	var acked []string
	for _, c := range writing {
		if err := c.Wait(); err != nil {
			t.Errorf("writer: %v: %s", err, c.err.String())
		}
		acked = append(acked, c.lines()...)
	}
	took := time.Since(began)
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() > 64<<20 {
		t.Errorf("the log: %v, %v", info.Size(), err)
	}
	stop()
	db.Close()
	if got := checkWhole(t, path, acked); got != writers*n+1 || len(acked) != writers*n {
		t.Errorf("%d runs, %d acknowledged, want %d", got, len(acked), writers*n)
	}
	t.Logf("%d runs by %d processes in %v, %s reads beside", len(acked), writers, took, strings.TrimSpace(reading[0].out.String()))
}

// startReaders starts n processes that read the database over and over. stop ends them and fails
// the test if one of them failed.
func startReaders(t *testing.T, path string, n int) (readers []*child, stop func()) {
	t.Helper()
	var ends []*os.File
	for range n {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		readers = append(readers, startWith(t, r, "read", path, "", 0))
		ends = append(ends, w)
		r.Close()
	}
	return readers, func() {
		for i, c := range readers {
			ends[i].Close()
			if err := c.Wait(); err != nil {
				t.Errorf("reader: %v: %s", err, c.err.String())
			}
		}
	}
}

// Some processes fail if transactions begin by reading, the driver's default.
func TestControlConcurrentProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 0)
	var writing []*child
	for i := range 8 {
		writing = append(writing, start(t, "ingest late", path, fmt.Sprint(i), 40))
	}
	failed := 0
	for _, c := range writing {
		if c.Wait() != nil && strings.Contains(c.err.String(), "locked") {
			failed++
		}
	}
	if failed == 0 {
		t.Error("nobody was turned away: the test above would not see it")
	}
}

// Many processes can start at once before there is a database.
func TestColdStart(t *testing.T) {
	livetest.Skip(t)
	random := dice(t)
	dir := t.TempDir()
	for round := range scale(10, 300) {
		if failures := coldStart(t, filepath.Join(dir, fmt.Sprint(round), "perftrack.db"), "ingest", random.IntN); len(failures) > 0 {
			t.Fatalf("round %d: %d of 16 failed: %s", round, len(failures), failures[0])
		}
	}
}

// Without the file lock, about one open in 500 fails when SQLite switches to WAL, so the control needs
// the full form.
func TestControlColdStart(t *testing.T) {
	rounds := scale(0, 600)
	if rounds == 0 {
		t.Skip("the fault is rare: PERFTRACK_TORTURE=full")
	}
	dir := t.TempDir()
	for round := range rounds {
		if len(coldStart(t, filepath.Join(dir, fmt.Sprint(round), "perftrack.db"), "start unlocked", nil)) > 0 {
			t.Logf("seen in round %d", round)
			return
		}
	}
	t.Error("without the lock nobody failed: the test above would not see it")
}

// coldStart starts many processes on a database that does not exist and returns the errors of those
// that failed. If intN is not nil, it kills at most one of them at random.
func coldStart(t *testing.T, path, role string, intN func(int) int) (failures []string) {
	t.Helper()
	_, stop := startReaders(t, path, 2)
	defer stop()
	var children []*child
	for i := range 16 {
		children = append(children, start(t, role, path, fmt.Sprint(i), 1))
	}
	var victim *child
	if intN != nil && intN(2) == 0 {
		victim = children[intN(len(children))]
		time.Sleep(time.Duration(intN(40)) * time.Millisecond)
		victim.Process.Kill()
	}
	var acked []string
	for _, c := range children {
		if err := c.Wait(); err != nil && c != victim {
			failures = append(failures, fmt.Sprint(err, ": ", c.err.String()))
		}
		acked = append(acked, c.lines()...)
	}
	if len(failures) > 0 {
		return failures
	}
	if n := checkWhole(t, path, acked); n < 15 {
		t.Errorf("%d runs of 16 processes", n)
	}
	return nil
}
