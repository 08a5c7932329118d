package imports

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
)

// commitVersions commits n versions of results.txt.
func commitVersions(t *testing.T, a *workspace.Session, commit func(string) string, n int) {
	t.Helper()
	for i := range n {
		text := fmt.Sprintf("BenchmarkX-8 1000 %d ns/op\n", 100+i)
		if err := os.WriteFile(filepath.Join(a.Dir, "results.txt"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		add := exec.Command("git", "add", ".")
		add.Dir = a.Dir
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("git add: %v\n%s", err, out)
		}
		commit("2026-01-01T00:00:00Z")
	}
}

// An interrupted import keeps the runs it has stored, and the next import adds the rest.
func TestImportHistoryInterrupted(t *testing.T) {
	a, commit := workspacetest.New(t)
	commitVersions(t, a, commit, 5)
	ctx, cancel := context.WithCancel(t.Context())
	opt := Options{Progress: func(n, of int, _ string) {
		if of != 5 {
			t.Errorf("version %d of %d", n, of)
		}
		if n == 3 {
			cancel()
		}
	}}
	done, err := StoreHistory(ctx, a, []string{"results.txt"}, opt)
	if !errors.Is(err, context.Canceled) || len(done.Runs) != 2 {
		t.Fatalf("interrupted at the third version: %d stored, %v", len(done.Runs), err)
	}
	done, err = StoreHistory(t.Context(), a, []string{"results.txt"}, Options{})
	added := 0
	for _, d := range done.Runs {
		if d.Added {
			added++
		}
	}
	if err != nil || len(done.Runs) != 5 || added != 3 {
		t.Errorf("again: %d of %d added, %v", added, len(done.Runs), err)
	}
}
