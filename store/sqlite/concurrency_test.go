package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/internal/livetest"
)

// Many processes write and read one database and none is turned away.
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

// startReaders starts n processes that read the database over and over. stop
// ends them and fails the test if one of them was turned away.
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

// With transactions that begin by reading, as the driver begins them, some are
// turned away.
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

// Many processes start where there is no database yet.
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

func TestControlColdStart(t *testing.T) {
	dir := t.TempDir()
	for round := range 30 {
		if len(coldStart(t, filepath.Join(dir, fmt.Sprint(round), "perftrack.db"), "start unlocked", nil)) > 0 {
			t.Logf("seen in round %d", round)
			return
		}
	}
	t.Error("without the lock nobody failed: the test above would not see it")
}

// coldStart returns what the processes that failed said. With intN, one of
// them is killed on the way.
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
