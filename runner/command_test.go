package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

// commandPlan returns a plan for one round of a target with the run line in dirs.
func commandPlan(run string, dirs ...string) Plan {
	p := Plan{Spec: program.Spec{Target: config.Target{Name: "c", Kind: config.Command, Run: run}}, Rounds: 1}
	names := []string{""}
	if len(dirs) == 2 {
		names = []string{"base", "head"}
	}
	for i, dir := range dirs {
		p.Sides = append(p.Sides, program.Side{Name: names[i], Dir: dir})
	}
	return p
}

// sampled lists the samples of the rounds as result lines, with their means.
func sampled(rounds []Round) (all []string) {
	for _, r := range rounds {
		for _, s := range r.Samples {
			line := fmt.Sprintf("%s %s %d", s.Result.GetConfig(record.KeyRound), s.Result.Name, s.Result.Iters)
			for _, v := range s.Result.Values {
				value := v.Value
				if v.OrigUnit != "" {
					value = v.OrigValue
				}
				line += fmt.Sprintf(" %g %s", value, format.UnitOf(v))
			}
			for _, key := range []string{record.KeyMean, record.KeySlow} {
				if v := s.Result.GetConfig(key); v != "" {
					line += " " + key + "=" + v
				}
			}
			all = append(all, line)
		}
	}
	return all
}

// What a process writes is read instead of what it prints, and what an earlier one wrote never counts.
func TestCommandResults(t *testing.T) {
	const once = `if [ -e out/a.txt ] || [ -e b.txt ]; then echo "there is one already" >&2; exit 1; fi; echo BenchmarkNot 1 1 ns/op; `
	for _, tt := range []struct {
		what, run, want, failure string
	}{
		{"both", once + "echo BenchmarkA 1 2 ns/op >out/a.txt; echo BenchmarkB 1 3 ns/op >b.txt", "1 A 1 2 ns/op, 1 B 1 3 ns/op", ""},
		{"one", once + "echo BenchmarkA 1 2 ns/op >out/a.txt", "1 A 1 2 ns/op", "unreadable output: the run line wrote no b.txt (" + once},
		{"nothing in them", "echo log >out/a.txt; >b.txt", "", "wrote no benchmark results to ./out/a.txt, b.txt"},
		{"a folder", once + "mkdir out/a.txt", "", "unreadable output: read out/a.txt: no known format in folder"},
		{"a pipe", "mkfifo out/a.txt", "", "out/a.txt is neither a file nor a folder"},
		{"a link to the outside", "ln -s /etc/passwd out/a.txt", "", "path escapes from parent"},
		{"in another folder", "rm -rf out && ln -s /tmp out", "", "path escapes from parent"},
	} {
		dir := t.TempDir()
		p := commandPlan(tt.run, dir)
		p.Target.Results = []string{"./out/a.txt", "b.txt"}
		write(t, dir, "b.txt", "BenchmarkOld 1 1 ns/op\n")
		rounds, out, err := drive(t.Context(), p, Schedule{}, nil)
		if err != nil && tt.want != "" {
			t.Errorf("%s: %v", tt.what, err)
		}
		if got := strings.Join(sampled(rounds), ", "); got != tt.want {
			t.Errorf("%s: measured %q, want %q", tt.what, got, tt.want)
		}
		failure := ""
		for _, f := range out.Failures {
			failure += f.Reason
		}
		if !strings.Contains(failure, tt.failure) || tt.failure == "" && failure != "" {
			t.Errorf("%s: failed with %q, want %q", tt.what, failure, tt.failure)
		}
	}
}

// A result is removed only inside the target's folder.
func TestCommandResultsStayInside(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	write(t, outside, "kept", "kept")
	if err := errors.Join(os.Symlink(outside, filepath.Join(dir, "out")), os.Symlink(outside, filepath.Join(dir, "r"))); err != nil {
		t.Fatal(err)
	}
	for _, results := range []string{"out/kept", "r"} {
		p := commandPlan("true", dir)
		p.Target.Results = []string{results}
		_, _, err := drive(t.Context(), p, Schedule{}, nil)
		if escapes := err != nil && strings.Contains(err.Error(), "path escapes from parent"); escapes != (results == "out/kept") {
			t.Errorf("%s: %v", results, err)
		}
	}
	if _, err := os.Stat(filepath.Join(outside, "kept")); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "r")); err == nil {
		t.Error("the link in the place of a result is still there")
	}
}

// In a box a process can write its results, each time, and nothing else.
func TestCommandResultsInBox(t *testing.T) {
	if err := proc.Boxable(t.Context()); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	p := commandPlan("echo BenchmarkOut 1 1 ns/op >out.txt; mkdir out/new && echo BenchmarkIn 1 1 ns/op >out/new/in.txt; touch other src/other; ls out/new src", dir)
	p.Isolate, p.Rounds, p.Target.Results = true, 3, []string{"out.txt", "out"}
	if err := os.Mkdir(filepath.Join(dir, "src"), 0o755); err != nil {
		t.Fatal(err)
	}
	b, err := Build(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for i := range p.Rounds {
		s, err := b.m.sample(t.Context(), 0, b.m.open[0])
		if err != nil || fmt.Sprint(len(s.results), s.failure) != "1unreadable output: read out: no known format in folder" {
			t.Errorf("round %d: %d results, %s, %v", i, len(s.results), s.failure, err)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "out", "new", "in.txt")); err != nil || !strings.Contains(string(text), "BenchmarkIn") {
		t.Errorf("%q, %v", text, err)
	}
	for _, name := range []string{"other", "src/other"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("the process wrote %s", name)
		}
	}
}

// A file of the user's is no result.
func TestCommandResultsTracked(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "bench.json", "{}")
	p := commandPlan("true", dir)
	p.Target.Results = []string{"bench.json"}
	for _, args := range [][]string{{"init", "-q"}, {"add", "bench.json"}} {
		if out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	if _, _, err := drive(t.Context(), p, Schedule{}, nil); err == nil || err.Error() != "target c: results are removed before each process, but git tracks bench.json" {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "bench.json")); err != nil {
		t.Error(err)
	}
}

// What a process printed before its time ran out is kept.
func TestCommandTimeout(t *testing.T) {
	livetest.Skip(t)
	p := commandPlan("printf 'BenchmarkA 1 100 ns/op\nBenchmarkB 1 20'; exec sleep 1000", t.TempDir())
	p.Timeout = time.Second
	m, err := Build(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	s, err := m.m.sample(t.Context(), 0, m.m.open[0])
	if err != nil || len(s.results) != 1 || string(s.results[0].Name) != "A" || s.failure != "killed: timed out after 1s: raise --timeout, or timeout in perftrack.toml" {
		t.Errorf("%+v, %v", s, err)
	}
}

// Without a format the output decides, and the Go benchmark format is the default.
func TestCommandFormat(t *testing.T) {
	for _, tt := range []struct{ format, text, want, failure string }{
		{"", "BenchmarkA 1 2 ns/op", "1 A 1 2 ns/op", ""},
		{"gobench", "BenchmarkA 1 2 ns/op", "1 A 1 2 ns/op", ""},
		{"", "name  calls  total (ms)  avg (ms)\nA  2  4.0  2.0", "1 A 2 2e+06 ns/op 4e+06 total-ns", ""},
		{"gobench", "name  calls  total (ms)  avg (ms)\nA  2  4.0  2.0", "", "its results look like scope-table, but perftrack.toml declares the format gobench"},
		{"hyperfine", "BenchmarkA 1 2 ns/op", "", "its results look like gobench, but perftrack.toml declares the format hyperfine"},
		{"gobench", "hello", "", "printed nothing in the format gobench"},
		{"", "hello", "", "printed nothing in a known format, such as BenchmarkX 100 1234 ns/op: name its format"},
	} {
		dir := t.TempDir()
		write(t, dir, "out.txt", tt.text+"\n")
		p := commandPlan("cat out.txt", dir)
		p.Target.Format = tt.format
		rounds, out, _ := drive(t.Context(), p, Schedule{}, nil)
		if got := strings.Join(sampled(rounds), ", "); got != tt.want {
			t.Errorf("%q as %q: measured %q, want %q", tt.text, tt.format, got, tt.want)
		}
		if tt.failure != "" && (len(out.Failures) != 1 || !strings.HasPrefix(out.Failures[0].Reason, tt.failure)) {
			t.Errorf("%q as %q: %v", tt.text, tt.format, out.Failures)
		}
	}
	p := commandPlan("true", t.TempDir())
	p.Target.Format = "goobench"
	if _, _, err := drive(t.Context(), p, Schedule{}, nil); err == nil || !strings.Contains(err.Error(), `target c: unknown format "goobench"`) {
		t.Error(err)
	}
}

// A harness of C++ repeats its benchmarks, and says which of them failed. Its format is detected.
func TestCommandGoogleBenchmark(t *testing.T) {
	const text = `{"context": {"num_cpus": 8, "library_build_type": "release"}, "benchmarks": [
{"name": "BM_A/8", "run_name": "BM_A/8", "run_type": "iteration", "repetition_index": 0, "iterations": 10, "real_time": 100, "cpu_time": 90, "time_unit": "us"},
{"name": "BM_A/8", "run_name": "BM_A/8", "run_type": "iteration", "repetition_index": 1, "iterations": 20, "real_time": 104, "cpu_time": 94, "time_unit": "us"},
{"name": "BM_B-2", "run_name": "BM_B-2", "run_type": "iteration", "error_occurred": true, "error_message": "no file", "iterations": 0, "real_time": 0, "cpu_time": 0, "time_unit": "ns"}
]}`
	dir := t.TempDir()
	write(t, dir, "out.json", text)
	rounds, out, err := drive(t.Context(), commandPlan("cat out.json", dir), Schedule{}, nil)
	got := strings.Join(sampled(rounds), ", ")
	if err != nil || !strings.HasPrefix(got, "1 BM_A/8 30 102000 ns/op ") || !strings.HasSuffix(got, " slice-mean=102000") || len(rounds[0].Samples) != 1 {
		t.Errorf("measured %q, %v", got, err)
	}
	if env := out.Environments[0]; !env.WholeNames() || env.Get(record.KeyCPUCount) == "8" {
		t.Errorf("the environment is %v", env)
	}
	if len(out.Failures) != 1 || out.Failures[0].Slot.String() != "BM_B-2" || out.Failures[0].Reason != "it failed: no file" {
		t.Errorf("failures %v", out.Failures)
	}
}

// The repetitions in a process are one sample: the medians, and the mean beside them.
func TestCommandRepetitions(t *testing.T) {
	const text = `pkg: p
BenchmarkA 10 100 ns/op 7 B/op
BenchmarkB 5 50 ns/op
BenchmarkA 20 102 ns/op 7 B/op
BenchmarkA 10 101 ns/op 9 B/op
BenchmarkA 10 900 ns/op 7 B/op
pkg: q
BenchmarkA 1 0 ns/op
BenchmarkA 1 8 ns/op
BenchmarkS 1 120 ns/op 3 sd-ns/op 100 summary-n
BenchmarkT 1 5 low-water
BenchmarkU 2 3 ops/s
BenchmarkU 2 5 ops/s
`
	want := []string{
		"1 A 50 101.5 ns/op 7 B/op slice-mean=300.75 slow-slices=0.25", "1 B 5 50 ns/op", "1 A 2 4 ns/op slice-mean=4",
		"1 S 1 120 ns/op", "1 T 1 5 low-water", "1 U 4 4 ops/s",
	}
	dir := t.TempDir()
	write(t, dir, "out.txt", text)
	rounds, out, err := drive(t.Context(), commandPlan("cat out.txt", dir), Schedule{}, nil)
	if got := sampled(rounds); err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("measured %q, %v, %v; want %q", got, out.Failures, err, want)
	}
	if v := rounds[0].Samples[0].Result.Values[0]; v.Unit != "sec/op" || fmt.Sprintf("%.5g", v.Value) != "1.015e-07" {
		t.Errorf("the normalized value is %g %s", v.Value, v.Unit)
	}
}

// A program whose names are whole says so, and its environment keeps them.
func TestCommandNamesAreWhole(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct{ line, want string }{{"gomaxprocs: in names", record.ProcsInNames}, {"gomaxprocs: 7", "2"}, {"note: x", "2"}} {
		write(t, dir, "out.txt", tt.line+"\nBenchmarkfib-2 1 2 ns/op\nBenchmarkfib 1 2 ns/op\n")
		p := commandPlan("cat out.txt", dir)
		t.Setenv("GOMAXPROCS", "2")
		_, out, err := drive(t.Context(), p, Schedule{}, nil)
		if got := out.Environments[0].Get(record.KeyGOMAXPROCS); err != nil || got != tt.want {
			t.Errorf("%s: GOMAXPROCS is %q, want %q; %v", tt.line, got, tt.want, err)
		}
	}
}

// After Ctrl-C, what a long process has printed so far is kept, and in a trial it is not.
func TestCommandInterrupted(t *testing.T) {
	const run = "printf 'BenchmarkA 1 100 ns/op\nBenchmarkB 1 200 ns/op\nBenchmarkC 1 30'; exec sleep 1000"
	const second = "if [ -e ran ]; then " + run + "; fi; touch ran; echo BenchmarkA 1 1 ns/op"
	for _, tt := range []struct {
		what, run string
		sides     int
		want      string
	}{
		{"in the warm-up", run, 1, "1 A 1 100 ns/op, 1 B 1 200 ns/op"},
		{"in the first round", second, 1, "1 A 1 100 ns/op, 1 B 1 200 ns/op"},
		{"in a trial", run, 2, ""},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		dirs := []string{t.TempDir(), t.TempDir()}[:tt.sides]
		last := ""
		rounds, out, err := drive(ctx, commandPlan(tt.run, dirs...), Schedule{}, func(p Progress) {
			if p.Printed == 2 {
				last = p.Last
				cancel()
			}
		})
		cancel()
		if got := strings.Join(sampled(rounds), ", "); !errors.Is(err, context.Canceled) || got != tt.want || last != "B" {
			t.Errorf("%s: kept %q, want %q; the last is %q, %v, %v", tt.what, got, tt.want, last, out.Failures, err)
		}
	}
}
