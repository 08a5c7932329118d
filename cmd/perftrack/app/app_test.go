package app

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	os.Exit(m.Run())
}

// newApp returns perftrack standing in a fresh git repository with a benchmark
// program, and a function that commits there at the given date.
func newApp(t *testing.T) (a *App, commit func(date string) string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, ".cache"))
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	git := func(env []string, args ...string) string {
		c := exec.Command("git", append([]string{"-c", "user.name=T", "-c", "user.email=t@example.com"}, args...)...)
		c.Dir, c.Env = dir, append(os.Environ(), env...)
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	text := "[[target]]\nname = \"echo\"\nkind = \"command\"\nrun = \"echo BenchmarkX 1 5 ns/op\"\n"
	for name, text := range map[string]string{"perftrack.toml": text, ".gitignore": ".cache\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(nil, "init", "-q")
	git(nil, "add", ".")
	commit = func(date string) string {
		git([]string{"GIT_AUTHOR_DATE=" + date, "GIT_COMMITTER_DATE=" + date}, "commit", "-q", "--allow-empty", "-m", date)
		return git(nil, "rev-parse", "HEAD")
	}
	return &App{Dir: dir, Version: "test", Now: time.Now, Rand: rand.New(rand.NewPCG(1, 1))}, commit
}

// No clock decides the order of the history: neither the committer's, nor that of
// the machine that measured.
func TestHistoryOrderIgnoresClocks(t *testing.T) {
	ctx := context.Background()
	a, commit := newApp(t)
	var want []string
	clocks := []string{
		"2026-11-21T10:00:00Z", "2026-11-21T09:00:00Z", "2036-11-21T09:00:00Z", "1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z",
	}
	for i, date := range []string{
		"@4294967295 +0000", "1970-01-02T00:00:00Z", "2026-03-29T01:30:00+0100", "2026-03-29T01:30:00-0930", "2026-03-29T01:30:00Z",
	} {
		want = append(want, commit(date))
		now, err := time.Parse(time.RFC3339, clocks[i])
		if err != nil {
			t.Fatal(err)
		}
		a.Now = func() time.Time { return now }
		if _, err := Run(ctx, a, RunOptions{Rounds: 1}); err != nil {
			t.Fatal(err)
		}
	}
	// Measured last, and yet the oldest.
	if _, err := Run(ctx, a, RunOptions{Rounds: 1, Rev: want[0]}); err != nil {
		t.Fatal(err)
	}
	h, err := ReadHistory(ctx, a, "X", HistoryOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range h.Series[0].Points {
		got = append(got, p.Run.Commit.SHA)
	}
	got = slices.Compact(got)
	if !slices.Equal(got, want) {
		t.Errorf("history is in the order %v, want %v", got, want)
	}
	h, err = ReadHistory(ctx, a, "X", HistoryOptions{Limit: 2})
	if err != nil || len(h.Series[0].Points) != 2 || h.Series[0].Points[1].Run.Commit.SHA != want[4] {
		t.Errorf("the newest 2 commits are %v, %v", h, err)
	}
}

// An interrupted run is kept and never taken for the commit's result.
func TestPartialRunIsNoBaseline(t *testing.T) {
	a, commit := newApp(t)
	sha := commit("2026-01-01T00:00:00Z")
	ctx, cancel := context.WithCancel(context.Background())
	a.Progress = func(p runner.Progress) {
		if p.Round == 3 {
			cancel()
		}
	}
	res, err := Run(ctx, a, RunOptions{Rounds: 10})
	if err == nil || len(res.Runs) != 1 || res.Runs[0].Status != record.Partial || res.Runs[0].Rounds() != 2 {
		t.Fatalf("interrupted in round 3: %v, %+v", err, res.Runs)
	}
	ctx = context.Background()
	if _, err := Compare(ctx, a, []string{sha, sha}); err == nil || !strings.Contains(err.Error(), "no complete run") {
		t.Errorf("compare takes a partial run: %v", err)
	}
	if _, err := ReadHistory(ctx, a, "X", HistoryOptions{}); err == nil || !strings.Contains(err.Error(), "--all") {
		t.Errorf("history takes a partial run: %v", err)
	}
	if h, err := ReadHistory(ctx, a, "X", HistoryOptions{All: true}); err != nil || len(h.Series[0].Points) != 1 {
		t.Errorf("history --all: %v, %v", h, err)
	}
}

func TestParseDatabase(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"x.db", "/here/x.db"}, {"/abs/x.db", "/abs/x.db"}, {"sqlite:y.db", "/here/y.db"},
		{"odd?name#%.db", "/here/odd?name#%.db"}, {"postgres://h/d", ""}, {"sqlite:", ""},
	} {
		got, err := parseDatabase(tt.in, "/here")
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("parseDatabase(%q) = %q, %v, want %q", tt.in, got, err, tt.want)
		}
	}
}

func TestModuleName(t *testing.T) {
	for _, tt := range []struct{ mod, want string }{
		{"module github.com/cespare/xxhash/v2\n", "xxhash"}, {"// hi\nmodule \"example.com/x\"\n", "x"}, {"module v2\n", "v2"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(tt.mod), 0o644); err != nil {
			t.Fatal(err)
		}
		if got := moduleName(dir); got != tt.want {
			t.Errorf("moduleName(%q) = %q, want %q", tt.mod, got, tt.want)
		}
	}
	if got := fmt.Sprint(splitRange([]string{"a..b"}), splitRange([]string{"a..."}), splitRange([]string{"a.."})); got != "[a b] [a...] [a]" {
		t.Errorf("splitRange: %s", got)
	}
}

// A journal that cannot be read is set aside with a word, and stops nothing.
func TestDamagedJournal(t *testing.T) {
	ctx := context.Background()
	a, commit := newApp(t)
	commit("2026-01-01T00:00:00Z")
	path, err := a.DatabasePath(ctx)
	if err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(journalDir(path), "20260101T000000-00000000.bench")
	if err := os.MkdirAll(filepath.Dir(journal), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{journal: "perftrack-run: 1\nBenchmarkX 1 NaN ns/op\n" + roundMark, journal + ".lock": ""} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var notices []string
	a.Notice = func(s string) { notices = append(notices, s) }
	for range 2 {
		if _, err := Run(ctx, a, RunOptions{Rounds: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if len(notices) != 1 || !strings.Contains(notices[0], "cannot be read, it is kept as "+journal+".damaged") {
		t.Errorf("notices: %q", notices)
	}
	if text, err := os.ReadFile(journal + ".damaged"); err != nil || !strings.Contains(string(text), "NaN") {
		t.Errorf("the journal is gone: %q, %v", text, err)
	}
}

// A side fails alone: the other one is whole and may become a baseline.
func TestStatusIsOfEachSide(t *testing.T) {
	ctx := context.Background()
	a, commit := newApp(t)
	commit("2026-01-01T00:00:00Z")
	text := "[[target]]\nname = \"echo\"\nkind = \"command\"\nrun = \"echo BenchmarkX 1 5 ns/op; exit 1\"\n" +
		"[[target]]\nname = \"other\"\nkind = \"command\"\nrun = \"echo BenchmarkY 1 5 ns/op\"\n"
	if err := os.WriteFile(filepath.Join(a.Dir, "perftrack.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := Run(ctx, a, RunOptions{Rounds: 2})
	if err == nil || !strings.Contains(err.Error(), "1 benchmarks failed") || len(res.Runs) != 2 {
		t.Fatalf("%v, %d runs", err, len(res.Runs))
	}
	if res.Runs[0].Status != record.Failed || res.Runs[1].Status != record.Complete || res.Runs[0].Rounds() != 2 {
		t.Errorf("status %s of %d rounds, and %s", res.Runs[0].Status, res.Runs[0].Rounds(), res.Runs[1].Status)
	}
	// A filter that only one target meets measures that one.
	text = strings.Replace(text, "; exit 1", "", 1)
	if err := os.WriteFile(filepath.Join(a.Dir, "perftrack.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if res, err = Run(ctx, a, RunOptions{Rounds: 1, Bench: "Y"}); err != nil || len(res.Runs) != 1 || res.Runs[0].Target != "other" {
		t.Errorf("--bench Y: %v, %+v", err, res.Runs)
	}
	if _, err = Run(ctx, a, RunOptions{Rounds: 1, Bench: "Z"}); err == nil || !strings.Contains(err.Error(), "no benchmarks in target") {
		t.Errorf("--bench Z: %v", err)
	}
}

func TestRecorderStatus(t *testing.T) {
	m := &measuring{session: &App{Now: time.Now}, trial: "t", sides: make([]side, 2)}
	m.target.Name = "x"
	rec := newRecorder(m)
	res := func() *benchfmt.Result {
		return &benchfmt.Result{Name: benchfmt.Name("X"), Iters: 1, Values: []benchfmt.Value{{Value: 1, Unit: "ns/op"}}}
	}
	out := runner.Outcome{
		Environments: make([]record.Settings, 2), Facts: make([]record.Settings, 2),
		Failures: []runner.Failure{{Side: 1, Slot: runner.Slot{Bench: "Z"}, Reason: "exit status 1"}},
	}
	for n := 1; n <= 2; n++ {
		round := runner.Round{N: n, Samples: []runner.Sample{{Side: 0, Result: res()}, {Side: 1, Result: res()}}}
		if n == 2 { // cannot be stored: refused whole
			round.Samples[1].Result.Name = benchfmt.Name("bad\x07name")
		}
		if _, err := rec.take(round, out, time.Now()); (err != nil) != (n == 2) {
			t.Fatalf("round %d: %v", n, err)
		}
	}
	runs, err := rec.runs(true)
	if err != nil || len(runs) != 2 {
		t.Fatalf("%v, %d runs", err, len(runs))
	}
	if runs[0].Status != record.Complete || runs[1].Status != record.Failed || len(runs[0].Failures) != 0 || len(runs[1].Failures) != 1 {
		t.Errorf("base %s %v, head %s %v", runs[0].Status, runs[0].Failures, runs[1].Status, runs[1].Failures)
	}
	if runs[0].Rounds() != 1 || runs[1].Rounds() != 1 {
		t.Errorf("%d and %d rounds of 1 that could be stored", runs[0].Rounds(), runs[1].Rounds())
	}
}

// Many at once: each gets its journal, though others remove the directory.
func TestJournalsDoNotCollide(t *testing.T) {
	database := filepath.Join(t.TempDir(), "e[x", "perf.db")
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			a := &App{Now: time.Now, Rand: rand.New(rand.NewPCG(uint64(worker), 1))}
			for range 200 {
				j, err := a.newJournal(database)
				if err != nil {
					t.Errorf("new journal: %v", err)
					return
				}
				dead, err := deadJournals(database)
				if err != nil || len(dead) != 0 {
					t.Errorf("%d journals of the living are called dead, %v", len(dead), err)
				}
				if err := j.close(); err != nil {
					t.Errorf("close journal: %v", err)
				}
			}
		})
	}
	wg.Wait()
}
