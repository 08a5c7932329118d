package shortrun

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/proc"
)

func TestMain(m *testing.M) {
	proc.Supervise()
	code := m.Run()
	proc.Dismiss()
	os.Exit(code)
}

func TestWatch(t *testing.T) {
	clock := time.Unix(0, 0)
	heard := 0
	w := &watch{now: func() time.Time { return clock }, began: clock, timings: Timings{}, heard: func() { heard++ }}
	for _, step := range []struct {
		after   time.Duration
		text    string
		running string
	}{
		{0, "goos: linux\npkg: x\n", ""},
		{time.Second, "BenchmarkA/n=1-8 \t", "A/n=1-8"},
		{3 * time.Second, "     100\t  12.50 ns/op\t  0 B/op\n", ""},
		{time.Second, "BenchmarkB\t", "B"},
		{time.Second, " some output of it\n", ""},
		{time.Second, "BenchmarkC   1000000000   0.0001 ns/op\nBenchmarkD 5 NaN ns/op\n", ""},
	} {
		clock = clock.Add(step.after)
		if n, err := w.Write([]byte(step.text)); n != len(step.text) || err != nil {
			t.Fatalf("Write: %d, %v", n, err)
		}
		if got := w.running(); got != step.running {
			t.Errorf("after %q %q runs, want %q", step.text, got, step.running)
		}
	}
	want := Timings{"A/n=1-8": {N: 100, Op: 12.5, Wall: 4 * time.Second}, "C": {N: 1e9, Op: 0.0001, Wall: 3 * time.Second}}
	if len(w.timings) != len(want) || heard != len(want) || strings.Join(w.names, " ") != "A/n=1-8 C" {
		t.Errorf("got %v, %q, heard %d; want %v", w.timings, w.names, heard, want)
	}
	for name, timing := range want {
		if w.timings[name] != timing {
			t.Errorf("%s: got %+v, want %+v", name, w.timings[name], timing)
		}
	}
}

func TestGrows(t *testing.T) {
	for _, c := range []struct {
		few, many Timing
		want      bool
	}{
		{Timing{N: 100, Op: 10}, Timing{N: 1000, Op: 15.1}, true},
		{Timing{N: 100, Op: 10}, Timing{N: 1000, Op: 14.9}, false},
		{Timing{N: 9, Op: 10}, Timing{N: 90, Op: 100}, false},        // too few operations to decide
		{Timing{N: 100, Op: 10}, Timing{N: 199, Op: 100}, false},     // not many more operations
		{Timing{N: 100, Op: 400e3}, Timing{N: 100, Op: 400e3}, true}, // 40 ms where 10 ms were requested
		{Timing{N: 99, Op: 400e3}, Timing{N: 99, Op: 400e3}, false},
		{Timing{N: 100, Op: 200e3}, Timing{N: 150, Op: 200e3}, false},
	} {
		if got := grows(c.few, c.many); got != c.want {
			t.Errorf("grows(%+v, %+v) = %t", c.few, c.many, got)
		}
	}
}

// scripted returns a Binary that runs a shell script instead of a benchmark. The script computes
// its results from the benchtime, so signs do not depend on the load of the machine.
func scripted(t *testing.T, body string) Binary {
	t.Helper()
	dir := t.TempDir()
	program := dir + "/fake.sh"
	text := `#!/bin/sh
for a; do case $a in -test.benchtime=*) time=${a#*=};; esac; done
case $time in 1ms) n=2;; 10ms) n=20;; 100ms) n=200;; *) n=${time%x};; esac
say() { echo ${cpu:-$((n * ${2%.*}))} >cpu; printf 'Benchmark%s\t%s\t%s ns/op\n' "$1" "$n" "$2"; }
` + body
	if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Binary{
		Limits: Limits{time.Minute, time.Minute, time.Minute}, Now: time.Now, path: program, dir: dir, temp: dir,
		cpu: func(proc.Result) time.Duration { return time.Duration(number(t, filepath.Join(dir, "cpu"))) },
	}
}

// number returns the number in a file written by a script, or 0 if the file does not exist yet.
func number(t *testing.T, path string) int64 {
	for range 1000 { // the script may be writing it
		text, err := os.ReadFile(path)
		if errors.Is(err, os.ErrNotExist) {
			return 0
		}
		if err != nil {
			t.Error(err)
		}
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil {
			return n
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%s has no number", path)
	return 0
}

func always(Kind) bool { return true }
func never(Kind) bool  { return false }

func TestJudge(t *testing.T) {
	for _, c := range []struct {
		name, body string
		suspected  func(Kind) bool
		want       string // kinds of the signs
		ran        int
		unjudged   string
	}{
		{"sound", `say X 500`, always, "", 1, ""},
		{"below 1 ns", `say X 0.3`, always, "below-1ns", 1, ""},
		{"flat", `n=1000000000; say X 0.001`, always, "time-flat", 1, ""},
		{"grows", `say X $((10 * n))`, never, "time-grows", 1, ""},
		{"grows too fast for the length of a run", `[ "${time%ms}" = "$time" ] || n=10000; say X $((10 * n))`, never, "time-grows", 1, ""},
		{"busy, then below 1 ns", `if [ "$time" = 1ms ]; then say X 0.3; else say X 5; fi`, always, "below-1ns", 1, ""},
		{"below 1 ns in a short run, without a suspicion", `if [ "$time" = 1ms ]; then say X 0.3; else say X 5; fi`, never, "", 1, ""},
		{"grows by the clock only, as where others run", `cpu=$((10 * n)); say X $((10 * n))`, never, "", 1, ""},
		{"grows behind a long preparation", `cpu=$((1000000 + 10 * n * n)); say X $((10 * n))`, never, "time-grows", 1, ""},
		{"grows by the clock only, behind a long preparation", `cpu=$((1000000 + n)); say X $((10 * n))`, never, "", 1, ""},
		{"another benchmark by the same name", `case $time in *x) n=7;; esac; say X $((10 * n))`, never, "", 0, "ran a different benchmark"},
		{"grew once, as on a busy machine", `if [ "$time" = 100ms ]; then say X 5000; else say X 500; fi`, never, "", 1, ""},
		{"grew but for one time of twelve", `say X $((10 * n)); [ "$time" != 160x ] || { c=$(cat c 2>/dev/null)x; echo $c >c; [ $c != xxxx ] || say X 10; }`, never, "", 1, ""},
		{"100 ms before operations of 1 ms", `say X $(((100000000 + 1000000 * n) / n))`, always, "setup-timed", 1, ""},
		{"100 ms before operations, without a suspicion", `say X $(((100000000 + 1000000 * n) / n))`, never, "", 1, ""},
		{"operations as long", `say X 5000000`, always, "", 1, ""},
		{"only the shorter part", `say X $(((30000000 + 2000000 * n) / n))`, always, "", 1, ""},
		{"too short to matter", `say X $(((15000000 + 300000 * n) / n))`, always, "", 1, ""},
		{"two of them, one flat", "say X/a 500\nsay X/b 0.2", always, "below-1ns", 2, ""},
		{"no result", `true`, always, "", 0, "no result"},
		{"a name that changes", `say X/$time 500`, always, "", 0, "change from run to run"},
	} {
		b := scripted(t, c.body)
		b.Now = func() time.Time { return time.Unix(0, 0) } // the script's own time is ignored
		j, err := b.Judge(t.Context(), "BenchmarkX", c.suspected, time.Minute)
		var got []string
		for _, s := range j.Signs {
			got = append(got, string(s.Kind))
		}
		if err != nil || strings.Join(got, " ") != c.want || len(j.Ran) != c.ran {
			t.Errorf("%s: signs %q, %d judged, %v; want %q, %d", c.name, got, len(j.Ran), err, c.want, c.ran)
		}
		if !strings.Contains(j.Unjudged, c.unjudged) || (c.unjudged == "") != (j.Unjudged == "") {
			t.Errorf("%s: not judged: %q, want %q", c.name, j.Unjudged, c.unjudged)
		}
	}
}

// If a run took too long, the runs that confirm the sign have fewer operations.
func TestGrowing(t *testing.T) {
	for body, want := range map[string]string{
		`say X $((10 * n))`: "an operation takes 200ns in a run of 20 operations but 1.6µs in a run of 160",
		`[ "${time%ms}" = "$time" ] || n=10000; say X $((10 * n))`: "an operation takes 12.5µs in a run of 1250 operations but 100µs in a run of 10000",
	} {
		j, err := scripted(t, body).Judge(t.Context(), "BenchmarkX", never, time.Minute)
		if err != nil || len(j.Signs) != 1 || j.Signs[0].Found != want {
			t.Errorf("%s: %+v, %v; want %q", body, j.Signs, err, want)
		}
	}
}

// The scripts in this test advance the clock themselves.
func TestPaused(t *testing.T) {
	for _, c := range []struct {
		name, body string // body sets w to the wall time
		suspected  func(Kind) bool
		limit      time.Duration // long enough for a script with output
		want       string
	}{
		{"nine tenths", `w=$((10000 * n)); say X 1000`, always, time.Minute, "the timer was stopped for 90 % of the time"},
		{"nine tenths, without a suspicion", `w=$((10000 * n)); say X 1000`, never, time.Minute, ""},
		{"nine tenths by the clock, while others ran", `w=$((10000 * n)) cpu=$((4000 * n)); say X 1000`, always, time.Minute, ""},
		{"three quarters", `w=$((4000 * n)); say X 1000`, always, time.Minute, ""},
		{"a long preparation", `w=$((1000000 + 1000 * n)); say X 1000`, always, time.Minute, ""},
		{"nine tenths, ended before its result", `w=$((10000000 * n)); case $time in *ms) sleep 600;; esac; say X 1000000`, always, 2 * time.Second, "the timer was stopped for 90 % of the time"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := scripted(t, strings.Replace(c.body, "say X", `read t <clock; echo $((t + w)) >clock; : ${cpu:=$w}; say X`, 1))
			b.Limits.Benchmark = c.limit
			clock := filepath.Join(b.dir, "clock")
			if err := os.WriteFile(clock, []byte("0\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			b.Now = func() time.Time { return time.Unix(0, number(t, clock)) }
			j, err := b.Judge(t.Context(), "BenchmarkX", c.suspected, time.Minute)
			got := ""
			for _, s := range j.Signs {
				got += s.Found
			}
			if err != nil || got != c.want {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// The benchmarks in this test never end.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		limits Limits
		want   string
	}{
		{"one benchmark", Limits{Benchmark: 300 * time.Millisecond, Function: time.Minute}, "no result within 300ms"},
		{"a function", Limits{Benchmark: time.Minute, Function: time.Second}, "out of time"},
	} {
		b := scripted(t, "say X/a 500\nprintf 'BenchmarkX/b\\t'\nsleep 600")
		b.Limits = c.limits
		j, err := b.Judge(t.Context(), "BenchmarkX", never, time.Minute)
		if err != nil || len(j.Ran) > 1 || !strings.HasSuffix(j.Unjudged, c.want) {
			t.Errorf("%s: %d judged, not judged %q, %v; want %q", c.name, len(j.Ran), j.Unjudged, err, c.want)
		}
	}
	// The second run of this benchmark never ends.
	b := scripted(t, "case $time in *x) sleep 600;; esac; say X $((10 * n))")
	b.Limits.Benchmark = 300 * time.Millisecond
	if j, err := b.Judge(t.Context(), "BenchmarkX", never, time.Minute); err != nil || len(j.Signs)+len(j.Ran) > 0 || !strings.HasSuffix(j.Unjudged, "no result within 300ms") {
		t.Errorf("run again: %+v, %v", j, err)
	}
	j, err := scripted(t, "say X 500").Judge(t.Context(), "BenchmarkX", never, 0)
	if err != nil || len(j.Ran) > 0 || !strings.Contains(j.Unjudged, "no time left") {
		t.Errorf("no time left: %+v, %v", j, err)
	}
}

func TestUnjudged(t *testing.T) {
	for _, c := range []struct {
		brief, full output
		missing     []string
		want        string
	}{
		{output{names: []string{"X"}}, output{}, nil, ""},
		{output{names: []string{"X/a"}, cut: "late", at: "X/b"}, output{}, nil, "X/b and later ones: late"},
		{output{names: []string{"X/a"}, cut: "late"}, output{}, nil, "benchmarks after X/a: late"},
		{output{cut: "late", at: "X"}, output{}, nil, "late"},
		{output{names: []string{"X/a", "X/b"}}, output{cut: "late", at: "X/b"}, []string{"X/b"}, "X/b and later ones: late"},
		{output{names: []string{"X/a"}}, output{}, []string{"X/a"}, "X/a: the names change from run to run"},
		{output{names: []string{"X/a"}, cut: "late"}, output{}, []string{"1", "2", "3", "4"}, "1, 2 and 2 more and later ones: late"},
	} {
		if got := unjudged(c.brief, c.full, c.missing); got != c.want {
			t.Errorf("unjudged(%+v, %+v, %q) = %q, want %q", c.brief, c.full, c.missing, got, c.want)
		}
	}
}

// The error for a failed benchmark includes the reason.
func TestFails(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"echo '--- FAIL: BenchmarkX'; echo '    x_test.go:7: no database'; echo FAIL; exit 1", "exit status 1: x_test.go:7: no database"},
		{"printf 'BenchmarkX \\t--- FAIL: BenchmarkX\\n    x_test.go:8: lost\\n'; echo also >&2; exit 1", "exit status 1: x_test.go:8: lost"},
		{"echo 'panic: oh'; echo 'goroutine 1 [running]:'; exit 2", "exit status 2: panic: oh"},
		{"exit 3", "exit status 3"},
	} {
		if _, err := scripted(t, c.body).Judge(t.Context(), "BenchmarkX", never, time.Minute); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %q", c.body, err, c.want)
		}
	}
	b := scripted(t, "say X 500")
	b.path = "/missing"
	if _, err := b.Judge(t.Context(), "BenchmarkX", never, time.Minute); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a program that is not there: %v", err)
	}
}
