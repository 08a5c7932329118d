package exchangetest

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pullrequest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A trial with every field at its limit survives unchanged in an exported file, in another clone
// and in the journal of a killed process, and it can be shown in a comment.
func TestLargestTrialsGoEverywhere(t *testing.T) {
	sizes := []int{72}
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		sizes = append(sizes, 1, 7, 8, 2000)
	}
	for _, n := range sizes {
		tm := NewTeam(t, 4)
		from, imported, synced, recovered := tm.Apps[0], tm.Apps[1], tm.Apps[2], tm.Apps[3]
		runs := runtest.LargeTrial(n, 1, strings.Repeat("a", 40), strings.Repeat("b", 40))
		ids := tm.Add(from, runs...)
		want := tm.export(from)

		file := filepath.Join(t.TempDir(), artifact.FileName)
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := imports.StoreFiles(t.Context(), imported, []string{file}, imports.Options{}); err != nil {
			t.Fatalf("import %d benchmarks: %v", n, err)
		}
		tm.Sync(from, exchange.SyncOptions{All: true})
		tm.Sync(synced, exchange.SyncOptions{})
		tm.leaveJournal(from, recovered, runs)
		for way, a := range map[string]*workspace.Session{"import": imported, "sync": synced, "journal": recovered} {
			tm.want(a, slices.Clone(ids)...)
			if got := tm.export(a); !bytes.Equal(got, want) {
				t.Errorf("%d benchmarks after %s: %d bytes are exported, want the same %d", n, way, len(got), len(want))
			}
		}

		read, err := artifact.ParseRuns(want, file)
		if err != nil {
			t.Fatalf("read the artifact of %d benchmarks: %v", n, err)
		}
		for i, r := range read {
			if r.ID() != ids[i] {
				t.Errorf("run %d of %d benchmarks is another one in an artifact", i, n)
			}
		}
		res, err := pullrequest.Comment(t.Context(), imported, pullrequest.Options{Trial: file, DryRun: true})
		if err != nil || !strings.Contains(res.Body, record.ShortHash(runs[0].Commit.SHA)) {
			t.Errorf("comment on %d benchmarks: %v\n%s", n, err, res.Body)
		}
	}
}

// export returns a clone's runs in the format of perftrack export.
func (tm *Team) export(a *workspace.Session) []byte {
	tm.t.Helper()
	var text bytes.Buffer
	if err := exchange.Export(tm.t.Context(), a, nil, &text); err != nil {
		tm.t.Fatal(err)
	}
	return text.Bytes()
}

// leaveJournal makes one clone write a round to its journal and moves the journal to another clone.
// The other clone finds it as if a power failure had left it there, without its lock.
func (tm *Team) leaveJournal(from, to *workspace.Session, round []*record.Run) {
	tm.t.Helper()
	here, err := from.DatabasePath(tm.t.Context())
	if err != nil {
		tm.t.Fatal(err)
	}
	there, err := to.DatabasePath(tm.t.Context())
	if err != nil {
		tm.t.Fatal(err)
	}
	j, err := from.NewJournal(here)
	if err != nil {
		tm.t.Fatal(err)
	}
	if err := j.Write(round); err != nil {
		tm.t.Fatal(err)
	}
	left := filepath.Join(workspace.JournalDir(there), filepath.Base(j.Path))
	if err := os.MkdirAll(filepath.Dir(left), 0o755); err != nil {
		tm.t.Fatal(err)
	}
	if err := os.Rename(j.Path, left); err != nil {
		tm.t.Fatal(err)
	}
	if err := j.Close(); err != nil {
		tm.t.Fatal(err)
	}
}
