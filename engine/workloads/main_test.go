package workloads

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/livetest"
)

// parse reads output in Go benchmark format and fails the test on anything else in it, except for
// the PASS that ends a test.
func parse(t *testing.T, output []byte) (rows []*benchfmt.Result, units benchfmt.UnitMetadataMap) {
	t.Helper()
	r := benchfmt.NewReader(bytes.NewReader(bytes.TrimSuffix(output, []byte("PASS\n"))), "output")
	for r.Scan() {
		switch rec := r.Result().(type) {
		case *benchfmt.Result:
			rows = append(rows, rec.Clone())
		case *benchfmt.SyntaxError:
			t.Errorf("%v", rec)
		}
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	return rows, r.Units()
}

func configOf(r *benchfmt.Result) string {
	var s strings.Builder
	for _, c := range r.Config {
		fmt.Fprintf(&s, "%s: %s\n", c.Key, c.Value)
	}
	return s.String()
}

// sorted returns the lines in sorted order. Configurations are compared in this form, because go
// test and Main print them in different orders.
func sorted(lines string) string {
	s := strings.Split(lines, "\n")
	slices.Sort(s)
	return strings.Join(s, "\n")
}

// goTest runs this test binary in the way go test does.
func goTest(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"-test.run=^$", "-test.paniconexit0"}, args...)...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run %v: %v\n%s", cmd.Args, err, out)
	}
	return out
}

// With one iteration of everything, go test -bench and Main print the same names, units and
// configuration, so the rows of both belong to the same series.
func TestMainPrintsWhatGoTestPrints(t *testing.T) {
	livetest.Skip(t)
	t.Setenv(PeakVariable, "known") // the peak differs from one measurement to the next
	var stdout, stderr bytes.Buffer
	if code := Main([]string{"-benchtime", "1x"}, &stdout, &stderr); code != 0 || stderr.Len() > 0 {
		t.Fatalf("Main = %d, stderr:\n%s", code, &stderr)
	}
	mine, units := parse(t, stdout.Bytes())
	theirs, theirUnits := parse(t, benchAll(t))

	for _, u := range []benchfmt.UnitMetadataMap{units, theirUnits} {
		for unit, want := range map[string]int{"GFLOPS": 1, "tok/s": 1, "samples/s": 1, "saved-%": 1, "B/tok": -1, "ttft-ns": -1, "gc/op": -1} {
			if got := u.GetBetter(unit); got != want {
				t.Errorf("GetBetter(%s) = %d, want %d", unit, got, want)
			}
		}
	}
	if len(mine) != len(All()) || len(theirs) != len(All()) {
		t.Fatalf("%d rows of Main, %d of go test, want %d", len(mine), len(theirs), len(All()))
	}
	for i, w := range All() {
		name := w.Name
		if n := runtime.GOMAXPROCS(0); n != 1 {
			name += fmt.Sprintf("-%d", n)
		}
		if a, b := mine[i].Name.String(), theirs[i].Name.String(); a != name || b != name {
			t.Errorf("row %d: %s of Main, %s of go test, want %s", i, a, b, name)
		}
		if a, b := columns(mine[i]), columns(theirs[i]); a != b || a != unitsWanted(w) {
			t.Errorf("%s: units %s of Main, %s of go test, want %s", w.Name, a, b, unitsWanted(w))
		}
		if a, b := configOf(mine[i]), configOf(theirs[i]); sorted(a) != sorted(b) {
			t.Fatalf("%s: configuration of Main\n%s\nof go test\n%s", w.Name, a, b)
		}
		if w.FLOPs == 0 {
			continue
		}
		gflops, _ := mine[i].Value("GFLOPS")
		seconds, _ := mine[i].Value("sec/op")
		if product := gflops * 1e9 * seconds; math.Abs(product/float64(w.FLOPs)-1) > 0.01 {
			t.Errorf("%s: GFLOPS times time is %g, want %d FLOPs", w.Name, product, w.FLOPs)
		}
	}
	for _, key := range []string{"goos", "goarch", "pkg", "suite", "simd"} {
		if mine[0].GetConfig(key) == "" {
			t.Errorf("no configuration %s in\n%s", key, configOf(mine[0]))
		}
	}
}

// benchAll runs the Benchmark functions of all suites once and returns their output, without the
// lines that the go command adds at the end of each package.
func benchAll(t *testing.T) []byte {
	t.Helper()
	cmd := exec.Command("go", "test", "-run=^$", "-bench=.", "-benchtime=1x", "-benchmem", "-count=1", "-p=1",
		".", "./standard", "./deep", "./memory", "./training")
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run %v: %v\n%s", cmd.Args, err, out)
	}
	return regexp.MustCompile(`(?m)^(PASS|ok .*)\n`).ReplaceAll(out, nil)
}

// unitsWanted returns the units of a workload in the order of go test: time, our own units by name,
// and allocations.
func unitsWanted(w Workload) string {
	var ours []string
	add := func(unit string, reported bool) {
		if reported {
			ours = append(ours, unit)
		}
	}
	add("B/tok", w.Tokens > 0)
	add("GFLOPS", w.FLOPs > 0)
	add("gc/op", w.Suite == Memory)
	add("samples/s", w.Examples > 0)
	add("saved-%", w.Wasteful != "")
	add("tok/s", w.Tokens > 0)
	add("ttft-sec", w.Tokens > 1) // the tidied form of ttft-ns in benchfmt
	return strings.Join(slices.Concat([]string{"sec/op"}, ours, []string{"B/op", "allocs/op"}), " ")
}

func columns(r *benchfmt.Result) string {
	var units []string
	for _, v := range r.Values {
		units = append(units, v.Unit)
	}
	return strings.Join(units, " ")
}

// go test without -bench must print nothing but its own lines.
func TestNoMetadataWithoutBench(t *testing.T) {
	if got := string(goTest(t)); got != "PASS\n" {
		t.Errorf("go test -run '^$' printed %q, want PASS", got)
	}
}

func TestMainSelects(t *testing.T) {
	for _, tc := range []struct {
		args   []string
		stdout string
	}{
		{[]string{"-list", "-bench", "^GELU_10+$"}, "GELU_1000\nGELU_10000\nGELU_100000\nGELU_1000000\n"},
		{[]string{"-list", "-bench", "Add_1"}, "TensorAdd_10000\nBroadcastAdd_100x100\n"},
	} {
		var stdout, stderr bytes.Buffer
		if code := Main(tc.args, &stdout, &stderr); code != 0 || stdout.String() != tc.stdout || stderr.Len() > 0 {
			t.Errorf("Main(%q) = %d\n%s%s, want 0\n%s", tc.args, code, &stdout, &stderr, tc.stdout)
		}
	}
	var stdout bytes.Buffer
	if code := Main([]string{"-list"}, &stdout, io.Discard); code != 0 || strings.Count(stdout.String(), "\n") != len(All()) {
		t.Errorf("Main(-list) = %d\n%s, want all %d names", code, &stdout, len(All()))
	}
}

func TestMainRejects(t *testing.T) {
	for _, tc := range []struct {
		args   []string
		code   int
		stderr string // a regular expression
	}{
		{[]string{"-bench", "("}, 2, `^-bench: error parsing regexp: missing closing \): .*\n$`},
		{[]string{"-benchtime", "soon"}, 2, `^-benchtime "soon": invalid duration: want a duration such as 100ms or a count such as 100x\n$`},
		{[]string{"-benchtime", "0s"}, 2, `^-benchtime "0s": invalid duration: want .*\n$`},
		{[]string{"-benchtime", "0x"}, 2, `^-benchtime "0x": invalid count: want .*\n$`},
		{[]string{"-list", "-benchtime", "-1s"}, 2, `^-benchtime "-1s": invalid duration: want .*\n$`},
		{[]string{"MatMul"}, 2, `^unexpected argument "MatMul": select workloads with -bench\n$`},
		{[]string{"-count", "3"}, 2, `^flag provided but not defined: -count\n`},
		{[]string{"-h"}, 0, `-benchtime d\n`},
		{[]string{"-bench", "none such"}, 0, `^no workload matches -bench "none such" -suite ""\n$`},
		{[]string{"-list", "-suite", "none"}, 0, `^no workload matches -bench "" -suite "none"\n$`},
	} {
		var stdout, stderr bytes.Buffer
		code := Main(tc.args, &stdout, &stderr)
		if code != tc.code || stdout.Len() > 0 || !regexp.MustCompile(tc.stderr).Match(stderr.Bytes()) {
			t.Errorf("Main(%q) = %d, stdout %q, stderr %q, want %d and stderr like %s",
				tc.args, code, &stdout, &stderr, tc.code, tc.stderr)
		}
	}
}

// Main also measures inside tests, and must not change the -benchtime of later benchmarks.
func TestMainRestoresBenchtime(t *testing.T) {
	value := flag.Lookup("test.benchtime").Value
	before := value.String()
	Main([]string{"-bench", "Softmax_256", "-benchtime", "7x"}, io.Discard, io.Discard)
	if got := value.String(); got != before {
		t.Errorf("-benchtime is %s after Main, want %s", got, before)
	}
}

func fake(name, suite string, op func()) Workload {
	return Workload{Name: name, Suite: suite, FLOPs: 1, Calls: 1, Setup: func(*Meter) func() { return op }}
}

// If a workload panics, only its own row is lost, and the exit code reports the failure.
func TestPanicKeepsTheOtherRows(t *testing.T) {
	calls := 0
	all := []Workload{
		fake("First", "a", func() {}),
		fake("Op", "a", func() { panic("no such layer") }),
		fake("Late", "a", func() {
			if calls++; calls == 5 {
				panic(errors.New("fifth call"))
			}
		}),
		{Name: "Setup", Suite: "a", Calls: 1, Setup: func(*Meter) func() { panic("no memory") }},
		fake("Last", "a", func() {}),
	}
	var stdout, stderr bytes.Buffer
	if code := run(all, []string{"-benchtime", "10x"}, &stdout, &stderr); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	rows, _ := parse(t, stdout.Bytes())
	if len(rows) != 2 || !strings.HasPrefix(rows[0].Name.String(), "First") || !strings.HasPrefix(rows[1].Name.String(), "Last") {
		t.Errorf("rows, want First and Last:\n%s", &stdout)
	}
	for _, line := range []string{"Op: panic: no such layer\n", "Late: panic: fifth call\n", "Setup: panic: no memory\n"} {
		if !strings.Contains("\n"+stderr.String(), "\n"+line) {
			t.Errorf("stderr lacks %q:\n%s", line, &stderr)
		}
	}
	if !strings.Contains(stderr.String(), "main_test.go:") {
		t.Errorf("stderr does not say where:\n%s", &stderr)
	}
}

// If the peak is not known yet, it is measured once per process.
func TestPeakLine(t *testing.T) {
	peakOf := func(known string) []string {
		t.Setenv(PeakVariable, known)
		var stdout bytes.Buffer
		run([]Workload{fake("A", "one", func() {}), fake("B", "two", func() {})}, []string{"-benchtime", "1x"}, &stdout, io.Discard)
		rows, _ := parse(t, stdout.Bytes())
		return []string{rows[0].GetConfig("peak-gflops"), rows[1].GetConfig("peak-gflops")}
	}
	got := peakOf("asked")
	if gflops, err := strconv.ParseFloat(got[0], 64); err != nil || !(gflops > 0) || got[1] != got[0] {
		t.Errorf("peaks %q of two suites in one process, want one number", got)
	}
	if got := peakOf("known"); got[0] != "" || got[1] != "" {
		t.Errorf("peaks %q though it is known", got)
	}
}

// A suite's line comes before the suite's first row.
func TestSuiteLines(t *testing.T) {
	all := []Workload{fake("A", "one", func() {}), fake("B", "one", func() {}), fake("C", "two", func() {})}
	var stdout bytes.Buffer
	run(all, []string{"-benchtime", "1x"}, &stdout, io.Discard)
	rows, _ := parse(t, stdout.Bytes())
	var suites []string
	for _, r := range rows {
		suites = append(suites, r.GetConfig("suite"))
	}
	if !slices.Equal(suites, []string{"one", "one", "two"}) {
		t.Errorf("suites %v of rows\n%s", suites, &stdout)
	}
}

// Each row is written before the next workload starts.
func TestRowsAreNotHeldBack(t *testing.T) {
	var stdout bytes.Buffer
	seen := ""
	all := []Workload{
		fake("First", "a", func() {}),
		fake("Second", "a", func() { seen = stdout.String() }),
	}
	run(all, []string{"-benchtime", "1x"}, &stdout, io.Discard)
	if !strings.Contains(seen, "BenchmarkFirst") || !strings.HasSuffix(seen, "allocs/op\n") {
		t.Errorf("while the second workload ran, stdout was\n%s", seen)
	}
}

type brokenPipe struct{ left int }

func (w *brokenPipe) Write(p []byte) (int, error) {
	if w.left--; w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	all := []Workload{fake("A", "one", func() {}), fake("B", "two", func() {})}
	for writes := range 4 { // a configuration and a row for each
		var stderr bytes.Buffer
		code := run(all, []string{"-benchtime", "1x"}, &brokenPipe{writes}, &stderr)
		if want := "write results: io: read/write on closed pipe\n"; code != 1 || stderr.String() != want {
			t.Errorf("broken after %d writes: exit code %d, stderr %q, want 1, %q", writes, code, &stderr, want)
		}
	}
}

// The figures of an _Iteration workload are for one of the operations in a call.
func TestBenchCountsCalls(t *testing.T) {
	restore, err := setBenchtime("100x")
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	calls := 0
	w := Workload{Name: "Four", FLOPs: 1000, Calls: 4, Setup: func(*Meter) func() {
		return func() {
			calls++
			for range 8 {
				sink = make([]byte, 64)
			}
		}
	}}
	r := testing.Benchmark(func(b *testing.B) { Bench(b, w) })
	if r.N != 100 || calls != 101 {
		t.Errorf("%d iterations, %d calls of op, want 100 and 101: the first is not measured", r.N, calls)
	}
	if r.AllocsPerOp() != 2 || r.AllocedBytesPerOp() != 128 {
		t.Errorf("%d allocs/op, %d B/op, want 2 and 128", r.AllocsPerOp(), r.AllocedBytesPerOp())
	}
	operations := 4 * float64(r.N)
	if got, want := r.Extra["ns/op"], float64(r.T.Nanoseconds())/operations; got != want {
		t.Errorf("%g ns/op, want %g", got, want)
	}
	if got, want := r.Extra["GFLOPS"], 1000*operations/r.T.Seconds()/1e9; math.Abs(got/want-1) > 1e-12 {
		t.Errorf("%g GFLOPS, want %g", got, want)
	}
}

var sink []byte
