package measure

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/runner"
	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

func TestMain(m *testing.M) { workspacetest.Main(m) }

// If one target fails, the run of the other is complete and may become a baseline.
func TestStatusIsOfEachSide(t *testing.T) {
	ctx := context.Background()
	a, commit := workspacetest.New(t)
	commit("2026-01-01T00:00:00Z")
	text := "[[target]]\nname = \"echo\"\nkind = \"command\"\nrun = \"echo BenchmarkX 1 5 ns/op; exit 1\"\n" +
		"[[target]]\nname = \"other\"\nkind = \"command\"\nrun = \"echo BenchmarkY 1 5 ns/op\"\n"
	if err := os.WriteFile(filepath.Join(a.Dir, "perftrack.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := Run(ctx, a, Options{Flags: Flags{Rounds: 2}})
	if err == nil || !strings.Contains(err.Error(), "1 benchmark failed") || len(res.Runs) != 2 {
		t.Fatalf("%v, %d runs", err, len(res.Runs))
	}
	if res.Runs[0].Status != record.Failed || res.Runs[1].Status != record.Complete || res.Runs[0].Rounds() != 2 {
		t.Errorf("status %s of %d rounds, and %s", res.Runs[0].Status, res.Runs[0].Rounds(), res.Runs[1].Status)
	}
	// A filter matching benchmarks in only one target measures only that target.
	text = strings.Replace(text, "; exit 1", "", 1)
	if err := os.WriteFile(filepath.Join(a.Dir, "perftrack.toml"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if res, err = Run(ctx, a, Options{Flags: Flags{Rounds: 1, Bench: "Y"}}); err != nil || len(res.Runs) != 1 || res.Runs[0].Target != "other" {
		t.Errorf("--bench Y: %v, %+v", err, res.Runs)
	}
	if _, err = Run(ctx, a, Options{Flags: Flags{Rounds: 1, Bench: "Z"}}); err == nil || !strings.Contains(err.Error(), "no benchmarks in target") {
		t.Errorf("--bench Z: %v", err)
	}
}

func TestRecordingStatus(t *testing.T) {
	spec := &Spec{Session: &workspace.Session{Now: time.Now}, Target: config.Target{Name: "x"}, Trial: "t"}
	rec := newRecording(spec, make([]Side, 2))
	res := func() *benchfmt.Result {
		return &benchfmt.Result{Name: benchfmt.Name("X"), Iters: 1, Values: []benchfmt.Value{{Value: 1, Unit: "ns/op"}}}
	}
	out := runner.Outcome{
		Environments: make([]record.Settings, 2), Facts: make([]record.Settings, 2),
		Failures: []runner.Failure{{Side: 1, Slot: program.Slot{Bench: "Z"}, Reason: "exit status 1"}},
	}
	for n := 1; n <= 2; n++ {
		round := runner.Round{N: n, Samples: []runner.Sample{{Side: 0, Result: res()}, {Side: 1, Result: res()}}}
		if n == 2 { // cannot be stored, so the whole round is refused
			round.Samples[1].Result.Name = benchfmt.Name("bad\x07name")
		}
		if _, err := rec.add(round, out, time.Now()); (err != nil) != (n == 2) {
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

// If a package of base does not build, there is a run for each side only if both sides were built
// at all. Otherwise, both sides are stored as failed.
func TestRecordingUnbuilt(t *testing.T) {
	spec := &Spec{Session: &workspace.Session{Now: time.Now}, Target: config.Target{Name: "x"}, Trial: "t", Plan: runner.Plan{Spec: program.Spec{OneSided: true}}}
	for _, environments := range []int{0, 1, 2} {
		rec := newRecording(spec, make([]Side, 2))
		rec.outcome = runner.Outcome{
			Environments: make([]record.Settings, environments), Facts: make([]record.Settings, 2),
			Unbuilt: []program.Unbuilt{{Side: 0, Package: "p", Err: &build.Error{What: "p", Err: os.ErrInvalid}}},
		}
		runs, err := rec.runs(false)
		if err != nil || (len(runs) == 2) != (environments == 2) {
			t.Errorf("%d sides are built: %d runs, %v", environments, len(runs), err)
		}
	}
}

// A run joining another trial keeps the list of edited benchmarks, with one entry for all values of
// GOMAXPROCS. A benchmark is listed as rewritten if the warm-up cannot measure it with shared test
// files.
func TestRecordingOfEdited(t *testing.T) {
	spec := &Spec{Session: &workspace.Session{Now: time.Now}, Target: config.Target{Name: "x"}, Trial: "t"}
	rec := newRecording(spec, make([]Side, 2))
	at := func(procs int) program.Slot { return program.Slot{Package: "p", Bench: "A", Procs: procs} }
	rec.noteEdited(runner.Outcome{Shared: []runner.Shared{{Slot: at(1), Tests: 1}, {Slot: at(2), Tests: 1}}})
	rec.Join("u")
	noted := func(want string) {
		t.Helper()
		for _, h := range rec.headers {
			if got := record.CompactJSON(h.Protocol); got != want {
				t.Errorf("%s: %s, want %s", h.Side, got, want)
			}
		}
	}
	noted(`{"decision":"typical-and-mean","tests":[{"package":"p","of":"head","edited":["A"]}]}`)
	rec.noteEdited(runner.Outcome{Rewritten: []program.Slot{at(1), at(2)}})
	noted(`{"decision":"typical-and-mean","rewritten":[{"package":"p","name":"A"}]}`)
}
