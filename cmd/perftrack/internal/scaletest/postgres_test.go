//go:build linux

package scaletest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/postgres"
	"github.com/perftrack/perftrack/store/postgres/pgtest"
	"github.com/perftrack/perftrack/store/sqlite"
)

// TestPostgres stores the same data in SQLite and in PostgreSQL, and prints the costs of each:
// bytes and CPU time for each value, and the time to read histories in this process.
//
//	PERFTRACK_LIVE=short PERFTRACK_SCALE_SIZE=1000x100x10 go test -v -timeout 2h -run TestPostgres ./cmd/perftrack/internal/scaletest
func TestPostgres(t *testing.T) {
	livetest.Skip(t)
	size := Size{Benchmarks: 50, Runs: 50, Samples: 10}
	if text := os.Getenv("PERFTRACK_SCALE_SIZE"); text != "" {
		if _, err := fmt.Sscanf(text, "%dx%dx%d", &size.Benchmarks, &size.Runs, &size.Samples); err != nil {
			t.Fatalf("PERFTRACK_SCALE_SIZE=%q: %v; give BENCHMARKSxRUNSxSAMPLES", text, err)
		}
	}
	values := float64(3 * size.Benchmarks * size.Runs * size.Samples)
	server := pgtest.Start(t)
	address, err := postgres.ParseURL(server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "scale.db")
	generating := cpu(t, nil)
	for n := range size.Runs { // without storing them
		size.run(n, random(size))
	}
	generating = cpu(t, nil) - generating
	for _, kind := range []struct {
		name   string
		server *pgtest.Server
		open   func(context.Context) (*store.DB, error)
		bytes  func() float64
	}{
		{"SQLite", nil, func(ctx context.Context) (*store.DB, error) { return sqlite.Open(ctx, path) }, func() float64 {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			return float64(info.Size())
		}},
		{"PostgreSQL", server, func(ctx context.Context) (*store.DB, error) { return postgres.Open(ctx, address, "scale") }, func() (n float64) {
			fmt.Sscan(server.Exec(t, "postgres", "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"), &n)
			return n
		}},
	} {
		db, err := kind.open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		began, before := time.Now(), cpu(t, kind.server)
		if err := size.Fill(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		took := time.Since(began)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		used := cpu(t, kind.server) - before - generating
		t.Logf("%s: stored %.0f values in %v: %.0f values/s of CPU, %.1f bytes a value", kind.name, values, took.Round(time.Millisecond), values/used.Seconds(), kind.bytes()/values)
		if db, err = kind.open(t.Context()); err != nil {
			t.Fatal(err)
		}
		first := historyTime(t, db, size, 0)
		before = cpu(t, kind.server)
		var again []time.Duration
		for n := range min(60, size.Benchmarks-1) {
			again = append(again, historyTime(t, db, size, n+1))
		}
		used = (cpu(t, kind.server) - before) / time.Duration(len(again))
		slices.Sort(again)
		t.Logf("%s: history of %d points: %v of CPU; elapsed: the first %v, others %v (fastest), %v (median)", kind.name, size.Runs, used.Round(100*time.Microsecond), first, again[0], again[len(again)/2])
		began, before = time.Now(), cpu(t, kind.server)
		v, err := db.Verify(t.Context())
		if err != nil || !v.OK() || v.Runs != size.Runs {
			t.Errorf("%s: %+v, %v", kind.name, v, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: verified in %v, %v of CPU", kind.name, time.Since(began).Round(time.Millisecond), (cpu(t, kind.server) - before).Round(time.Millisecond))
	}
}

// historyTime reads the history of one benchmark, and returns how long that takes.
func historyTime(t *testing.T, db *store.DB, size Size, n int) time.Duration {
	t.Helper()
	id := record.BenchmarkID{Kind: record.Bench, Package: fmt.Sprintf("example.com/scale/p%02d", n%20), Name: fmt.Sprintf("Work%03d/n=%d", n/4, 10*(n%4+1))}
	began := time.Now()
	points, err := db.History(t.Context(), "scale", id)
	took := time.Since(began).Round(10 * time.Microsecond)
	if err != nil || len(points) != size.Runs {
		t.Fatalf("%s: %d points, %v", id.Name, len(points), err)
	}
	return took
}

// cpu returns the CPU time of this process, and of the server and its processes unless server is nil.
func cpu(t *testing.T, server *pgtest.Server) time.Duration {
	t.Helper()
	var self syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &self); err != nil {
		t.Fatal(err)
	}
	used := time.Duration(self.Utime.Nano() + self.Stime.Nano())
	if server == nil {
		return used
	}
	time.Sleep(200 * time.Millisecond) // the server's processes for closed connections end
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	pid := fmt.Sprint(server.PID())
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // the process has ended
		}
		_, after, _ := strings.Cut(string(text), ") ")
		f := strings.Fields(after) // from the third field on: see proc(5)
		if own := filepath.Base(filepath.Dir(path)) == pid; own || f[1] == pid {
			for i, ticks := range f[11:15] { // the ended children of the server count, too
				var n int64
				if fmt.Sscan(ticks, &n); own || i < 2 {
					used += time.Duration(n) * 10 * time.Millisecond
				}
			}
		}
	}
	return used
}
