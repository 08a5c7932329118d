package sqlite

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
)

// Many short processes write one run each while readers never pause, as the jobs on a CI machine
// do. All of them get their turn.
func TestShortWriters(t *testing.T) {
	livetest.Skip(t)
	const writers, readers = 16, 8
	n := scale(3, 60)
	path := filepath.Join(t.TempDir(), "perftrack.db")
	fill(t, path, 1)
	_, stop := startReaders(t, path, readers)
	var mu sync.Mutex
	var took []time.Duration
	var acked []string
	var log int64
	began := time.Now()
	var writing sync.WaitGroup
	for i := range writers {
		writing.Go(func() {
			for j := range n {
				began := time.Now()
				c := newChild("ingest", path, fmt.Sprint(i, " ", j), 1)
				err := c.Run()
				mu.Lock()
				took, acked = append(took, time.Since(began)), append(acked, c.lines()...)
				if err != nil {
					t.Errorf("writer: %v: %s", err, c.err.String())
				}
				if info, err := os.Stat(path + "-wal"); err == nil {
					log = max(log, info.Size())
				}
				mu.Unlock()
			}
		})
	}
	writing.Wait()
	total := time.Since(began)
	stop()
	if got := checkWhole(t, path, acked); got != writers*n+1 || len(acked) != writers*n {
		t.Errorf("%d runs, %d acknowledged, want %d", got, len(acked), writers*n)
	}
	slices.Sort(took)
	t.Logf("%d processes in %v: half within %v, 99 of 100 within %v, the slowest %v; the log had up to %d bytes",
		len(took), total, took[len(took)/2], took[len(took)*99/100], took[len(took)-1], log)
}
