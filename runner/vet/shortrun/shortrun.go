// Package shortrun runs the benchmarks in a package briefly and finds faults that show in their
// times. It compares these times only roughly, and never with times of another commit.
//
// Start with judge.go, which runs one benchmark function within its time limits. The signs of a
// fault are defined in signs.go, and confirm.go distinguishes a sign from noise.
package shortrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"time"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/gobench"
	"github.com/perftrack/perftrack/runner/proc"
)

// Limits are the maximum running times of benchmarks. A benchmark that exceeds a limit is ended and
// not judged.
type Limits struct {
	Benchmark time.Duration // one run of one benchmark
	Function  time.Duration // all runs of a benchmark function
	Package   time.Duration // all runs in a package
}

// Usual contains the limits stated in the command's help and in docs/vet.md.
var Usual = Limits{Benchmark: 10 * time.Second, Function: 30 * time.Second, Package: 3 * time.Minute}

// A Binary is the compiled test binary of a package.
type Binary struct {
	Limits Limits
	Now    func() time.Time

	path, dir, temp string
	cpu             func(proc.Result) time.Duration // returns the CPU time of a process
}

// Compile compiles a package's tests into the directory into, with the given go test flags. The
// tests also put their temporary files there, so removing the directory cleans up after ended
// benchmarks.
func Compile(ctx context.Context, dir, importPath, packageDir, into string, flags ...string) (Binary, error) {
	b := Binary{Limits: Usual, Now: time.Now, dir: packageDir, temp: into, cpu: func(r proc.Result) time.Duration { return r.User + r.Sys }}
	f, err := os.CreateTemp(into, "*.test")
	if err != nil {
		return b, fmt.Errorf("compile %s: %w", importPath, err)
	}
	b.path = f.Name()
	if err := f.Close(); err != nil {
		return b, fmt.Errorf("compile %s: %w", importPath, err)
	}
	_, err = build.Step(ctx, importPath, proc.Command{Argv: append(append([]string{"go", "test", "-c", "-o", b.path}, flags...), importPath), Dir: dir})
	return b, err
}

// Remove removes the test binary.
func (b Binary) Remove() error { return os.Remove(b.path) }

// Say runs each benchmark in a function for the given number of operations and returns the output
// to stderr, even if a benchmark fails or takes too long.
func (b Binary) Say(ctx context.Context, function string, operations int, longest time.Duration) (string, error) {
	out, err := b.run(ctx, "^"+regexp.QuoteMeta(function)+"$", fmt.Sprintf("%dx", operations), min(longest, b.Limits.Function))
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	_ = err // other runs of the benchmark report the failure
	return out.stderr, nil
}

// output is the output of a run of benchmarks. If the run was ended early, cut is the reason, and
// at is the name of the running benchmark, if known.
type output struct {
	timings Timings
	names   []string // in the order of the results
	cut     string
	at      string
	stderr  string
	cpu     time.Duration
}

// run runs the benchmarks matching bench, as for -test.bench, on one CPU. It ends the run if a
// benchmark has no result within the limit, or after the duration longest.
func (b Binary) run(ctx context.Context, bench, benchtime string, longest time.Duration) (output, error) {
	if longest <= 0 {
		return output{cut: "no time left"}, nil
	}
	within, end := context.WithCancel(ctx)
	defer end()
	silent := time.AfterFunc(b.Limits.Benchmark, end)
	defer silent.Stop()
	w := &watch{now: b.Now, began: b.Now(), timings: Timings{}, heard: func() { silent.Reset(b.Limits.Benchmark) }}
	res, err := proc.Run(within, proc.Command{
		Argv: []string{b.path, "-test.run=^$", "-test.bench=" + bench, "-test.benchtime=" + benchtime, "-test.cpu=1", "-test.timeout=0"},
		Dir:  b.dir, Env: append(childenv.Measured(nil), "TMPDIR="+b.temp), Timeout: longest, Stdout: w,
	})
	out := output{timings: w.timings, names: w.names, stderr: string(res.Stderr), cpu: b.cpu(res)}
	switch {
	case err != nil:
		return out, fmt.Errorf("run %s: %w", filepath.Base(b.path), err)
	case ctx.Err() != nil:
		return out, ctx.Err()
	case res.Canceled:
		out.cut, out.at = "no result within "+b.Limits.Benchmark.String(), w.running()
	case res.TimedOut:
		out.cut, out.at = "out of time", w.running()
	case res.Err() != nil:
		return out, failed(res)
	}
	return out, nil
}

// failed returns the error for a failed benchmark, with the reason found in its output.
func failed(res proc.Result) error {
	if reason := gobench.ReasonLine(string(res.Stdout) + string(res.Stderr)); reason != "" {
		return fmt.Errorf("%w: %s", res.Err(), reason)
	}
	return res.Err()
}
