//go:build unix

package pages

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/sqlite"
)

// BenchmarkOneMoreRun rebuilds the index of a large database, made by
// cmd/perftrack/internal/scaletest, each time after one more run of some or all benchmarks was
// stored. first_cpu_ms is the CPU time for the first index, and more_cpu_ms the mean CPU time for
// each later one.
//
//	PERFTRACK_SCALE_DB=scale.db go test -run '^$' -bench OneMoreRun -benchtime 3x ./cmd/perftrack/internal/pages
func BenchmarkOneMoreRun(b *testing.B) {
	path := os.Getenv("PERFTRACK_SCALE_DB")
	if path == "" {
		b.Skip("skipped: PERFTRACK_SCALE_DB names no database")
	}
	copied := filepath.Join(b.TempDir(), "scale.db")
	copyFile(b, path, copied)
	clock := time.Now()
	live := Watch(&workspace.Session{Dir: b.TempDir(), DB: copied, Version: "test", Now: func() time.Time { clock = clock.Add(time.Minute); return clock }}, Options{})
	defer live.Close()
	index := func(b *testing.B) float64 {
		before := cpuTime(b)
		state, err := live.Now(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer state.Close()
		if _, err := state.Index(b.Context()); err != nil {
			b.Fatal(err)
		}
		return float64((cpuTime(b) - before).Milliseconds())
	}
	first := index(b)
	db, err := sqlite.Open(b.Context(), copied)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	commits := 0
	for _, of := range []int{1, 10, 100, 1000} {
		b.Run(fmt.Sprintf("of=%d", of), func(b *testing.B) {
			n, took := 0, 0.0
			for b.Loop() {
				b.StopTimer()
				commits++
				storeNext(b, db, commits, of)
				n++
				b.StartTimer()
				took += index(b)
			}
			b.ReportMetric(first, "first_cpu_ms")
			b.ReportMetric(took/float64(n), "more_cpu_ms")
		})
	}
}

// storeNext stores a copy of a stored run at a new commit, the newest of all. The copy has at most
// "of" benchmarks, and n makes its commit unique.
func storeNext(tb testing.TB, db *store.DB, n, of int) {
	tb.Helper()
	runs, err := db.Runs(tb.Context(), store.Filter{Limit: 1})
	if err != nil {
		tb.Fatal(err)
	}
	run, err := db.Get(tb.Context(), runs[0].ID)
	if err != nil {
		tb.Fatal(err)
	}
	run.Benchmarks = run.Benchmarks[:min(of, len(run.Benchmarks))]
	run.Commit.SHA = fmt.Sprintf("%040x", 1<<20+n)
	run.Commit.Time, run.Start, run.End = run.Commit.Time.AddDate(5, 0, n), run.Start.AddDate(5, 0, n), run.End.AddDate(5, 0, n)
	if _, _, err := db.Put(tb.Context(), run); err != nil {
		tb.Fatal(err)
	}
}

func copyFile(tb testing.TB, from, to string) {
	tb.Helper()
	in, err := os.Open(from)
	if err != nil {
		tb.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err == nil {
		_, err = io.Copy(out, in)
	}
	if err != nil {
		tb.Fatal(err)
	}
	if err := out.Close(); err != nil {
		tb.Fatal(err)
	}
}

func cpuTime(tb testing.TB) time.Duration {
	tb.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
