package runner

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/program"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/slicing"
)

// A later failure costs at most two rounds: if a benchmark fails in slices, fresh processes measure
// it in the same round and show whether it fails there, too.
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
	p.Chosen = sliced("FailsInTurns", "FailsLater", "PrintsInTurns", "HangsOnce")
	var writing error
	rounds, out, err := drive(t.Context(), p, Schedule{}, nil, func(r Round) {
		if r.N == 1 {
			writing = errors.Join(os.WriteFile(mark, nil, 0o644), os.WriteFile(hang, nil, 0o644))
		}
	})
	if err = errors.Join(err, writing); err != nil {
		t.Fatal(err)
	}
	sameSigns(t, found(rounds, 4), map[string]string{
		"FailsInTurns": "sfff", "FailsLater": "s...", "PrintsInTurns": "s..f", "HangsOnce": "sfss",
	})
	methods := methodsByName(out)
	for name, want := range map[string]record.Method{
		"FailsInTurns":  {How: record.MethodFresh, Why: "there is another one", Sliced: 1, Fresh: 3},
		"FailsLater":    {How: record.MethodSlices, Sliced: 1},
		"PrintsInTurns": {How: record.MethodFresh, Why: "in turns", Sliced: 1, Fresh: 1},
		"HangsOnce":     {How: record.MethodSlices, Sliced: 3, Fresh: 1},
	} {
		w := methods[name]
		if w.How != want.How || w.Sliced != want.Sliced || w.Fresh != want.Fresh || !strings.Contains(w.Why, want.Why) || (w.Why == "") != (want.Why == "") {
			t.Errorf("%s has the method %+v, want %+v", name, w, want)
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

// A benchmark missing in some processes is not lost: it is measured with the rest of its function.
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
	p.Bench, p.Rounds, p.Chosen = "Changes", 3, map[program.Slot]slicing.Method{}
	rounds, out := measure(t, p)
	if why := methodsByName(out)["Changes/always"].Why; ofBusyMachine.MatchString(why) {
		t.Skipf("the machine is busy: %s", why)
	}
	sameSigns(t, found(rounds, 3), map[string]string{"Changes/always": "sss", "Changes/late": ".ff"})
	if methods := methodsByName(out); methods["Changes"].How != record.MethodFresh || methods["Changes/early"].How != record.MethodFresh || len(out.Failures) > 0 {
		t.Errorf("methods %+v, failures %v", methods, out.Failures)
	}
	if w := p.Chosen[program.Slot{Package: "example.com/m", Bench: "Changes/always"}]; len(p.Chosen) != 1 || !w.Sliced() {
		t.Errorf("the next measurement is told %+v", p.Chosen)
	}
}

// If a metric cannot be stored because it comes from few iterations, neither the round nor the
// trial is lost: fresh processes, which run more iterations, measure the benchmark.
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
	if w := methodsByName(out)["Odd"]; w.How != record.MethodFresh || !strings.HasPrefix(w.Why, "in slices, value") {
		t.Errorf("it has the method %+v", w)
	}
}
