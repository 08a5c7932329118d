package pages

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/scaletest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/store/sqlite"
)

var update = flag.Bool("update", false, "write the golden files")

// fixed returns a site for a fixed database outside a repository.
func fixed(t *testing.T, live bool) *Site {
	t.Helper()
	a := &workspace.Session{Dir: t.TempDir(), DB: filepath.Join(t.TempDir(), "perftrack.db"), Version: "v1.0.0", Now: time.Now}
	db, err := sqlite.Open(t.Context(), a.DB)
	if err != nil {
		t.Fatal(err)
	}
	size := scaletest.Size{Benchmarks: 4, Runs: 24, Samples: 7}
	if err := size.Fill(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), a, Options{Live: live, Now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// The documents for a fixed database match the golden files.
func TestDocuments(t *testing.T) {
	s := fixed(t, false)
	index, err := s.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	commits, err := s.Commits(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runs, err := s.Runs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	benchmark, err := s.Benchmark(t.Context(), index.Benchmarks[3].ID) // this benchmark has a step
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Run(t.Context(), runs.List[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	for name, document := range map[string]any{"index": index, "commits": commits, "runs": runs, "benchmark": benchmark, "run": run} {
		golden(t, name, document)
	}
}

func golden(t *testing.T, name string, document any) {
	t.Helper()
	text, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = append(text, '\n')
	path := filepath.Join("testdata", name+".json")
	if *update {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("the document %s is not what %s has; write it again with -update", name, path)
	}
}

// A document is the same whether the site is live or not and whether it is requested once,
// repeatedly or alone. Its values for a run agree with the run's samples.
func TestDocumentsAgree(t *testing.T) {
	folder, live := fixed(t, false), fixed(t, true)
	index, err := folder.Index(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range index.Benchmarks {
		var texts [][]byte
		for _, s := range []*Site{live, folder, folder} {
			b, err := s.Benchmark(t.Context(), row.ID)
			if err != nil {
				t.Fatal(err)
			}
			text, err := site.Script("b/"+row.ID, b, "s")
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, text)
			agree(t, row, b)
		}
		if !bytes.Equal(texts[0], texts[1]) || !bytes.Equal(texts[1], texts[2]) {
			t.Errorf("benchmark %d has several documents", i)
		}
	}
	if _, err := live.Benchmark(t.Context(), "b0000000000000000"); !errors.Is(err, documents.ErrUnknown) {
		t.Errorf("an unknown benchmark: %v", err)
	}
	if _, err := live.Run(t.Context(), "0000"); !errors.Is(err, documents.ErrUnknown) {
		t.Errorf("an unknown run: %v", err)
	}
}

// agree recomputes the values of a document and its row, and reports differences.
func agree(t *testing.T, row documents.BenchmarkRow, b *documents.Benchmark) {
	t.Helper()
	for k, l := range b.Lines {
		first := len(l.Value) - len(l.Samples)
		for i, samples := range l.Samples {
			sorted := slices.Clone(samples)
			slices.Sort(sorted)
			if m := float64(sorted[len(sorted)/2]); math.Abs(float64(l.Value[first+i])/m-1) > 1e-9 && m != 0 {
				t.Errorf("%s %s: point %d is %v, the median of its samples %v", row.Path, l.Unit, first+i, l.Value[first+i], m)
			}
		}
		for i, level := range l.Levels {
			if level.First < 0 || level.End > len(l.Value) || level.First >= level.End || i > 0 && level.First < l.Levels[i-1].End {
				t.Errorf("%s %s: levels %+v", row.Path, l.Unit, l.Levels)
			}
		}
		for _, s := range l.Steps {
			if s.Last >= s.First || s.Change != 0 && !s.Absolute && math.Abs(float64(s.To/s.From)-1-float64(s.Change)) > 1e-9 {
				t.Errorf("%s %s: step %+v", row.Path, l.Unit, s)
			}
		}
		r := row.Lines[k]
		if last := float64(l.Value[len(l.Value)-1]); r.Level == nil || math.Abs(*r.Level-last) > 1e-4*math.Abs(last) || r.Last != l.Commit[len(l.Commit)-1] || r.Runs != len(l.Value) || len(r.Marks) != len(l.Steps) {
			t.Errorf("%s %s: row %+v of %+v", row.Path, l.Unit, r, l)
		}
	}
}
