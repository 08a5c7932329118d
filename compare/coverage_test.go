package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// Coverage noted on several runs of a continued trial is reported only once.
func TestCheckCoverage(t *testing.T) {
	noted := func(side record.Side, procedure string) *record.Run {
		r := &record.Run{Target: "m", Trial: "t", Side: side}
		r.Protocol.Procedure = procedure
		r.Protocol.SameCode = []record.Count{{Package: "example.com/a=b", Benchmarks: 3}, {Package: "example.com/c", Benchmarks: 12}}
		r.Protocol.Rewritten = []record.BenchmarkFunc{{Package: "example.com/d", Name: "Sort"}}
		return r
	}
	for _, tt := range []struct {
		procedure string
		want      string
	}{
		{pairs.ProcedureCheck, "[{m example.com/a=b 3} {m example.com/c 12}] [{m example.com/d Sort}] true"},
		{"", "[] [{m example.com/d Sort}] true"}, // a fixed-length trial leaves nothing out, whatever its runs claim
	} {
		b, h := noted(record.Base, tt.procedure), noted(record.Head, tt.procedure)
		c := Compare(Side{Runs: []*record.Run{b, b}}, Side{Runs: []*record.Run{h, h}}, Options{})
		if got := fmt.Sprint(c.Same, c.Rewritten, c.LostCoverage()); got != tt.want {
			t.Errorf("procedure %q: coverage %s, want %s", tt.procedure, got, tt.want)
		}
	}
}

// Unreached benchmarks are reported once per package, even if a later session of the trial left out
// fewer of them. If a later session measured all benchmarks, nothing was left out.
func TestUnreached(t *testing.T) {
	run := func(side record.Side, benchmarks int, unreached ...record.Count) *record.Run {
		r := checkedRun(t, side, "p.Sort 1 100 ns/op")
		r.Target, r.Status = "m", record.Complete
		r.Benchmarks = r.Benchmarks[:benchmarks]
		r.Protocol.Unreached, r.Protocol.Selection = unreached, &record.Selection{}
		return r
	}
	a, fewer, c := record.Count{Package: "example.com/a=b", Benchmarks: 171}, record.Count{Package: "example.com/a=b", Benchmarks: 1}, record.Count{Package: "example.com/c", Benchmarks: 2}
	all := func(side record.Side) *record.Run { return run(side, 1) }
	for _, tt := range []struct {
		runs func(side record.Side) []*record.Run
		want string
	}{
		{func(s record.Side) []*record.Run { return []*record.Run{run(s, 0, a, c)} }, "[{m example.com/a=b 171} {m example.com/c 2}]"},
		{func(s record.Side) []*record.Run { return []*record.Run{run(s, 1, a), run(s, 1, fewer, c)} }, "[{m example.com/a=b 171} {m example.com/c 2}]"},
		{func(s record.Side) []*record.Run { return []*record.Run{run(s, 1, a), all(s)} }, "[]"},
		{func(s record.Side) []*record.Run {
			part := all(s)
			part.Protocol.Selection = &record.Selection{Packages: []string{"Sort"}}
			return []*record.Run{run(s, 1, a), part}
		}, "[{m example.com/a=b 171}]"},
	} {
		c := Compare(Side{Runs: tt.runs(record.Base)}, Side{Runs: tt.runs(record.Head)}, Options{})
		if got := fmt.Sprint(c.Unreached); got != tt.want {
			t.Errorf("unreached %s, want %s", got, tt.want)
		}
		if covers := c.Covers("m"); !covers {
			t.Error("nothing is known of the target")
		}
	}
}

func checkedRun(t *testing.T, side record.Side, rows string) *record.Run {
	t.Helper()
	r := runtest.Profile(t, rows) // parses rows as lines of scopes
	r.Trial, r.Side = "t", side
	byPairs(r)
	r.Protocol.Procedure = pairs.ProcedureCheck
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		b.Kind = record.Bench
		for n := 2; n <= 20; n++ {
			b.Rounds = append(b.Rounds, record.Round{N: n, Iters: 1})
			b.Samples[0].Values = append(b.Samples[0].Values, b.Samples[0].Values[0]+float64(n%3))
		}
	}
	return r
}

// A rewritten benchmark and its sub-benchmarks have no verdict and belong to no family, but a
// benchmark with the same name in another package or target has a verdict.
func TestRewrittenHasNoVerdict(t *testing.T) {
	side := func(side record.Side, rows string) Side {
		var s Side
		for _, target := range []string{"m", "n"} {
			r := checkedRun(t, side, rows)
			r.Target = target
			for i := range r.Benchmarks {
				r.Benchmarks[i].Package, r.Benchmarks[i].Name, _ = strings.Cut(r.Benchmarks[i].Name, ".")
			}
			s.Runs = append(s.Runs, r)
		}
		return s
	}
	b := side(record.Base, "p.Sort/n=1 1 100 ns/op\np.Sorted 1 100 ns/op\nq.Sort 1 100 ns/op")
	h := side(record.Head, "p.Sort/n=1 1 300 ns/op\np.Sorted 1 300 ns/op\nq.Sort 1 300 ns/op")
	h.Runs[0].Protocol.Rewritten = []record.BenchmarkFunc{{Package: "p", Name: "Sort"}}
	c := Compare(b, h, Options{})
	for r := range c.Rows() {
		want := Regressed
		if r.Target == "m" && r.Package == "p" && r.Name == "Sort/n=1" {
			want = NotComparable
		}
		if r.Verdict != want {
			t.Errorf("%s %s %s is %s, want %s", r.Target, r.Package, r.Name, r.Verdict, want)
		}
	}
	if c.Tested != 5 {
		t.Errorf("%d tested, want 5", c.Tested)
	}
}

// A benchmark that was measured on both sides with the test files of one side has a verdict and a
// note.
func TestSharedHasAVerdict(t *testing.T) {
	b := checkedRun(t, record.Base, "Sort/n=1 1 100 ns/op\nNew 1 100 ns/op\nOld 1 100 ns/op")
	h := checkedRun(t, record.Head, "Sort/n=1 1 300 ns/op\nNew 1 300 ns/op\nOld 1 300 ns/op")
	h.Protocol.Tests = []record.SharedTests{{Of: record.Head, Edited: []string{"Sort"}, New: []string{"New"}}, {Of: record.Base, Edited: []string{"Parse"}}}
	c := Compare(Side{Runs: []*record.Run{b}}, Side{Runs: []*record.Run{h}}, Options{})
	if len(c.Shared) != 3 || c.LostCoverage() {
		t.Errorf("shared %v", c.Shared)
	}
	notes := map[string]string{
		"Sort/n=1": "the benchmark was edited: both sides were measured with the test files from head",
		"New":      "the benchmark is new: base was measured with the test files from head",
	}
	for r := range c.Rows() {
		got := ""
		for _, n := range r.Notes {
			if n.Code == CodeTests {
				got = n.Text
			}
		}
		if r.Verdict != Regressed || got != notes[r.Name] {
			t.Errorf("%s is %s, %q", r.Name, r.Verdict, got)
		}
	}
	if SameCoverage(b, h) {
		t.Error("a run without the note has the same coverage")
	}
}

// Missing, failed and rewritten benchmarks are lost coverage. New benchmarks are not, nor are those
// left out because their code is the same.
func TestLostCoverage(t *testing.T) {
	for _, tt := range []struct {
		c    Comparison
		want bool
	}{
		{Comparison{}, false},
		{Comparison{Same: make([]SameCode, 1), New: make([]OneSided, 1)}, false},
		{Comparison{Missing: make([]OneSided, 1)}, true},
		{Comparison{Failures: make([]Failure, 1)}, true},
		{Comparison{Rewritten: make([]Rewritten, 1)}, true},
	} {
		if got := tt.c.LostCoverage(); got != tt.want {
			t.Errorf("lost coverage of %d missing, %d failed, %d rewritten: %v", len(tt.c.Missing), len(tt.c.Failures), len(tt.c.Rewritten), got)
		}
	}
}

// Runs from older versions use a star for all benchmarks of a package, or for all packages.
func TestManyRewritten(t *testing.T) {
	for _, tt := range []record.BenchmarkFunc{{Package: "p0", Name: "Bench399"}, {Package: "p0", Name: "*"}, {Package: "*", Name: "*"}} {
		b, h := &record.Run{Target: "m", Trial: "t", Side: record.Base}, &record.Run{Target: "m", Trial: "t", Side: record.Head}
		h.Protocol.Procedure, h.Protocol.Rewritten = pairs.ProcedureCheck, []record.BenchmarkFunc{tt}
		c := Compare(Side{Runs: []*record.Run{b}}, Side{Runs: []*record.Run{h}}, Options{})
		if r := (&Row{Target: "m", BenchmarkID: record.BenchmarkID{Package: "p0", Name: "Bench399/sub"}}); !c.rewritten(r) {
			t.Errorf("%v: the benchmark is comparable", tt)
		}
		if r := (&Row{Target: "another", BenchmarkID: record.BenchmarkID{Package: "p0", Name: "Bench399"}}); c.rewritten(r) {
			t.Errorf("%v: one of another target is rewritten", tt)
		}
	}
}

// Each target gets only its share of the error rate, even if the other targets are not compared.
func TestFamiliesShareAlpha(t *testing.T) {
	p := func(families int) float64 {
		b, h := checkedRun(t, record.Base, "Sort 1 100 ns/op"), checkedRun(t, record.Head, "Sort 1 300 ns/op")
		c := Compare(Side{Runs: []*record.Run{b}}, Side{Runs: []*record.Run{h}}, Options{Families: families, Alpha: 0.01})
		for r := range c.Rows() {
			if r.Verdict == Regressed {
				return r.Shift.Hi
			}
		}
		return 0
	}
	if one, many := p(1), p(1_000_000); one == 0 || many != 0 {
		t.Errorf("with one family the interval ends at %g, with a million at %g: want it regressed, and then not", one, many)
	}
}

// The comparison mentions that other programs were running, because that may be why a trial has no
// verdicts.
func TestBusyMachine(t *testing.T) {
	for _, tt := range []struct {
		load string
		busy int
	}{{"3.9", 0}, {"4.1", 1}, {"", 0}, {"much", 0}, {"NaN", 0}} {
		b, h := trial(t, "X ns/op 1 2", "X ns/op 1 2")
		for _, r := range slices.Concat(b.Runs, h.Runs) {
			r.Env = r.Env.Set("cpu-count", "2")
		}
		h.Runs[0].Facts = h.Runs[0].Facts.Set("load", tt.load)
		var busy int
		for _, c := range Compare(b, h, Options{}).Caveats {
			if c.Code == CodeBusy {
				busy++
			}
		}
		if busy != tt.busy {
			t.Errorf("load %q of 2 processors: %d caveats, want %d", tt.load, busy, tt.busy)
		}
	}
}

// A benchmark that failed once but was measured when the trial was continued does not count as
// failed.
func TestFailureThatPassed(t *testing.T) {
	run := func(failed string, benchmarks ...string) *record.Run {
		r := &record.Run{Target: "lib", Trial: "t", Side: record.Head, Status: record.Failed}
		for _, name := range benchmarks {
			r.Benchmarks = append(r.Benchmarks, record.Benchmark{BenchmarkID: record.BenchmarkID{Package: "example.com/lib", Name: name}})
		}
		reason := "panic"
		if failed == "example.com/lib" {
			reason = record.NotBuilt + "undefined: x"
		}
		if failed != "" {
			r.AddFailure(failed, reason)
		}
		return r
	}
	for _, tt := range []struct {
		name string
		runs []*record.Run
		want int
	}{
		{"once", []*record.Run{run("example.com/lib.Sort", "Hash")}, 1},
		{"measured later", []*record.Run{run("example.com/lib.Sort", "Hash"), run("", "Hash", "Sort/n=10")}, 0},
		{"built later", []*record.Run{run("example.com/lib", "Hash"), run("", "Sort")}, 0},
		{"of another function", []*record.Run{run("example.com/lib.Sort", "Hash"), run("", "Hash", "Sorted")}, 1},
		{"failed later", []*record.Run{run("", "Sort"), run("example.com/lib.Sort", "Hash")}, 1},
		{"nothing but that", []*record.Run{run("example.com/lib.Sort"), run("", "Sort")}, 0},
	} {
		c := Compare(Side{}, Side{Runs: tt.runs}, Options{})
		if len(c.Failures) != tt.want {
			t.Errorf("%s: %+v, want %d", tt.name, c.Failures, tt.want)
		}
	}
}

// Benchmarks missing on one side get no share of the error rate, wherever they are in the tables.
func TestNewPackageSharesNothing(t *testing.T) {
	side := func(side record.Side, rows string) Side { return Side{Runs: []*record.Run{checkedRun(t, side, rows)}} }
	alone := Compare(side(record.Base, "B 1 100 ns/op"), side(record.Head, "B 1 120 ns/op"), Options{})
	beside := Compare(side(record.Base, "B 1 100 ns/op"), side(record.Head, "B 1 120 ns/op\nA 1 5 B/tok\nA 1 5 ms/op"), Options{})
	head := side(record.Head, "B 1 120 ns/op")
	for _, b := range head.Runs[0].Benchmarks {
		b.Package = "a/new" // sorts before the package of the other benchmark
		b.Name = "A"
		head.Runs[0].Benchmarks = append(head.Runs[0].Benchmarks, b)
		break
	}
	head.Runs[0].Benchmarks[0].Package = "b"
	base := side(record.Base, "B 1 100 ns/op")
	base.Runs[0].Benchmarks[0].Package = "b"
	first := Compare(base, head, Options{})
	want := row(t, alone, "B")
	for name, c := range map[string]*Comparison{"units": beside, "a package": first} {
		if r := row(t, c, "B"); c.Tested != 1 || len(c.New) == 0 || r.AdjustedP != want.AdjustedP || r.Shift != want.Shift {
			t.Errorf("beside %s that only head has: %d tested, %+v, want %+v", name, c.Tested, r.Decision, want.Decision)
		}
	}
}
