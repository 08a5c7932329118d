package measure

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
)

// An unreadable journal is set aside with a notice, and does not stop the measurement.
func TestDamagedJournal(t *testing.T) {
	ctx := context.Background()
	a, commit := workspacetest.New(t)
	commit("2026-01-01T00:00:00Z")
	path, err := a.DatabasePath(ctx)
	if err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(workspace.JournalDir(path), "20260101T000000-00000000.bench")
	if err := os.MkdirAll(filepath.Dir(journal), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{journal: "perftrack-run: 1\nBenchmarkX 1 NaN ns/op\n" + workspace.RoundMark, journal + ".lock": ""} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var notices []string
	a.Notice = func(s string) { notices = append(notices, s) }
	for range 2 {
		if _, err := Run(ctx, a, Options{Flags: Flags{Rounds: 1}}); err != nil {
			t.Fatal(err)
		}
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "cannot read journal "+journal+" (kept as "+journal+".damaged") {
		t.Errorf("notices: %q", notices)
	}
	if text, err := os.ReadFile(journal + ".damaged"); err != nil || !strings.Contains(string(text), "NaN") {
		t.Errorf("the journal is gone: %q, %v", text, err)
	}
}
