// Package shortrun runs the benchmarks of a package for a moment, and says what their times
// alone show to be wrong with them. The times are no measurements: they are held against
// each other within a factor, never against those of another commit.
package shortrun

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// A Binary is a package's compiled tests.
type Binary struct {
	path, dir, pkg string
}

// Compile compiles a package's tests into a directory.
func Compile(ctx context.Context, dir, importPath, packageDir, into string) (Binary, error) {
	b := Binary{dir: packageDir, pkg: importPath}
	f, err := os.CreateTemp(into, "*.test")
	if err != nil {
		return b, fmt.Errorf("compile %s: %w", importPath, err)
	}
	b.path = f.Name()
	if err := f.Close(); err != nil {
		return b, fmt.Errorf("compile %s: %w", importPath, err)
	}
	_, err = build.Step(ctx, importPath, proc.Command{Argv: []string{"go", "test", "-c", "-o", b.path, importPath}, Dir: dir})
	return b, err
}

// A Timing is what one benchmark did in one run.
type Timing struct {
	N    int64         // operations
	Op   float64       // ns/op
	Wall time.Duration // from when its name was printed to its result
}

// Total is the time that the benchmark says its operations took.
func (t Timing) Total() time.Duration { return time.Duration(float64(t.N) * t.Op) }

// Timings are those of each benchmark by its name, without the prefix Benchmark.
type Timings map[string]Timing

// names in the order of the alphabet.
func (t Timings) names() []string { return slices.Sorted(maps.Keys(t)) }

// Run runs the benchmarks that match bench, as -test.bench, for a benchtime, on one CPU.
func (b Binary) Run(ctx context.Context, bench, benchtime string, timeout time.Duration, now func() time.Time) (Timings, error) {
	w := &watch{now: now, timings: Timings{}}
	res, err := proc.Run(ctx, proc.Command{
		Argv: []string{b.path, "-test.run=^$", "-test.bench=" + bench, "-test.benchtime=" + benchtime, "-test.cpu=1", "-test.timeout=0"},
		Dir:  b.dir, Timeout: timeout, Stdout: w,
	})
	if err == nil {
		err = res.Err()
	}
	if err != nil {
		return w.timings, build.Failed(b.pkg, res, err)
	}
	return w.timings, nil
}

// A watch reads the output of a benchmark as it arrives: the name when it begins, the result
// when it ends.
type watch struct {
	now     func() time.Time
	line    bytes.Buffer
	began   time.Time
	timings Timings
}

// Write never fails.
func (w *watch) Write(p []byte) (int, error) {
	now := w.now()
	n := len(p)
	for len(p) > 0 {
		if w.line.Len() == 0 {
			w.began = now
		}
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			w.line.Write(p)
			break
		}
		w.line.Write(p[:end])
		p = p[end+1:]
		w.result(now)
		w.line.Reset()
	}
	return n, nil
}

var resultLine = regexp.MustCompile(`^Benchmark(\S*)\s+(\d+)\s+([0-9.e+-]+) ns/op`)

func (w *watch) result(now time.Time) {
	m := resultLine.FindStringSubmatch(w.line.String())
	if m == nil {
		return
	}
	n, err1 := strconv.ParseInt(m[2], 10, 64)
	op, err2 := strconv.ParseFloat(m[3], 64)
	if err1 != nil || err2 != nil || n <= 0 {
		return
	}
	w.timings[m[1]] = Timing{n, op, now.Sub(w.began)}
}

// Function is the benchmark function that a name belongs to: BenchmarkSort of Sort/n=10.
func Function(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return "Benchmark" + name
}

// Pattern matches exactly the benchmark of a name, as -test.bench reads it.
func Pattern(name string) string {
	parts := strings.Split("Benchmark"+name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}
