package pages

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// stored returns a session with runs in its database.
func stored(t *testing.T, runs ...*record.Run) *workspace.Session {
	t.Helper()
	a, commit := workspacetest.New(t)
	sha := commit("2026-01-01T00:00:00Z")
	db, _, err := a.OpenForWriting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs {
		if r.Commit.SHA == "" {
			r.Commit = record.Commit{SHA: sha, Tree: strings.Repeat("a", 40)}
		}
		if _, _, err := db.Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return a
}

func open(t *testing.T, a *workspace.Session) *Site {
	t.Helper()
	s, err := Open(t.Context(), a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// trialAt returns the runs on both sides of a trial. Benchmark B scatters by about 1 %.
func trialAt(id, procedure string, hour int, facts ...string) []*record.Run {
	var runs []*record.Run
	for k, side := range []record.Side{record.Base, record.Head} {
		r := &record.Run{
			Target: "echo", Trial: id, Side: side, Status: record.Complete, Tool: "test",
			Env:   record.Settings{{Key: record.KeyGOOS, Value: "linux"}},
			Start: time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC), End: time.Date(2026, 1, 2, hour, 30, 0, 0, time.UTC),
		}
		pairs.SetDecision(r)
		if procedure != "" {
			r.Protocol.Procedure = procedure
		}
		for i := 0; i+1 < len(facts); i += 2 {
			r.Facts = r.Facts.Set(facts[i], facts[i+1])
		}
		b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: "B"}}
		var values []float64
		for n := range 20 {
			b.Rounds = append(b.Rounds, record.Round{N: n + 1, Order: k, Iters: 10, Seed: uint64(n + 1)})
			values = append(values, 1000*(1+0.01*math.Sin(float64(7*n+13*k+3*n*n*k))))
		}
		b.Samples = []record.Samples{{Unit: "ns/op", Values: values}}
		r.Benchmarks = []record.Benchmark{b}
		runs = append(runs, r)
	}
	return runs
}

// Calibrations and trials are distinguished, and other runs are left out.
func TestMachine(t *testing.T) {
	var runs []*record.Run
	for i, one := range []struct{ id, procedure string }{
		{"trial-1", ""}, {"calibration-1", pairs.ProcedureCalibrate}, {"trial-2", pairs.ProcedureCheck},
		{workspace.BisectTrialPrefix + "1", ""}, {"anchored", anchors.Procedure},
	} {
		runs = append(runs, trialAt(one.id, one.procedure, i+1, record.KeyLoad, fmt.Sprint(0.5+float64(i)))...)
	}
	half := trialAt("half", "", 9)[:1]
	s := open(t, stored(t, append(runs, half...)...))
	m, err := s.Machine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Calibrations) != 1 || m.Calibrations[0].Key != "calibration-1" || float64(m.Calibrations[0].Load) != 1.5 || m.Calibrations[0].Measured != 20 {
		t.Errorf("calibrations %+v", m.Calibrations)
	}
	var trials []string
	for _, one := range m.Trials {
		trials = append(trials, fmt.Sprintf("%s %d %d", one.Key, one.Rows, one.Time/3600%24))
	}
	if got, want := strings.Join(trials, ", "), "trial-1 1 1, trial-2 1 3"; got != want {
		t.Errorf("trials %s, want %s", got, want)
	}
	detects, err := s.detects(t.Context())
	if err != nil || detects == nil || math.Abs(*detects-float64(m.Calibrations[0].Detects)) > 0 {
		t.Errorf("a check finds %v (%v), the calibration says %v", detects, err, m.Calibrations[0].Detects)
	}
	again, err := s.Machine(t.Context())
	if err != nil || len(again.Trials) != 2 || len(again.Trust) != 1 {
		t.Errorf("the second time %+v (%v)", again, err)
	}
}

// The newest run with a model is shown or, if there is none, the newest run with a kernel.
func TestModels(t *testing.T) {
	profile := func(hour int, text string) *record.Run {
		r := runtest.Parse(t, "profile: scopes\nsuite: enhanced\n"+text)[0]
		r.Target, r.Tool, r.Status = "engine", "test", record.Complete
		r.Start = time.Date(2026, 1, 2, hour, 0, 0, 0, time.UTC)
		r.End = r.Start
		return r
	}
	kernel := "BenchmarkMatMul_64x64 1 524288 ns/op 524288 self-ns/op\n"
	model := "BenchmarkModel_Small_Inference 1 2000 ns/op 0 self-ns/op\nBenchmarkModel_Small_Inference/Model_Small_GenerateToken 4 500 ns/op 500 self-ns/op\n"
	s := open(t, stored(t, profile(1, model), profile(2, kernel+model), profile(3, kernel)))
	m, err := s.Models(t.Context())
	if err != nil || m.Run != 1 || len(m.Suites) != 1 || len(m.Suites[0].Models) != 1 || len(m.Suites[0].Kernels) != 1 {
		t.Fatalf("models %+v (%v): the newest run has none", m, err)
	}
	other := profile(3, kernel)
	other.Env = record.Settings{{Key: record.KeyCPU, Value: "Example"}}
	a := stored(t, other)
	s = open(t, a)
	if m, err = s.Models(t.Context()); err != nil || m.Run != 0 || len(m.Suites[0].Kernels) != 1 || !math.IsNaN(float64(m.Suites[0].Peak)) {
		t.Errorf("kernels %+v (%v)", m, err)
	}
	reference := filepath.Join(a.Dir, config.ReferenceFile)
	peaks := "[[peak]]\nmachine = \"Other\"\nunit = \"GFLOPS\"\nvalue = 4\nsource = \"book\"\n[[peak]]\nmachine = \"Example\"\nunit = \"GFLOPS\"\nvalue = 2\nsource = \"book\"\n"
	if err := os.WriteFile(reference, []byte(peaks), 0o644); err != nil {
		t.Fatal(err)
	}
	if m, err = s.Models(t.Context()); err != nil || float64(m.Suites[0].Kernels[0].Peak) != 0.5 || m.Suites[0].Source != "reference.toml, book" {
		t.Errorf("of the peak %+v (%v)", m, err)
	}
	if err := os.WriteFile(reference, []byte("[[peak"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err = s.Models(t.Context()); err == nil || !strings.Contains(err.Error(), config.ReferenceFile+":1") {
		t.Errorf("of a damaged reference.toml: %v", err)
	}
	s = open(t, stored(t, trialAt("t", "", 1)...))
	if m, err = s.Models(t.Context()); err != nil || m.Run != -1 || len(m.Suites) != 0 {
		t.Errorf("of somebody else's benchmarks %+v (%v)", m, err)
	}
}
