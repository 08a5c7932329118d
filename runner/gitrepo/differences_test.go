package gitrepo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// Edits count as changes, even in files that differed before. Commits, new modification times and
// by-products of measuring do not.
func TestDifferences(t *testing.T) {
	gittest.Isolate(t)
	for _, tt := range []struct {
		name   string
		change func(dir string)
		want   string // the paths with changed content, or ""
	}{
		{"nothing", func(string) {}, ""},
		{"a tracked file", func(dir string) { gittest.WriteFile(t, dir, "n", "other") }, "n"},
		{"a dirty file", func(dir string) { gittest.WriteFile(t, dir, "dirty", "again") }, "dirty"},
		{"an untracked file", func(dir string) { gittest.WriteFile(t, dir, "pkg/new.go", "again") }, "pkg/new.go"},
		{"another untracked file", func(dir string) { gittest.WriteFile(t, dir, "pkg/newer.go", "") }, "pkg/newer.go"},
		{"deleted", func(dir string) { _ = os.Remove(filepath.Join(dir, "n")) }, "n"},
		{"back as it was committed", func(dir string) { gittest.Run(t, dir, "checkout", "--quiet", "--", "dirty") }, "dirty"},
		{"committed as it is", func(dir string) {
			gittest.Run(t, dir, "add", ".")
			gittest.Run(t, dir, "commit", "--quiet", "-m", "all")
		}, ""},
		{"of another commit", func(dir string) {
			gittest.Run(t, dir, "checkout", "--quiet", "HEAD~2", "--", "n")
		}, "n"},
		{"written again", func(dir string) { gittest.WriteFile(t, dir, "dirty", "edited") }, ""},
		{"a profile", func(dir string) { gittest.WriteFile(t, dir, "cpu.prof", "") }, ""},
		{"the database", func(dir string) { gittest.WriteFile(t, dir, ".perftrack/perftrack.db", "") }, ""},
		{"a result", func(dir string) { gittest.WriteFile(t, dir, "out/a.json", "") }, ""},
		{"a database of that name", func(dir string) { gittest.WriteFile(t, dir, "my.db-wal", "") }, ""},
	} {
		dir := gittest.New(t, 2)
		gittest.WriteFile(t, dir, "dirty", "committed")
		gittest.Run(t, dir, "add", ".")
		gittest.Run(t, dir, "commit", "--quiet", "-m", "dirty")
		gittest.WriteFile(t, dir, "dirty", "edited")
		gittest.WriteFile(t, dir, "pkg/new.go", "")
		repo := open(t, dir)
		commit := resolve(t, repo, "HEAD")
		of := func() Differences {
			d, err := repo.Differences(t.Context(), commit.SHA, Own{Database: filepath.Join(repo.Root(), "my.db"), Results: []string{"out"}})
			if err != nil {
				t.Fatalf("%s: %v", tt.name, err)
			}
			return d
		}
		before := of()
		tt.change(dir)
		if changed := strings.Join(of().Changed(before), " "); changed != tt.want {
			t.Errorf("%s: %q changed, want %q", tt.name, changed, tt.want)
		}
	}
}
