package pages

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site"
)

// BenchmarkWrite writes the site for a large database made by cmd/perftrack/internal/scaletest:
//
//	PERFTRACK_SCALE_DB=scale.db go test -run '^$' -bench Write -benchtime 1x -benchmem ./cmd/perftrack/internal/pages
func BenchmarkWrite(b *testing.B) {
	path := os.Getenv("PERFTRACK_SCALE_DB")
	if path == "" {
		b.Skip("skipped: PERFTRACK_SCALE_DB names no database")
	}
	for b.Loop() {
		a := &workspace.Session{Dir: b.TempDir(), DB: path, Version: "test", Now: time.Now}
		s, err := Open(b.Context(), a, Options{})
		if err != nil {
			b.Fatal(err)
		}
		dir := filepath.Join(b.TempDir(), "site")
		if err := site.Write(b.Context(), dir, s, nil, nil); err != nil {
			b.Fatal(err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(largest(b, dir)/1e6, "MB-largest-file")
	}
}

func largest(b *testing.B, dir string) (most float64) {
	b.Helper()
	err := filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			most = max(most, float64(info.Size()))
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return most
}
