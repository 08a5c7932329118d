package sqlite

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/perftrack/perftrack/migrations"
	"github.com/perftrack/perftrack/store"
)

// OpenUntouched does not change any file, whether the database is closed or open for writing.
func TestOpenUntouched(t *testing.T) {
	ctx := t.Context()
	dir := t.TempDir()
	path := filepath.Join(dir, "perf.db")
	if _, err := OpenUntouched(ctx, path); !errors.Is(err, store.ErrNoDatabase) {
		t.Errorf("of no file: %v", err)
	}
	db, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.Put(ctx, sample("t", 1)); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"beside a writer", "closed"} {
		if when == "closed" {
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		}
		before := snapshot(t, dir)
		one, err := OpenUntouched(ctx, path)
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		benchmarks, err := one.Benchmarks(ctx, store.Filter{})
		if err != nil || len(benchmarks) == 0 || benchmarks[0].Target != "engine" || len(benchmarks[0].Units) == 0 {
			t.Errorf("%s: %+v, %v", when, benchmarks, err)
		}
		if runs, err := one.Runs(ctx, store.Filter{}); err != nil || len(runs) != 1 || runs[0].EnvironmentID == "" {
			t.Errorf("%s: %+v, %v", when, runs, err)
		}
		if err := one.Close(); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		if after := snapshot(t, dir); !slices.Equal(before, after) {
			t.Errorf("%s: files were %q, are %q", when, before, after)
		}
	}
}

// OpenUntouched refuses older schemas instead of migrating them, and refuses files of other
// programs.
func TestOpenUntouchedRefuses(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "perf.db")
	db, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	raw := connect(path, writerParams, 1)
	if _, err := raw.ExecContext(ctx, `PRAGMA user_version = 2`); err != nil {
		t.Fatal(err)
	}
	if err := raw.Close(); err != nil {
		t.Fatal(err)
	}
	latest, err := migrations.SQLite().Latest()
	if err != nil {
		t.Fatal(err)
	}
	var old *store.SchemaError
	if _, err := OpenUntouched(ctx, path); !errors.As(err, &old) || old.Have != 2 || old.Want != latest {
		t.Errorf("of an older schema: %v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("SELECT"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenUntouched(ctx, text); !errors.Is(err, store.ErrForeign) {
		t.Errorf("of a text: %v", err)
	}
}

// snapshot returns the names and modification times of the files in a directory.
func snapshot(t *testing.T, dir string) (files []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, e.Name()+" "+info.ModTime().String())
	}
	return files
}
