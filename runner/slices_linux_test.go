package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// slicesPlan measures modules in slices that are as short as can be, without linking anew.
func slicesPlan(base, head string) Plan {
	p := gotestPlan(base, head)
	p.Benchtime, p.Slices, p.Target.Layout = "2ms", true, config.LayoutDefault
	return p
}

// sliceModule writes a module with one package, m, whose only imports are those of its fixture.
func sliceModule(t *testing.T, more string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/m\n\ngo 1.26\n")
	text, err := os.ReadFile(filepath.Join("testdata", "slices.go.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, dir, "m_test.go", string(text)+more)
	return dir
}

// found tells of each benchmark how it was measured in each round: s in slices, f by fresh
// processes, . not at all; in capitals, if only one side has it.
func found(rounds []Round, n int) map[string]string {
	signs := map[string][]byte{}
	for _, r := range rounds {
		for _, s := range r.Samples {
			name := record.WithoutProcs(string(s.Result.Name))
			if signs[name] == nil {
				signs[name] = []byte(strings.Repeat(".", n))
			}
			sign := &signs[name][r.N-1]
			lower := byte('f')
			if s.Result.GetConfig(record.KeySlices) != "" {
				lower = 's'
			}
			switch *sign {
			case '.':
				*sign = lower - 'a' + 'A'
			case lower - 'a' + 'A':
				*sign = lower
			default:
				*sign = '?'
			}
		}
	}
	out := map[string]string{}
	for name, s := range signs {
		out[name] = string(s)
	}
	return out
}

func waysByName(out Outcome) map[string]record.Way {
	ways := map[string]record.Way{}
	for _, w := range out.Ways {
		ways[w.Name] = w
	}
	return ways
}

func sameSigns(t *testing.T, got, want map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if got[name] != want[name] {
			t.Errorf("%s was measured %q, want %q", name, got[name], want[name])
		}
	}
	for name := range want {
		if got[name] == "" {
			t.Errorf("%s was not measured", name)
		}
	}
}

// ofBusyMachine are reasons against slices that a benchmark without any of its own gets where other programs
// take its time.
var ofBusyMachine = regexp.MustCompile(`less than half of the time|not timed in each slice|it takes more than|longer than in longer ones|take too long|goes on in its process|happens so seldom`)

// What can be sliced is sliced, benchmark by benchmark; all else is measured by fresh processes, and
// its way says why. Nothing is lost.
func TestMeasureSlices(t *testing.T) {
	base := sliceModule(t, "")
	head := sliceModule(t, "\nfunc init() { more = append(more, \"new\") }\n")
	p := slicesPlan(base, head)
	t.Setenv("SLICES_PORT", freePort(t))
	p.BaseFirst = func(_ Slot, round int) bool { return round == 1 }
	rounds, out := measure(t, p)
	got := found(rounds, 2)
	for name := range got { // whose name is another one in each process
		if strings.HasPrefix(name, "Random/") {
			delete(got, name)
		}
	}
	want := map[string]string{
		"Loop": "ss", "Count": "ss", "Parallel": "ss", "Log": "ss",
		"Table/n=1": "ss", "Table/a/b_c": "ss", "Table/x|y[z": "ss", "Table/twice": "ss", "Table/twice#01": "ss", "Table/new": "FF",
		"Half/ok": "ss", "Skips/ok": "ss",
		"Prints": "ff", "Port": "ff", "Slow": "ff",
	}
	ways, busy := waysByName(out), 0
	for name, w := range ways {
		if want[name] == "ss" && w.How == record.WayFresh && ofBusyMachine.MatchString(w.Why) {
			t.Logf("%s: %s", name, w.Why)
			want[name] = "ff"
			busy++
		}
	}
	if busy > 4 {
		t.Errorf("%d benchmarks are not sliced", busy)
	}
	sameSigns(t, got, want)
	for name, why := range map[string]string{
		"Prints": "it printed \"hello\"", "Port": "address already in use", "Slow": "s", "Random": "other names on each side",
	} {
		if w := ways[name]; w.How != record.WayFresh || !strings.Contains(w.Why, why) || w.Fresh != 2 {
			t.Errorf("%s has the way %+v, want the reason %q", name, w, why)
		}
	}
	if w := ways["Table/a/b_c"]; want["Table/a/b_c"] == "ss" && (w.How != record.WaySlices || w.Package != "example.com/m" || w.Sliced != 2 || w.N < 1 || w.Slices < 1 || w.Length <= 0 || w.Estimator == "") {
		t.Errorf("a sliced benchmark has the way %+v", w)
	}
	failures := map[string]int{}
	for _, f := range out.Failures {
		failures[f.Slot.Bench+": "+f.Reason]++
	}
	if len(failures) != 2 || failures["Skipped: "+Skipped] != 2 || len(out.Failures) != 4 {
		t.Errorf("failures are %v", failures)
	}
	random, seen := 0, map[string]bool{}
	for _, r := range rounds {
		for i, s := range r.Samples {
			if got, want := s.Result.GetConfig(record.KeyOrder), fmt.Sprint(i); got != want {
				t.Errorf("sample %d of round %d has the order %s", i, r.N, got)
			}
			if strings.HasPrefix(string(s.Result.Name), "Random/") {
				random++
			}
			name := fmt.Sprint(r.N, string(s.Result.Name))
			if want := r.N - 1; !seen[name] && s.Result.GetConfig(record.KeySlices) != "" && s.Side != want {
				t.Errorf("in round %d side %d of %s was first", r.N, s.Side, s.Result.Name)
			}
			seen[name] = true
			if s.Result.GetConfig(record.KeyPackage) != "example.com/m" {
				t.Errorf("%s is of package %q", s.Result.Name, s.Result.GetConfig(record.KeyPackage))
			}
		}
	}
	if random != 4 {
		t.Errorf("%d results of benchmarks with random names, want one a side and round", random)
	}
	if out.InProcesses <= 0 || out.Rounds != 2 {
		t.Errorf("%v in processes, %d rounds", out.InProcesses, out.Rounds)
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// What goes wrong only later costs at most a round or two: a benchmark that fails in turns is
// measured in the same round by fresh processes, which tell whether it fails there, too.
func TestMeasureSlicesNoMore(t *testing.T) {
	dir := sliceModule(t, `
func marked() bool { _, err := os.Stat(os.Getenv("SLICES_MARK")); return err == nil }

var calls int

// turns reports whether this is one of many calls in one process, after the first round.
func turns() bool { calls++; return calls > 3 && marked() }

func BenchmarkFailsInTurns(b *testing.B) {
	if turns() {
		b.Fatal("there is another one")
	}
	loop(b)
}

func BenchmarkFailsLater(b *testing.B) {
	if marked() {
		b.Fatal("no more")
	}
	loop(b)
}

func BenchmarkPrintsInTurns(b *testing.B) {
	if turns() {
		fmt.Println("in turns")
	}
	loop(b)
}

func BenchmarkHangsOnce(b *testing.B) {
	if turns() && os.Remove(os.Getenv("SLICES_HANG")) == nil {
		time.Sleep(time.Hour)
	}
	loop(b)
}
`)
	mark, hang := filepath.Join(t.TempDir(), "mark"), filepath.Join(t.TempDir(), "hang")
	t.Setenv("SLICES_MARK", mark)
	t.Setenv("SLICES_HANG", hang)
	p := slicesPlan(dir, dir)
	p.Bench, p.Rounds, p.Timeout = "InTurns|Later|Once", 4, 5*time.Second
	var rounds []Round
	out, err := Measure(t.Context(), p, Hooks{Round: func(r Round, _ Outcome) error {
		rounds = append(rounds, r)
		if r.N == 1 {
			return errors.Join(os.WriteFile(mark, nil, 0o644), os.WriteFile(hang, nil, 0o644))
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	sameSigns(t, found(rounds, 4), map[string]string{
		"FailsInTurns": "sfff", "FailsLater": "s...", "PrintsInTurns": "s..f", "HangsOnce": "sfss",
	})
	ways := waysByName(out)
	for name, want := range map[string]record.Way{
		"FailsInTurns":  {How: record.WayFresh, Why: "there is another one", Sliced: 1, Fresh: 3},
		"FailsLater":    {How: record.WaySlices, Sliced: 1},
		"PrintsInTurns": {How: record.WayFresh, Why: "in turns", Sliced: 1, Fresh: 1},
		"HangsOnce":     {How: record.WaySlices, Sliced: 3, Fresh: 1},
	} {
		w := ways[name]
		if w.How != want.How || w.Sliced != want.Sliced || w.Fresh != want.Fresh || !strings.Contains(w.Why, want.Why) || (w.Why == "") != (want.Why == "") {
			t.Errorf("%s has the way %+v, want %+v", name, w, want)
		}
	}
	for _, f := range out.Failures {
		if f.Slot.Bench != "FailsLater" || !strings.Contains(f.Reason, "no more") {
			t.Errorf("failure %+v", f)
		}
	}
	if len(out.Failures) != 2 {
		t.Errorf("%d failures, want that of FailsLater on each side", len(out.Failures))
	}
}

// A benchmark that not every process has is not lost: it is measured with the rest of its
// function.
func TestMeasureSlicesGivesBack(t *testing.T) {
	dir := sliceModule(t, `
func BenchmarkChanges(b *testing.B) {
	b.Run("always", loop)
	name := "late"
	if f, err := os.OpenFile(os.Getenv("SLICES_MARK"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		f.WriteString("x")
		if at, _ := f.Seek(0, 1); at <= 2 {
			name = "early"
		}
		f.Close()
	}
	b.Run(name, loop)
}
`)
	t.Setenv("SLICES_MARK", filepath.Join(t.TempDir(), "mark"))
	p := slicesPlan(dir, dir)
	p.Bench, p.Rounds, p.Chosen = "Changes", 3, map[Slot]slicing.Way{}
	rounds, out := measure(t, p)
	sameSigns(t, found(rounds, 3), map[string]string{"Changes/always": "sss", "Changes/late": ".ff"})
	if ways := waysByName(out); ways["Changes"].How != record.WayFresh || ways["Changes/early"].How != record.WayFresh || len(out.Failures) > 0 {
		t.Errorf("ways %+v, failures %v", ways, out.Failures)
	}
	if w := p.Chosen[Slot{"example.com/m", "Changes/always"}]; len(p.Chosen) != 1 || !w.Sliced() {
		t.Errorf("the next measurement is told %+v", p.Chosen)
	}
}

// What cannot be told apart is measured as one, as without slices: a function of a package and
// one of its external tests, or several numbers of CPUs. So is a function whose benchmarks are cheap
// beside what comes before them.
func TestMeasureSlicesKeepsWhole(t *testing.T) {
	twice := sliceModule(t, "")
	write(t, twice, "x_test.go", "package m_test\n\nimport \"testing\"\n\nfunc BenchmarkLoop(b *testing.B) { for b.Loop() {} }\n")
	several := sliceModule(t, `
func TestMain(m *testing.M) {
	flag.Parse()
	flag.Set("test.cpu", "1,2")
	os.Exit(m.Run())
}
`)
	setup := sliceModule(t, `
func BenchmarkDear(b *testing.B) {
	time.Sleep(400 * time.Millisecond)
	for _, name := range []string{"a", "b", "c"} {
		b.Run(name, loop)
	}
}
`)
	text, err := os.ReadFile(filepath.Join(several, "m_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, several, "m_test.go", strings.Replace(string(text), "import (", "import (\n\t\"flag\"", 1))
	for _, tt := range []struct {
		name, dir, bench, why string
		samples               int
	}{
		{"duplicates", twice, "Loop", "two of its results are called Loop", 4},
		{"CPUs", several, "Loop", "two of its results are called Loop", 4},
		{"setup", setup, "Dear", "what is done before its 3 benchmarks takes", 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := slicesPlan(tt.dir, tt.dir)
			p.Bench, p.Rounds = tt.bench, 1
			rounds, out := measure(t, p)
			if len(rounds[0].Samples) != tt.samples {
				t.Errorf("%d samples, want %d", len(rounds[0].Samples), tt.samples)
			}
			if len(out.Ways) != 1 || out.Ways[0].How != record.WayFresh || out.Ways[0].Fresh != 1 || !strings.Contains(out.Ways[0].Why, tt.why) {
				t.Errorf("the ways are %+v, want the reason %q", out.Ways, tt.why)
			}
		})
	}
}

// What is not measured in pairs of Go benchmarks, for some time each, has fresh processes; a run
// alone and a profile have no pairs.
func TestWholeReason(t *testing.T) {
	for _, tt := range []struct {
		why    string
		change func(*Plan)
	}{
		{"", func(*Plan) {}},
		{"that was asked for", func(p *Plan) { p.Slices = false }},
		{"a sample is to have 50 iterations", func(p *Plan) { p.Benchtime = "50x" }},
		{"a program of kind command is started anew for each sample", func(p *Plan) { p.Target.Kind = config.Command }},
		{"there are no pairs", func(p *Plan) { p.Sides = p.Sides[:1] }},
		{"there are no pairs", func(p *Plan) { p.Profile = DefaultSuite }},
	} {
		m := &measurement{Plan: slicesPlan("", "")}
		tt.change(&m.Plan)
		if m.whole = m.wholeReason(); m.whole != tt.why {
			t.Errorf("slices are refused because %q, want %q", m.whole, tt.why)
		}
		m.out.Rounds = 3
		want := []record.Way{{How: record.WayFresh, Why: tt.why, Fresh: 3}}
		if tt.why == "" || tt.why == "there are no pairs" {
			want = nil
		}
		if got := m.ways(); !slices.Equal(got, want) {
			t.Errorf("the ways are %+v, want %+v", got, want)
		}
	}
}

// A benchmark that is closed gets no further slice, and that of another name in the same
// function goes on.
func TestMeasureSlicesWhileOpen(t *testing.T) {
	p := slicesPlan(sliceModule(t, ""), sliceModule(t, "\nfunc init() { more = append(more, \"new\") }\n"))
	p.Bench, p.Rounds = "Table/(n=1|twice|new)$", 2
	// It was chosen elsewhere how.
	p.Chosen = map[Slot]slicing.Way{{"example.com/m", "Table/n=1"}: {N: 777, Slices: 20, Length: time.Millisecond, Estimator: slicing.Sum}}
	var rounds []Round
	out, err := Measure(t.Context(), p, Hooks{
		Open: func(s Slot) bool {
			return s.Bench != "Table/twice" && s.Bench != "Table/new" && (s.Bench != "Table/n=1" || len(rounds) == 0)
		},
		Round: func(r Round, _ Outcome) error { rounds = append(rounds, r); return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	sameSigns(t, found(rounds, 2), map[string]string{"Table/n=1": "s."})
	if w := waysByName(out)["Table/n=1"]; w.N != 777 || w.Slices != 20 {
		t.Errorf("the way that was chosen before became %+v", w)
	}
}

// Interrupted wherever it is, what was measured is handed over, and no process is left.
func TestMeasureSlicesInterrupted(t *testing.T) {
	dir := sliceModule(t, `
func BenchmarkTells(b *testing.B) {
	f, err := os.OpenFile(os.Getenv("SLICES_MARK"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(f, os.Getpid())
	f.Close()
	loop(b)
}
`)
	for _, at := range []string{"choosing", "slicing"} {
		t.Run(at, func(t *testing.T) {
			mark := filepath.Join(t.TempDir(), "mark")
			t.Setenv("SLICES_MARK", mark)
			p := slicesPlan(dir, dir)
			p.Bench, p.Rounds, p.Benchtime = "Tells|Loop", 5, "20ms"
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			var rounds []Round
			out, err := Measure(ctx, p, Hooks{
				Progress: func(p Progress) {
					choosing := strings.HasSuffix(p.What, " in slices")
					if at == "choosing" && choosing && strings.Contains(p.What, "Tells") || at == "slicing" && p.Round == 2 && strings.HasSuffix(p.What, "Tells") {
						before := lines(mark)
						go func() { // in the middle of it
							for lines(mark) < before+3 && ctx.Err() == nil {
								time.Sleep(time.Millisecond)
							}
							cancel()
						}()
					}
				},
				Round: func(r Round, _ Outcome) error { rounds = append(rounds, r); return nil },
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("err is %v", err)
			}
			want := map[string]string{}
			if at == "slicing" {
				want = map[string]string{"Loop": "ss", "Tells": "s."}
			}
			sameSigns(t, found(rounds, 2), want)
			if at == "slicing" && (out.Rounds != 1 || rounds[1].Complete) {
				t.Errorf("%d rounds, the last complete: %v", out.Rounds, rounds[1].Complete)
			}
			text, _ := os.ReadFile(mark)
			for pid := range strings.FieldsSeq(string(text)) {
				var n int
				if fmt.Sscan(pid, &n); n > 0 && syscall.Kill(n, 0) == nil {
					t.Errorf("process %d is still there", n)
				}
			}
		})
	}
}

func lines(file string) int {
	text, _ := os.ReadFile(file)
	return strings.Count(string(text), "\n")
}

// A metric that cannot be stored of few iterations costs neither the round nor the trial: the
// benchmark is measured in fresh processes, which have more of them.
func TestMeasureOddMetricInSlices(t *testing.T) {
	dir := sliceModule(t, `
func BenchmarkOdd(b *testing.B) {
	loop(b)
	if b.N < 300_000 {
		b.ReportMetric(-1, "odd")
	}
}
`)
	p := slicesPlan(dir, dir)
	p.Bench, p.Benchtime = "Odd", "300ms"
	rounds, out := measure(t, p)
	sameSigns(t, found(rounds, 2), map[string]string{"Odd": "ff"})
	for _, r := range rounds {
		for _, s := range r.Samples {
			for _, v := range s.Result.Values {
				if v.Unit == "odd" {
					t.Errorf("round %d has %v %s", r.N, v.Value, v.Unit)
				}
			}
		}
	}
	if w := waysByName(out)["Odd"]; w.How != record.WayFresh || !strings.HasPrefix(w.Why, "in slices value") {
		t.Errorf("it has the way %+v", w)
	}
}

// When the time is over before it is chosen how all are measured, no round begins.
func TestMeasureLate(t *testing.T) {
	dir := sliceModule(t, "")
	p := slicesPlan(dir, dir)
	p.Bench = "Loop|Table"
	rounds, asked := 0, []int(nil)
	out, err := Measure(context.Background(), p, Hooks{
		Round: func(Round, Outcome) error { rounds++; return nil },
		Late:  func(open int) bool { asked = append(asked, open); return len(asked) > 2 },
	})
	if err != nil || rounds != 0 || out.Rounds != 0 {
		t.Errorf("%d rounds, error %v", rounds, err)
	}
	if !slices.Equal(asked, []int{6, 6, 6}) || len(out.Ways) != 2 {
		t.Errorf("asked with %v open slots, ways %+v", asked, out.Ways)
	}
}
