package history

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/record"
)

// A report is one line in the corpus's manifest.
type report struct{ file, commit, time, path string }

// corpus returns the profile reports of another project, in the order of its commits, and their
// folder. It skips the test if the corpus is missing.
func corpus(t *testing.T) (dir string, reports []report) {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "..", "shared", "corpora", "smallmind"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "manifest.tsv"))
	if err != nil {
		t.Skipf("skipped: no corpus of profile reports: %v", err)
	}
	defer func() { _ = f.Close() }()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if c := strings.Split(lines.Text(), "\t"); c[0] != "file" {
			reports = append(reports, report{c[0], c[1], c[2], c[3]})
		}
	}
	if len(reports) != 24 {
		t.Fatalf("%d reports", len(reports))
	}
	return dir, reports
}

// rows returns the commits in the history of MatMul_512x512 for one suite, in the order shown.
func rows(t *testing.T, a *workspace.Session, suite string) (shas []string) {
	t.Helper()
	h, err := Read(t.Context(), a, "MatMul_512x512", Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Series) != 2 {
		t.Fatalf("%d series", len(h.Series))
	}
	for _, s := range h.Series {
		for _, p := range s.Points {
			if s.Suite == suite {
				shas = append(shas, p.Run.Commit.SHA)
			}
		}
	}
	return shas
}

// If the corpus is imported with --commit and --time into a repository without its commits, in any
// order, its history is in the order of the times.
func TestCorpusByCommitTime(t *testing.T) {
	dir, reports := corpus(t)
	a, commit := workspacetest.New(t)
	commit("2026-01-01T00:00:00Z")
	slices.Reverse(reports)
	want := map[string][]string{}
	for _, r := range reports {
		when, err := time.Parse(time.RFC3339, r.time)
		if err != nil {
			t.Fatal(err)
		}
		done, err := imports.StoreFiles(t.Context(), a, []string{filepath.Join(dir, r.file)}, imports.Options{Commit: r.commit, Time: when})
		if err != nil || len(done.Runs) != 1 || !done.Runs[0].Added || !done.Runs[0].Commit.Time.Equal(when) {
			t.Fatalf("%s: %v, %v", r.file, done, err)
		}
		runs, err := imports.ReadFile(a, filepath.Join(dir, r.file))
		if err != nil {
			t.Fatal(err)
		}
		id := record.BenchmarkID{Kind: record.Scope, Name: "MatMul_512x512"}
		for _, id.Suite = range []string{"deep", "enhanced"} {
			if slices.ContainsFunc(runs[0].Benchmarks, func(b record.Benchmark) bool { return b.BenchmarkID == id }) {
				want[id.Suite] = slices.Insert(want[id.Suite], 0, r.commit)
			}
		}
	}
	if len(want["deep"]) != 4 || len(want["enhanced"]) != 17 {
		t.Errorf("%d and %d reports have MatMul_512x512", len(want["deep"]), len(want["enhanced"]))
	}
	for suite := range want {
		if got := rows(t, a, suite); !slices.Equal(got, want[suite]) {
			t.Errorf("suite %s: rows\n%v\nwant\n%v", suite, got, want[suite])
		}
	}
}

// If the corpus is committed as in its project, but with clocks running backwards, its history is
// in the order of the commits.
func TestCorpusByGitHistory(t *testing.T) {
	dir, reports := corpus(t)
	a, commit := workspacetest.New(t)
	at := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	var all []string
	for i, r := range reports {
		text, err := os.ReadFile(filepath.Join(dir, r.file))
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(a.Dir, filepath.FromSlash(r.path))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		add := exec.Command("git", "add", ".")
		add.Dir = a.Dir
		if out, err := add.CombinedOutput(); err != nil {
			t.Fatalf("git add: %v\n%s", err, out)
		}
		if i+1 < len(reports) && reports[i+1].commit == r.commit {
			continue // two reports for one commit
		}
		at = at.Add(-time.Hour)
		all = append(all, commit(at.Format(time.RFC3339)))
	}
	for _, state := range []bool{true, false} {
		done, err := imports.StoreHistory(t.Context(), a, []string{"**/*profile-report.md"}, imports.Options{})
		if err != nil || len(done.Runs) != 24 {
			t.Fatalf("%d runs, %v", len(done.Runs), err)
		}
		for _, d := range done.Runs {
			if d.Added != state || len(d.Commit.Tree) != 40 || d.Commit.Time.IsZero() {
				t.Errorf("%s: added %v, commit %+v", d.File, d.Added, d.Commit)
			}
		}
	}
	for suite, n := range map[string]int{"deep": 4, "enhanced": 17} {
		got := rows(t, a, suite)
		inOrder := slices.IsSortedFunc(got, func(x, y string) int { return slices.Index(all, x) - slices.Index(all, y) })
		if len(slices.Compact(slices.Clone(got))) != n || !inOrder {
			t.Errorf("suite %s: rows\n%v\nof the commits\n%v", suite, got, all)
		}
	}
}

// In each report, the times of the top-level scopes add up to at most the time of the run, and so
// do the self times.
func TestCorpusProfilesAddUp(t *testing.T) {
	dir, reports := corpus(t)
	a, commit := workspacetest.New(t)
	commit("2026-01-01T00:00:00Z")
	for _, r := range reports {
		done, err := imports.StoreFiles(t.Context(), a, []string{filepath.Join(dir, r.file)}, imports.Options{Commit: r.commit})
		if err != nil || len(done.Runs) != 1 {
			t.Fatalf("%s: %v, %v", r.file, done, err)
		}
		run := storedRun(t, a, done.Runs[0].ID)
		var told float64 // milliseconds
		if _, err := fmt.Sscan(run.Facts.Get("total-runtime"), &told); err != nil {
			t.Fatalf("%s: %v", r.file, err)
		}
		for _, calls := range tree.Of(run) {
			var self float64
			for _, m := range calls.Methods() {
				if m.Self == m.Self {
					self += m.Self
				}
				if m.Objects == m.Objects {
					t.Errorf("%s: %s has %g objects, which no report counts", r.file, m.Name, m.Objects)
				}
			}
			const rounded = 1e5 // nanoseconds; rows are printed with a precision of a hundredth of a millisecond or better
			if !calls.Placed || !(calls.Total/1e6 <= told) || !(self <= calls.Total+rounded) || self < calls.Total/2 {
				t.Errorf("%s: self times %.2f ms, run %.2f ms, of %.2f ms", r.file, self/1e6, calls.Total/1e6, told)
			}
		}
	}
}

// storedRun returns a run of the session's database.
func storedRun(t *testing.T, a *workspace.Session, id string) *record.Run {
	t.Helper()
	db, err := a.OpenForReading(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	run, err := db.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return run
}
