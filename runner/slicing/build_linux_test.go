package slicing

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/internal/benchtest"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/turnstile"
)

func TestMain(m *testing.M) {
	// Under the race detector, every process would otherwise take another second to exit.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	proc.Supervise()
	code := m.Run()
	proc.Dismiss()
	built.Remove()
	os.Exit(code)
}

var built = benchtest.Binary{Source: filepath.Join("testdata", "bench.go.txt")}

// newSpec returns a Spec for a benchmark in the test binary. The environment variables in head
// apply to the head side only: "MORE=3" makes it do 3 % more work.
func newSpec(t *testing.T, name string, head ...string) turnstile.Spec {
	t.Helper()
	spec := turnstile.Spec{Name: name, Timeout: 2 * time.Minute}
	for side := range spec.Sides {
		spec.Sides[side] = turnstile.Program{Binary: built.Path(t), Dir: t.TempDir(), Env: os.Environ()}
	}
	spec.Sides[1].Env = append(spec.Sides[1].Env, head...)
	return spec
}

// longSample returns the result of one fresh process of each side.
func longSample(t *testing.T, spec turnstile.Spec, benchtime time.Duration) (long [2]*benchfmt.Result) {
	t.Helper()
	expression := "^Benchmark" + strings.ReplaceAll(spec.Name, "/", "$/^") + "$"
	for side, s := range spec.Sides {
		argv := append([]string{s.Binary, "-test.run=^$", "-test.bench=" + expression, "-test.benchmem",
			"-test.benchtime=" + benchtime.String()}, spec.Flags...)
		out, err := proc.Run(t.Context(), proc.Command{Argv: argv, Dir: s.Dir, Env: s.Env, CPUs: spec.CPUs})
		if err == nil {
			err = out.Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		r := benchfmt.NewReader(bytes.NewReader(out.Stdout), "")
		for r.Scan() {
			if res, ok := r.Result().(*benchfmt.Result); ok {
				long[side] = res.Clone()
			}
		}
		if long[side] == nil {
			t.Fatalf("no result in %s", out.Stdout)
		}
	}
	return long
}

// chosen returns the method that Choose selects for a benchmark.
func chosen(t *testing.T, ctx context.Context, spec turnstile.Spec, threshold float64) Method {
	t.Helper()
	const benchtime = 100 * time.Millisecond
	w, err := Choose(ctx, spec, longSample(t, spec, benchtime), benchtime, Affords{}, threshold)
	if err != nil {
		t.Fatal(err)
	}
	return w
}
