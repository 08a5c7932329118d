package history

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/steps"
)

// lineOf returns the line for a unit in the only series with the given suite and branch.
func lineOf(t *testing.T, h History, suite, branch, unit string) steps.UnitLine {
	t.Helper()
	for _, s := range h.Series {
		for _, l := range s.Lines {
			if s.Suite == suite && s.Branch == branch && l.Unit == unit {
				return l
			}
		}
	}
	t.Fatalf("no line of suite %q, branch %q, unit %q", suite, branch, unit)
	return steps.UnitLine{}
}

// The high points in the history of another project are runs with a single sample, not confirmed by
// the neighboring runs, so they are outliers at their commits and not steps.
func TestCorpusOutliers(t *testing.T) {
	dir, reports := corpus(t)
	a, commit := workspacetest.New(t)
	commit("2026-01-01T00:00:00Z")
	for _, r := range reports {
		when, err := time.Parse(time.RFC3339, r.time)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := imports.StoreFiles(t.Context(), a, []string{filepath.Join(dir, r.file)}, imports.Options{Commit: r.commit, Time: when}); err != nil {
			t.Fatal(err)
		}
	}
	h, err := Read(t.Context(), a, "MatMul_512x512", Options{})
	if err != nil {
		t.Fatal(err)
	}
	line := lineOf(t, h, "enhanced", "", "ns/op")
	if len(line.Steps) != 0 {
		t.Errorf("steps %+v", line.Steps)
	}
	var high []string
	for _, o := range line.Outliers {
		if o.Change > 0 {
			high = append(high, fmt.Sprintf("%s %.0f %v", o.Commit[:8], o.Value*1e3, o.Open))
		}
	}
	want := []string{"2dd125bd 415 false", "9c1d5651 906 false", "5b7cf670 244 false"}
	if !slices.Equal(high, want) {
		t.Errorf("high outliers %q, want %q", high, want)
	}
	for _, s := range h.Series {
		for _, p := range s.Points {
			if len(p.Benchmark.Rounds) != 1 {
				t.Errorf("%d samples", len(p.Benchmark.Rounds))
			}
		}
	}
}

// In the nightly runs of the Go project with two toolchains, each toolchain has a line of its own,
// and steps are found in the medians of each night's repeated values.
func TestCorpusNightlies(t *testing.T) {
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "..", "shared", "corpora", "benchfmt", "benchseries"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "*-opt.2022*"))
	if err != nil || len(files) == 0 {
		t.Skipf("skipped: no corpus of nightly runs: %v", err)
	}
	a, commit := workspacetest.New(t)
	commit("2026-01-01T00:00:00Z")
	if _, err := imports.StoreFiles(t.Context(), a, files, imports.Options{}); err != nil {
		t.Fatal(err)
	}
	const name = "WriteSyncer/write_file_with_no_buffer"
	h, err := Read(t.Context(), a, "zapcore."+name, Options{})
	if err != nil {
		t.Fatal(err)
	}
	tip, base := lineOf(t, h, "bent-cron", "master", "ns/op"), lineOf(t, h, "bent-cron", "Go1.17", "ns/op")
	var commits []string
	for _, m := range tip.Runs {
		commits = append(commits, m.Commit)
	}
	want := strings.Fields("6178d25fc0 c8861432b8 95b240b2cd 301db3f5d2 24239120bf 3b5eec9370 3b5eec9370 3b5eec9370 e7d5857a5a b7fa0f941f")
	if !slices.Equal(commits, want) {
		t.Errorf("nights of the development branch\n%v\nwant\n%v", commits, want)
	}
	for _, m := range base.Runs {
		if m.Commit != "4a842985bf" {
			t.Errorf("a night of the release is of commit %s", m.Commit)
		}
	}
	if len(base.Runs) != 10 || len(base.Steps) != 0 {
		t.Errorf("release: %d nights, steps %+v", len(base.Runs), base.Steps)
	}
	if len(tip.Steps) != 1 {
		t.Fatalf("steps %+v", tip.Steps)
	}
	s := tip.Steps[0]
	if s.Last.Commit != "301db3f5d2" || s.First.Commit != "24239120bf" || s.Verdict != compare.Regressed || !s.Unresolved || math.Abs(s.Shift.Center-0.034) > 0.001 {
		t.Errorf("step %+v", s)
	}
	night := medianOfFile(t, filepath.Join(dir, "24239120bf-opt.20220112T213211"), "Benchmark"+name+"-")
	if math.Abs(s.First.Value/night-1) > 1e-9 {
		t.Errorf("value of a night %v, the median is %v", s.First.Value, night)
	}
}

// medianOfFile returns the median ns/op, in seconds, of the lines beginning with prefix.
func medianOfFile(t *testing.T, file, prefix string) float64 {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var values []float64
	for l := range strings.Lines(string(text)) {
		var n, ns float64
		if !strings.HasPrefix(l, prefix) {
			continue
		}
		f := strings.Fields(l)
		if _, err := fmt.Sscan(f[1]+" "+f[2], &n, &ns); err != nil {
			t.Fatal(err)
		}
		values = append(values, ns*1e-9)
	}
	slices.Sort(values)
	if len(values)%2 == 0 {
		t.Fatalf("%d values", len(values))
	}
	return values[len(values)/2]
}
