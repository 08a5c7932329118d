package exchangetest

import (
	"context"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/scaletest"
)

// TestSyncSpeed prints the CPU time, user and system, including git, of a first sync of 2,000 runs
// and of receiving them in another clone:
//
//	PERFTRACK_TORTURE=full go test -run SyncSpeed -v ./cmd/perftrack/internal/exchange/exchangetest
//
// A run has 30 benchmarks with 10 rounds and three units.
func TestSyncSpeed(t *testing.T) {
	size := scaletest.Size{Benchmarks: 2, Runs: 20, Samples: 2}
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		size = scaletest.Size{Benchmarks: 30, Runs: 2000, Samples: 10}
	}
	tm := NewTeam(t, 2)
	db, _, err := tm.Apps[0].OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := size.Fill(context.Background(), db); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before := cpuTime(t)
	sent := tm.Sync(tm.Apps[0], exchange.SyncOptions{})
	between := cpuTime(t)
	received := tm.Sync(tm.Apps[1], exchange.SyncOptions{})
	t.Logf("first sync of %d runs: %.2f s of CPU; receiving them: %.2f s", size.Runs, (between - before).Seconds(), (cpuTime(t) - between).Seconds())
	if sent.Sent.Runs != size.Runs || received.Received.Runs != size.Runs {
		t.Errorf("sent %d, received %d of %d runs", sent.Sent.Runs, received.Received.Runs, size.Runs)
	}
}

// cpuTime returns the CPU time of this process and of its ended children.
func cpuTime(t *testing.T) (sum time.Duration) {
	t.Helper()
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err != nil {
			t.Fatal(err)
		}
		sum += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return sum
}
