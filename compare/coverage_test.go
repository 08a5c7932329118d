package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/internal/runtest"
	"github.com/perftrack/perftrack/runner/record"
)

// What is noted on a run is read back once, also of a trial that was continued,
// as far as a fact has room.
func TestCheckCoverage(t *testing.T) {
	noted := func(side record.Side, procedure string) *record.Run {
		r := &record.Run{Target: "m", Trial: "t", Side: side}
		r.Facts = r.Facts.Set(record.KeyProcedure, procedure)
		SetCoverage(r, []SameCode{{"m", "example.com/a=b", 3}, {"m", "example.com/c", 12}}, nil)
		SetRewritten(r, []Rewritten{{"m", "example.com/d", "Sort"}})
		return r
	}
	for _, tt := range []struct {
		procedure string
		want      string
	}{
		{ProcedureCheck, "[{m example.com/a=b 3} {m example.com/c 12}] [{m example.com/d Sort}] true"},
		{"", "[] [{m example.com/d Sort}] true"}, // a trial of fixed length leaves nothing out, whatever its runs say
	} {
		b, h := noted(record.Base, tt.procedure), noted(record.Head, tt.procedure)
		c := Compare(Side{Runs: []*record.Run{b, b}}, Side{Runs: []*record.Run{h, h}}, Options{})
		if got := fmt.Sprint(c.Same, c.Rewritten, c.LostCoverage()); got != tt.want {
			t.Errorf("procedure %q: coverage %s, want %s", tt.procedure, got, tt.want)
		}
	}
	h := noted(record.Head, ProcedureCheck)
	var many []SameCode
	for i := range 200 {
		many = append(many, SameCode{Package: fmt.Sprintf("example.com/%d", i), Benchmarks: 1})
	}
	SetCoverage(h, many, nil)
	if got := h.Facts.Get(record.KeySameCode); len(got) > record.MaxSettingLen || !strings.HasPrefix(got, "example.com/0=1 example.com/1=1 ") || strings.HasSuffix(got, " ") {
		t.Errorf("fact %q", got)
	}
}

// What reaches no changed code is read back once a package, also of a trial that goes on with less; who
// measured all of it has left nothing out.
func TestUnreached(t *testing.T) {
	run := func(side record.Side, benchmarks int, unreached ...Unreached) *record.Run {
		r := checkedRun(t, side, "p.Sort 1 100 ns/op")
		r.Target, r.Status = "m", record.Complete
		r.Benchmarks = r.Benchmarks[:benchmarks]
		SetUnreached(r, unreached)
		SetSelection(r, "")
		return r
	}
	a, fewer, c := Unreached{"m", "example.com/a=b", 171}, Unreached{"m", "example.com/a=b", 1}, Unreached{"m", "example.com/c", 2}
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
			SetSelection(part, "Sort")
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
	r := runtest.Profile(t, rows) // reads lines of scopes
	r.Trial, r.Side = "t", side
	byPairs(r)
	r.Facts = r.Facts.Set(record.KeyProcedure, ProcedureCheck)
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

// A benchmark that was rewritten has no verdict and is in no family, nor are its
// sub-benchmarks; one of its name in another package or target has.
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
	SetRewritten(h.Runs[0], []Rewritten{{"m", "p", "Sort"}})
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

// A strict gate stops at a benchmark that cannot be compared because it was rewritten, in a check and in
// a trial of fixed length, and what regressed beside it fails either way.
func TestGateOfRewritten(t *testing.T) {
	var rows string
	for i := range 30 {
		rows += fmt.Sprintf("p.B%d 1 100 ns/op\n", i)
	}
	for _, tt := range []struct {
		procedure, rewritten, slower string
		want, strict                 Gate
	}{
		{ProcedureCheck, "", "", Gate{Result: Pass}, Gate{Result: Pass}},
		{ProcedureCheck, "B7", "B7", Gate{Result: Pass}, Gate{Fail, CauseGap}},
		{"", "B7", "B7", Gate{Result: Pass}, Gate{Fail, CauseGap}},
		{ProcedureCheck, "*", "B7", Gate{Result: Pass}, Gate{Fail, CauseGap}},
		{ProcedureCheck, "B7", "B8", Gate{Fail, CauseWorse}, Gate{Fail, CauseWorse}},
	} {
		side := func(side record.Side, rows string) Side {
			r := checkedRun(t, side, rows)
			r.Facts = r.Facts.Set(record.KeyProcedure, tt.procedure)
			for i := range r.Benchmarks {
				r.Benchmarks[i].Package, r.Benchmarks[i].Name, _ = strings.Cut(r.Benchmarks[i].Name, ".")
			}
			if tt.rewritten != "" {
				SetRewritten(r, []Rewritten{{"", "p", tt.rewritten}})
			}
			return Side{Runs: []*record.Run{r}}
		}
		head := rows
		if tt.slower != "" {
			head = strings.Replace(rows, tt.slower+" 1 100 ", tt.slower+" 1 400 ", 1)
		}
		c := Compare(side(record.Base, rows), side(record.Head, head), Options{})
		if got, strict := c.Gate(GateOptions{}), c.Gate(GateOptions{Strict: true}); got != tt.want || strict != tt.strict {
			t.Errorf("%q rewritten, %q slower: %v, strict %v, want %v, %v", tt.rewritten, tt.slower, got, strict, tt.want, tt.strict)
		}
	}
}

// A benchmark that was measured with the test files of one side on both has its verdict, and says so.
func TestSharedHasAVerdict(t *testing.T) {
	b := checkedRun(t, record.Base, "Sort/n=1 1 100 ns/op\nNew 1 100 ns/op\nOld 1 100 ns/op")
	h := checkedRun(t, record.Head, "Sort/n=1 1 300 ns/op\nNew 1 300 ns/op\nOld 1 300 ns/op")
	want := []Shared{{"", "", "Sort", record.Head, false}, {"", "", "Parse", record.Base, false}, {"", "", "New", record.Head, true}}
	SetShared(h, want)
	c := Compare(Side{Runs: []*record.Run{b}}, Side{Runs: []*record.Run{h}}, Options{})
	if len(c.Shared) != 3 || c.LostCoverage() {
		t.Errorf("shared %v, want %v", c.Shared, want)
	}
	notes := map[string]string{
		"Sort/n=1": "the benchmark was edited: both sides were measured with the test files of head",
		"New":      "the benchmark is new: base was measured, too, with the test files of head",
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

// Whatever of the base was not decided is lost coverage; what was not measured
// because it is the same is not, nor what is new.
func TestLostCoverage(t *testing.T) {
	for _, tt := range []struct {
		c    Comparison
		want bool
	}{
		{Comparison{}, false},
		{Comparison{Same: make([]SameCode, 1), New: make([]Unpaired, 1)}, false},
		{Comparison{Missing: make([]Unpaired, 1)}, true},
		{Comparison{Failures: make([]Failure, 1)}, true},
		{Comparison{Rewritten: make([]Rewritten, 1)}, true},
	} {
		if got := tt.c.LostCoverage(); got != tt.want {
			t.Errorf("lost coverage of %d missing, %d failed, %d rewritten: %v", len(tt.c.Missing), len(tt.c.Failures), len(tt.c.Rewritten), got)
		}
	}
}

// More rewritten benchmarks than a fact can name are noted by their packages, and
// none of them gets a verdict.
func TestManyRewritten(t *testing.T) {
	for _, tt := range []struct {
		packages int
		want     string
	}{{1, "[{m p0 *}]"}, {400, "[{m * *}]"}} {
		var many []Rewritten
		for i := range 400 {
			many = append(many, Rewritten{"m", fmt.Sprintf("p%d", i%tt.packages), fmt.Sprintf("Bench%d", i)})
		}
		h := &record.Run{Target: "m", Trial: "t", Side: record.Head}
		h.Facts = h.Facts.Set(record.KeyProcedure, ProcedureCheck)
		SetRewritten(h, many)
		c := Compare(Side{Runs: []*record.Run{{Target: "m", Trial: "t", Side: record.Base, Facts: h.Facts}}}, Side{Runs: []*record.Run{h}}, Options{})
		if got := fmt.Sprint(c.Rewritten); got != tt.want {
			t.Errorf("%d packages: %s, want %s", tt.packages, got, tt.want)
		}
		if r := (&Row{Target: "m", BenchmarkID: record.BenchmarkID{Package: "p0", Name: "Bench399/sub"}}); !c.rewritten(r) {
			t.Errorf("%d packages: the last one is comparable", tt.packages)
		}
		if r := (&Row{Target: "another", BenchmarkID: record.BenchmarkID{Package: "p0", Name: "Bench0"}}); c.rewritten(r) {
			t.Errorf("%d packages: one of another target is rewritten", tt.packages)
		}
	}
}

// Each target has its part of the error rate, and no less if there were more of
// them than are compared.
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

// That other programs were running explains a trial without verdicts.
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

// What failed once and was measured when the trial was continued has not failed.
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

// Benchmarks that only one side has take no part of the error rate from the others, wherever
// they stand in the tables.
func TestNewPackageSharesNothing(t *testing.T) {
	side := func(side record.Side, rows string) Side { return Side{Runs: []*record.Run{checkedRun(t, side, rows)}} }
	alone := Compare(side(record.Base, "B 1 100 ns/op"), side(record.Head, "B 1 120 ns/op"), Options{})
	beside := Compare(side(record.Base, "B 1 100 ns/op"), side(record.Head, "B 1 120 ns/op\nA 1 5 B/tok\nA 1 5 ms/op"), Options{})
	head := side(record.Head, "B 1 120 ns/op")
	for _, b := range head.Runs[0].Benchmarks {
		b.Package = "a/new" // sorts before the others, which have no package
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
