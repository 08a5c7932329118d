package pages

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site/server"
)

// BenchmarkServe requests everything loaded by the overview from a large database made by
// cmd/perftrack/internal/scaletest. rows_ms is the time to store the overview's rows in the
// database, made_ms the time to build the overview from the rows, kept_ms the time for a new server
// to read the overview stored by another server, and the time per operation is the time for any
// further request.
//
//	PERFTRACK_SCALE_DB=scale.db go test -run '^$' -bench Serve ./cmd/perftrack/internal/pages
func BenchmarkServe(b *testing.B) {
	path := os.Getenv("PERFTRACK_SCALE_DB")
	if path == "" {
		b.Skip("skipped: PERFTRACK_SCALE_DB names no database")
	}
	began := time.Now()
	if err := Keep(b.Context(), &workspace.Session{Dir: b.TempDir(), DB: path, Version: "test", Now: time.Now}); err != nil {
		b.Fatal(err)
	}
	rows := time.Since(began)
	kept := filepath.Join(b.TempDir(), "x.overview")
	serve := func() (bytes int64, took time.Duration, overview func() int64) {
		began := time.Now()
		live := Watch(&workspace.Session{Dir: b.TempDir(), DB: path, Version: "test", Now: time.Now}, Options{})
		h, err := server.Handler(server.Options{Live: live, Keep: kept, Moment: time.Hour})
		if err != nil {
			b.Fatal(err)
		}
		s := httptest.NewServer(h)
		b.Cleanup(func() {
			s.Close()
			live.Close()
		})
		overview = func() (n int64) {
			for _, name := range []string{"", "data/index.js", "data/commits.js"} {
				n += get(b, s.URL+"/"+name)
			}
			return n
		}
		bytes = overview()
		return bytes, time.Since(began), overview
	}
	bytes, made, _ := serve()
	_, again, overview := serve()
	for b.Loop() {
		overview()
	}
	b.ReportMetric(float64(rows.Milliseconds()), "rows_ms")
	b.ReportMetric(float64(made.Milliseconds()), "made_ms")
	b.ReportMetric(float64(again.Milliseconds()), "kept_ms")
	b.ReportMetric(float64(bytes), "bytes")
}

func get(b *testing.B, address string) int64 {
	b.Helper()
	answer, err := http.Get(address)
	if err != nil {
		b.Fatal(err)
	}
	n, err := io.Copy(io.Discard, answer.Body)
	if err := answer.Body.Close(); err != nil {
		b.Fatal(err)
	}
	if err != nil || answer.StatusCode != http.StatusOK {
		b.Fatalf("%s: %s, %v", address, answer.Status, err)
	}
	return n
}
