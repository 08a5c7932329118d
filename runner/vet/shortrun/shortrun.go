// Package shortrun runs the benchmarks of a package for a moment, and says what their times
// alone show to be wrong with them. The times are no measurements: they are held against
// each other within a factor, never against those of another commit.
//
// Begin with judge.go, which runs one benchmark function within its limits; signs.go has what
// counts as a sign, confirm.go how a sign is told from noise.
package shortrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/proc"
)

// Limits are how long a benchmark may take before it is ended, and named as not judged.
type Limits struct {
	Benchmark time.Duration // one, with its parameters, in one run
	Function  time.Duration // all runs of a benchmark function
	Package   time.Duration // all of a package
}

// Usual are the limits that the command's help and docs/vet.md state.
var Usual = Limits{Benchmark: 10 * time.Second, Function: 30 * time.Second, Package: 3 * time.Minute}

// A Binary is a package's compiled tests.
type Binary struct {
	Limits Limits
	Now    func() time.Time

	path, dir, temp string
	cpu             func(proc.Result) time.Duration // that a process took
}

// Compile compiles a package's tests into a directory, which is also where they find room for
// temporary files: whoever removes it removes what a benchmark that was ended left there. The
// flags are those of go test.
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

// Remove removes the compiled tests.
func (b Binary) Remove() error { return os.Remove(b.path) }

// Say runs so many operations of a benchmark function's benchmarks and returns what they print to
// the standard error, also where they fail or take too long.
func (b Binary) Say(ctx context.Context, function string, operations int, longest time.Duration) (string, error) {
	out, err := b.run(ctx, "^"+regexp.QuoteMeta(function)+"$", fmt.Sprintf("%dx", operations), min(longest, b.Limits.Function))
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	_ = err // the benchmark's failure is that of its other runs
	return out.stderr, nil
}

// output is what a run of benchmarks gave. One that was ended has a cut, which says why, and
// perhaps the name of the benchmark that ran then.
type output struct {
	timings Timings
	names   []string // in the order of their results
	cut     string
	at      string
	stderr  string
	cpu     time.Duration
}

// run runs the benchmarks that match bench, as -test.bench, for a benchtime, on one CPU, and
// ends them when one gives no result for too long, or when all have taken longer than longest.
func (b Binary) run(ctx context.Context, bench, benchtime string, longest time.Duration) (output, error) {
	if longest <= 0 {
		return output{cut: "no time was left for it"}, nil
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
		out.cut, out.at = "it gave no result within "+b.Limits.Benchmark.String(), w.running()
	case res.TimedOut:
		out.cut, out.at = "the time for it was over", w.running()
	case res.Err() != nil:
		return out, failed(res)
	}
	return out, nil
}

// failed says how a benchmark failed: by what the testing package says of it, else by the last
// line that it printed.
func failed(res proc.Result) error {
	lines := strings.Split(strings.TrimSpace(string(res.Stdout)+string(res.Stderr)), "\n")
	said := lines[len(lines)-1]
	for i, line := range lines {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			said = line
			break
		}
		if strings.Contains(line, "--- FAIL:") && i+1 < len(lines) {
			said = lines[i+1]
			break
		}
	}
	if said = strings.TrimSpace(said); said == "" {
		return res.Err()
	}
	return fmt.Errorf("%w: %s", res.Err(), said)
}

// Function is the benchmark function that a name belongs to: BenchmarkSort of Sort/n=10.
func Function(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return "Benchmark" + name
}

// pattern matches exactly the benchmark of a name, as -test.bench reads it.
func pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
