package scaletest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store/sqlite"
)

// Fill stores the given number of runs, benchmarks and samples of each. To make and keep a database
// of any size:
//
//	PERFTRACK_SCALE_DB=scale.db PERFTRACK_SCALE_SIZE=1000x1000x10 go test ./cmd/perftrack/internal/scaletest
//
// The size is BENCHMARKSxRUNSxSAMPLES.
func TestFill(t *testing.T) {
	size, path := Size{Benchmarks: 7, Runs: 12, Samples: 5}, filepath.Join(t.TempDir(), "scale.db")
	if kept := os.Getenv("PERFTRACK_SCALE_DB"); kept != "" {
		path = kept
		if _, err := fmt.Sscanf(os.Getenv("PERFTRACK_SCALE_SIZE"), "%dx%dx%d", &size.Benchmarks, &size.Runs, &size.Samples); err != nil {
			t.Fatalf("PERFTRACK_SCALE_SIZE=%q: %v; give BENCHMARKSxRUNSxSAMPLES", os.Getenv("PERFTRACK_SCALE_SIZE"), err)
		}
	}
	db, err := sqlite.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := size.Fill(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	points, err := db.History(t.Context(), "scale", record.BenchmarkID{Kind: record.Bench, Package: "example.com/scale/p03", Name: "Work000/n=40"})
	if err != nil || len(points) != size.Runs || len(points[0].Benchmark.Samples) != 3 || len(points[0].Benchmark.Rounds) != size.Samples {
		t.Errorf("%d points, %v", len(points), err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
