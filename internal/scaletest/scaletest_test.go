package scaletest

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store/sqlite"
)

// What is stored is as many runs of as many benchmarks. A database of any
// size is made and kept by
//
//	PERFTRACK_SCALE_DB=scale.db PERFTRACK_SCALE_BENCHMARKS=1000 PERFTRACK_SCALE_RUNS=1000 go test ./internal/scaletest
func TestFill(t *testing.T) {
	size, path := Size{Benchmarks: 7, Runs: 12, Samples: 5}, filepath.Join(t.TempDir(), "scale.db")
	if kept := os.Getenv("PERFTRACK_SCALE_DB"); kept != "" {
		path = kept
		size.Benchmarks, _ = strconv.Atoi(os.Getenv("PERFTRACK_SCALE_BENCHMARKS"))
		size.Runs, _ = strconv.Atoi(os.Getenv("PERFTRACK_SCALE_RUNS"))
	}
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := size.Fill(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	points, err := db.History(t.Context(), "scale", record.BenchmarkID{Kind: record.Bench, Package: "example.com/scale/p03", Name: "Work000/n=40"})
	if err != nil || len(points) != size.Runs || len(points[0].Benchmark.Samples) != 3 || len(points[0].Benchmark.Rounds) != 5 {
		t.Errorf("%d points, %v", len(points), err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
