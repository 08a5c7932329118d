package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/livetest"
	"github.com/perftrack/perftrack/runner/machine"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
)

func TestMain(m *testing.M) {
	// Under the race detector, every process would otherwise take another second to exit.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	proc.Supervise()
	os.Exit(m.Run())
}

// writeModule writes a Go module with one benchmark file into a fresh directory. It skips the test
// unless live tests are requested, because tests that use the module build and measure it.
func writeModule(t testing.TB, body string) string {
	t.Helper()
	livetest.Skip(t)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	write(t, dir, "m_test.go", "package m\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _ = os.Getpid\nvar _ = time.Now\n\n"+body)
	return dir
}

func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func gotestPlan(dirs ...string) Plan {
	p := Plan{
		Spec:    program.Spec{Target: config.Target{Name: "m", Kind: config.GoTest}, Benchtime: "1x"},
		Rounds:  2,
		Timeout: 20 * time.Second,
	}
	names := []string{""}
	if len(dirs) == 2 {
		names = []string{"base", "head"}
	}
	for i, dir := range dirs {
		p.Sides = append(p.Sides, program.Side{Name: names[i], Dir: dir})
	}
	return p
}

// rows lists the samples as "round order side name", in the order of measurement.
func rows(rounds []Round) []string {
	var s []string
	for _, r := range rounds {
		for _, smp := range r.Samples {
			name, _, _ := strings.Cut(string(smp.Result.Name), "-")
			s = append(s, fmt.Sprintf("%s %s %d %s", smp.Result.GetConfig("round"), smp.Result.GetConfig("order"), smp.Side, name))
		}
	}
	return s
}

// drive measures a plan and returns its rounds, including an unfinished one. It calls did for every
// round.
func drive(ctx context.Context, p Plan, s Schedule, progress func(Progress), did ...func(Round)) (rounds []Round, out Outcome, err error) {
	m, err := Build(ctx, p, progress)
	defer func() { err = errors.Join(err, m.Close()) }()
	if err != nil {
		return nil, m.Outcome(), err
	}
	for r, err := range m.Rounds(ctx, s) {
		if len(r.Samples) > 0 {
			rounds = append(rounds, r)
		}
		for _, do := range did {
			do(r)
		}
		if err != nil {
			return rounds, m.Outcome(), err
		}
	}
	return rounds, m.Outcome(), nil
}

func measure(t *testing.T, p Plan) ([]Round, Outcome) {
	t.Helper()
	rounds, out, err := drive(context.Background(), p, Schedule{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rounds, out
}

func TestMeasureInterleaves(t *testing.T) {
	base := writeModule(t, "func BenchmarkA(b *testing.B) { for b.Loop() {} }\nfunc BenchmarkOld(b *testing.B) { for b.Loop() {} }\n")
	head := writeModule(t, "func BenchmarkA(b *testing.B) { for b.Loop() {} }\nfunc BenchmarkNew(b *testing.B) { for b.Loop() {} }\n")
	p := gotestPlan(base, head)
	flips := 0
	p.BaseFirst = func(program.Slot, int) bool { flips++; return flips%2 == 1 }
	rounds, out := measure(t, p)
	// Round 0 flips once, for A, and is dropped. In round 1, head goes first.
	want := []string{
		"1 0 1 A", "1 1 0 A", "1 2 0 Old", "1 3 1 New",
		"2 0 0 A", "2 1 1 A", "2 2 0 Old", "2 3 1 New",
	}
	if got := rows(rounds); !slices.Equal(got, want) {
		t.Errorf("measured\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, r := range rounds {
		for _, s := range r.Samples {
			if got, want := s.Result.GetConfig("layout-seed"), fmt.Sprint(program.LayoutSeed(r.N)); got != want {
				t.Errorf("round %d has layout seed %s, want %s", r.N, got, want)
			}
			if got := s.Result.GetConfig("pkg"); got != "example.com/m" {
				t.Errorf("pkg is %q", got)
			}
		}
	}
	if out.Rounds != 2 || len(out.Failures) != 0 {
		t.Errorf("%d rounds, failures %v", out.Rounds, out.Failures)
	}
}

// A failed benchmark is not run again, and the other benchmarks lose no rows.
func TestMeasureKeepsTheOthers(t *testing.T) {
	dir := writeModule(t, `
func BenchmarkGood(b *testing.B)   { for b.Loop() {} }
func BenchmarkFails(b *testing.B)  { b.Fatal("wrong answer") }
func BenchmarkPanics(b *testing.B) { go func() { panic("boom") }(); select {} } // in b's own goroutine testing may print a result before it dies
func BenchmarkSkips(b *testing.B)  { b.Skip("not today") }
func BenchmarkSleeps(b *testing.B) { time.Sleep(time.Hour) }
func BenchmarkHalf(b *testing.B) {
	b.Run("ok", func(b *testing.B) { for b.Loop() {} })
	b.Run("bad", func(b *testing.B) { b.Fatal("half way") })
}
`)
	p := gotestPlan(dir)
	p.Timeout = 2 * time.Second
	rounds, out := measure(t, p)
	want := []string{"1 0 0 Good", "1 1 0 Half/ok", "2 0 0 Good", "2 1 0 Half/ok"}
	if got := rows(rounds); !slices.Equal(got, want) {
		t.Errorf("measured %q, want %q", got, want)
	}
	reasons := map[string]string{}
	for _, f := range out.Failures {
		reasons[f.Slot.Bench] = f.Reason
	}
	for bench, part := range map[string]string{
		"Fails": "wrong answer", "Panics": "panic: boom", "Skips": Skipped,
		"Sleeps": "timed out after 2s", "Half": "half way",
	} {
		if !strings.Contains(reasons[bench], part) {
			t.Errorf("%s failed with %q, want %q", bench, reasons[bench], part)
		}
	}
	if len(reasons) != 5 || len(out.Failures) != 5 {
		t.Errorf("failures: %v", out.Failures)
	}
}

func TestMeasurePattern(t *testing.T) {
	dir := writeModule(t, `
func BenchmarkSort(b *testing.B) {
	for _, n := range []string{"n=1", "n=10", "n=100"} {
		b.Run(n, func(b *testing.B) { for b.Loop() {} })
	}
}
func BenchmarkOther(b *testing.B) { for b.Loop() {} }
`)
	p := gotestPlan(dir)
	p.Bench, p.Rounds = "Sort/n=10$", 1
	rounds, _ := measure(t, p)
	if got := rows(rounds); !slices.Equal(got, []string{"1 0 0 Sort/n=10"}) {
		t.Errorf("measured %q", got)
	}
	p.Bench = "Nothing"
	_, _, err := drive(context.Background(), p, Schedule{}, nil)
	var none *program.NoBenchmarksError
	if !errors.As(err, &none) || !strings.Contains(err.Error(), `matching "Nothing"`) {
		t.Errorf("no match: %v", err)
	}
}

func TestMeasureBuildErrors(t *testing.T) {
	broken := writeModule(t, "func BenchmarkA(b *testing.B) { undefined() }\n")
	_, _, err := drive(context.Background(), gotestPlan(broken), Schedule{}, nil)
	var failed *build.Error
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "undefined: undefined") {
		t.Errorf("code that does not compile: %v", err)
	}
	empty := t.TempDir()
	write(t, empty, "go.mod", "module example.com/e\n\ngo 1.26\n")
	write(t, empty, "e.go", "package e\n")
	_, _, err = drive(context.Background(), gotestPlan(empty), Schedule{}, nil)
	var none *program.NoBenchmarksError
	if !errors.As(err, &none) {
		t.Errorf("module without benchmarks: %v", err)
	}
}

// An interrupted measurement yields the samples of its last round, marked as incomplete.
func TestMeasureInterrupted(t *testing.T) {
	dir := writeModule(t, "func BenchmarkA(b *testing.B) { for b.Loop() {} }\nfunc BenchmarkB(b *testing.B) { for b.Loop() {} }\n")
	p := gotestPlan(dir)
	p.Rounds = 5
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	rounds, out, err := drive(ctx, p, Schedule{}, func(p Progress) {
		if p.Round == 2 && strings.HasSuffix(p.What, ".B") {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("err is %v", err)
	}
	want := []string{"1 0 0 A", "1 1 0 B", "2 0 0 A"}
	if got := rows(rounds); !slices.Equal(got, want) {
		t.Errorf("handed over %q, want %q", got, want)
	}
	if out.Rounds != 1 || len(rounds) != 2 || rounds[1].Complete || !rounds[0].Complete {
		t.Errorf("%d whole rounds, handed over %+v", out.Rounds, rounds)
	}
	if len(out.Environments) != 1 || out.Environments[0] == nil {
		t.Error("the outcome of an interrupted measurement has no environment")
	}
}

func TestMeasureOpen(t *testing.T) {
	dir := writeModule(t, "func BenchmarkA(b *testing.B) { for b.Loop() {} }\nfunc BenchmarkB(b *testing.B) { for b.Loop() {} }\n")
	p := gotestPlan(dir)
	p.Rounds, p.First = 3, 8
	over := 0
	open := func(s program.Slot) bool { return s.Bench == "A" || over == 0 }
	rounds, _, err := drive(context.Background(), p, Schedule{Open: open}, nil, func(Round) { over++ })
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"8 0 0 A", "8 1 0 B", "9 0 0 A", "10 0 0 A"}
	if got := rows(rounds); !slices.Equal(got, want) {
		t.Errorf("measured %q, want %q", got, want)
	}
}

// Slots left out of the warm-up are not measured in rounds either. If there is no time for the
// warm-up, there are no rounds, but this is not an error.
func TestMeasureWarmUp(t *testing.T) {
	p := gotestPlan(writeModule(t, "func BenchmarkA(b *testing.B) {}\nfunc BenchmarkB(b *testing.B) {}\nfunc BenchmarkC(b *testing.B) {}\n"))
	for _, tt := range []struct {
		most int // number of slots there is time for
		want []string
		asks []string
	}{
		{9, []string{"1 0 0 B", "1 1 0 C", "2 0 0 B", "2 1 0 C"}, []string{"0 of 2", "1 of 2"}},
		{1, nil, []string{"0 of 2", "1 of 2"}},
	} {
		m, err := Build(t.Context(), p, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		var asked []string
		warm, err := m.WarmUp(t.Context(), func(s program.Slot) bool { return s.Bench != "A" }, func(_ program.Slot, done, all int) bool {
			asked = append(asked, fmt.Sprintf("%d of %d", done, all))
			return done < tt.most
		})
		if err != nil || (len(warm) > 0) != (tt.want != nil) {
			t.Fatalf("the warm-up found %v, error %v", warm, err)
		}
		var rounds []Round
		for r, e := range m.Rounds(t.Context(), Schedule{}) {
			rounds, err = append(rounds, r), e
		}
		if got := rows(rounds); err != nil || !slices.Equal(got, tt.want) || !slices.Equal(asked, tt.asks) {
			t.Errorf("time for %d: measured %q, asked %q, error %v", tt.most, got, asked, err)
		}
	}
}

func TestMeasureCommand(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "results", "runstamp: 1\nUnit tok/s better=higher\npkg: p\nBenchmarkX 10 5 ns/op 7 tok/s\nBenchmarkY 10 6 ns/op\n")
	p := gotestPlan(dir)
	p.Target = config.Target{Name: "c", Kind: "command", Format: "gobench", Build: "touch built", Run: "test -e built && cat results && echo runstamp: $$"}
	p.Bench = "X"
	rounds, out := measure(t, p)
	if got := rows(rounds); !slices.Equal(got, []string{"1 0 0 X", "2 0 0 X"}) {
		t.Errorf("measured %q", got)
	}
	if len(out.Units) != 1 || out.Units[0].OrigUnit != "tok/s" {
		t.Errorf("units %v", out.Units)
	}
	if !slices.Contains(out.Facts[0], record.Setting{Key: "runstamp", Value: "1"}) {
		t.Errorf("facts %v", out.Facts[0])
	}
	p.Suite = "none"
	var none *program.NoBenchmarksError
	if _, _, err := drive(context.Background(), p, Schedule{}, nil); !errors.As(err, &none) {
		t.Errorf("a suite that nobody has: %v", err)
	}
	p.Suite = ""
	p.Target.Build = "echo cannot >&2; exit 3"
	_, _, err := drive(context.Background(), p, Schedule{}, nil)
	var failed *build.Error
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "cannot") {
		t.Errorf("failing build command: %v", err)
	}
}

// The first process of a run measures the machine's peak performance, and the others do not measure
// it again. The peak is a fact, because a different peak does not mean a different environment.
func TestMeasurePeakOnce(t *testing.T) {
	dir := t.TempDir()
	p := gotestPlan(dir)
	p.Target = config.Target{Name: "c", Kind: "command", Run: `echo "$PERFTRACK_PEAK" >> asked; test "$PERFTRACK_PEAK" = known || echo peak-gflops: 112.$$; echo BenchmarkX 10 5 ns/op`}
	_, out := measure(t, p)
	asked, err := os.ReadFile(filepath.Join(dir, "asked"))
	if got := string(asked); err != nil || got != "asked\nknown\nknown\n" {
		t.Errorf("three processes were told %q, %v", got, err)
	}
	if peak := out.Facts[0].Get(record.KeyPeak); !strings.HasPrefix(peak, "112.") {
		t.Errorf("the peak is %q in %v", peak, out.Facts[0])
	}
	if peak := out.Environments[0].Get(record.KeyPeak); peak != "" {
		t.Errorf("a peak of %s identifies the environment", peak)
	}
}

// A program cannot change the identity of its run, even if it prints a run exported by another
// perftrack.
func TestMeasureForeignConfiguration(t *testing.T) {
	var foreign []string
	for _, k := range record.Keys {
		if !record.FromProgram(k.Name) {
			foreign = append(foreign, k.Name+": evil\n")
		}
	}
	half := len(foreign) / 2 // a program may print at most 64 keys
	for _, keys := range [][]string{foreign[:half], foreign[half:]} {
		testForeignConfiguration(t, strings.Join(keys, ""))
	}
}

func testForeignConfiguration(t *testing.T, keys string) {
	t.Helper()
	dir := t.TempDir()
	results := "judged-by: evil\njudged-by-2: evil\nprocedure: evil\nalpha-share: evil\nselection: evil\nstarved: evil\n" + keys
	write(t, dir, "results", results+"perftrack-run: 1\nstatus: complete\nmachine: fast\nlayout: rotate\ncpu-count: 99\ncpu-affinity: 77\ngogc: 88\nround: 7\nsimd: avx9\nnote: fine\nbell: \a\nBenchmarkX 10 5 ns/op\n")
	p := gotestPlan(dir)
	p.Target = config.Target{Name: "c", Kind: "command", Run: "cat results"}
	rounds, out := measure(t, p)
	for _, s := range append(out.Facts[0], out.Environments[0]...) {
		if slices.Contains([]string{"evil", "fast", "rotate", "99", "77", "88", "complete", "\a"}, s.Value) {
			t.Errorf("%s: %q came from the program", s.Key, s.Value)
		}
	}
	if !slices.Contains(out.Facts[0], record.Setting{Key: "note", Value: "fine"}) || !slices.Contains(out.Environments[0], record.Setting{Key: record.KeySIMD, Value: "avx9"}) {
		t.Errorf("facts %v, environment %v, failures %v", out.Facts[0], out.Environments[0], out.Failures)
	}
	if got := rounds[0].Samples[0].Result.GetConfig("round"); got != "1" {
		t.Errorf("round %s", got)
	}
}

// Determining the machine's identity twice gives the same result. Its load, for example, is not
// part of the identity, because a different load must not separate two environments.
func TestEnvironmentIsStable(t *testing.T) {
	if a, b := machine.Environment(nil), machine.Environment(nil); !slices.Equal(a, b) {
		t.Errorf("two fingerprints differ: %v, %v", a, b)
	}
	for _, s := range machine.Environment(nil) {
		if slices.Contains([]string{"load", "kernel", "host", "cpu-mhz"}, s.Key) {
			t.Errorf("%s is part of the identity", s.Key)
		}
	}
}

// Each round has a different function layout, the same on both sides.
func TestMeasureRotatesLayouts(t *testing.T) {
	const source = `
func BenchmarkA(b *testing.B) {
	b.ReportMetric(float64(reflect.ValueOf(writeModule).Pointer()%(1<<40)), "address")
}
//go:noinline
func writeModule() {}
`
	body := strings.Replace(source, "reflect.ValueOf", "valueOf", 1) + "func valueOf(f any) reflect.Value { return reflect.ValueOf(f) }\n"
	module := func() string {
		dir := writeModule(t, body)
		text, err := os.ReadFile(filepath.Join(dir, "m_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, dir, "m_test.go", strings.Replace(string(text), "\t\"os\"\n", "\t\"os\"\n\t\"reflect\"\n", 1))
		return dir
	}
	addresses := func(layout string) (seen map[float64]bool) {
		p := gotestPlan(module(), module())
		p.Rounds, p.Target.Layout = 3, layout
		rounds, _ := measure(t, p)
		seen = map[float64]bool{}
		for _, r := range rounds {
			a, okA := r.Samples[0].Result.Value("address")
			b, okB := r.Samples[1].Result.Value("address")
			if !okA || !okB || a != b {
				t.Errorf("%s layout, round %d: the sides have the function at %x and %x", layout, r.N, int64(a), int64(b))
			}
			seen[a] = true
		}
		return seen
	}
	if seen := addresses(config.LayoutRotate); len(seen) != 3 {
		t.Errorf("3 rounds had %d layouts", len(seen))
	}
	if seen := addresses(config.LayoutDefault); len(seen) != 1 {
		t.Errorf("the default layout was %d layouts", len(seen))
	}
}

// Each benchmark is measured in exactly one part, on both sides, and a part without benchmarks is
// not a failure.
func TestMeasureParts(t *testing.T) {
	body := "func BenchmarkA(b *testing.B) { for b.Loop() {} }\nfunc BenchmarkB(b *testing.B) { for b.Loop() {} }\nfunc BenchmarkC(b *testing.B) { for b.Loop() {} }\n"
	base, head := writeModule(t, body), writeModule(t, body+"\nvar more = 1\n")
	seen, digests := map[string]int{}, map[string]bool{}
	for n := 1; n <= 4; n++ {
		p := gotestPlan(base, head)
		p.Rounds, p.Part = 1, Part{N: n, Of: 4}
		rounds, out := measure(t, p)
		for _, row := range rows(rounds) {
			seen[row[len(row)-1:]]++
		}
		digests[out.Division.Digest] = true
		if out.Division.All != 3 || out.Division.Empty() != (n == 4) || out.Division.Empty() != (len(rounds) == 0) {
			t.Errorf("part %d: %+v, %d rounds", n, out.Division, len(rounds))
		}
	}
	if len(digests) != 1 || len(seen) != 3 || seen["A"] != 2 || seen["B"] != 2 || seen["C"] != 2 {
		t.Errorf("measured %v, divided in %d ways", seen, len(digests))
	}
}
