package pages

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site/server"
)

// BenchmarkServe asks for what the overview loads of a large database, one that internal/scaletest
// made: first_ms is the first time, when it is made, and the time of an operation any other.
//
//	PERFTRACK_SCALE_DB=scale.db go test -run '^$' -bench Serve ./cmd/perftrack/internal/pages
func BenchmarkServe(b *testing.B) {
	path := os.Getenv("PERFTRACK_SCALE_DB")
	if path == "" {
		b.Skip("skipped: PERFTRACK_SCALE_DB names no database")
	}
	live := Watch(&workspace.Session{Dir: b.TempDir(), DB: path, Version: "test", Now: time.Now}, Options{})
	defer live.Close()
	h, err := server.Handler(server.Options{Live: live})
	if err != nil {
		b.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	overview := func() (bytes int64) {
		for _, name := range []string{"", "data/index.js", "data/commits.js"} {
			answer, err := http.Get(s.URL + "/" + name)
			if err != nil {
				b.Fatal(err)
			}
			n, err := io.Copy(io.Discard, answer.Body)
			if err := answer.Body.Close(); err != nil {
				b.Fatal(err)
			}
			if err != nil || answer.StatusCode != http.StatusOK {
				b.Fatalf("%s: %s, %v", name, answer.Status, err)
			}
			bytes += n
		}
		return bytes
	}
	began := time.Now()
	bytes := overview()
	first := time.Since(began)
	for b.Loop() {
		overview()
	}
	b.ReportMetric(float64(first.Milliseconds()), "first_ms")
	b.ReportMetric(float64(bytes), "bytes")
}
