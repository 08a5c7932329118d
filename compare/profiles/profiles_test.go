package profiles

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/compare/tree"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

func scopeSide(t testing.TB, words string) compare.Side {
	t.Helper()
	return compare.Side{Runs: []*record.Run{runtest.Scopes(t, words)}}
}

func profiles(t *testing.T, base, head string) *Diff {
	t.Helper()
	all := Of(compare.Compare(scopeSide(t, base), scopeSide(t, head), compare.Options{}))
	if len(all) != 1 {
		t.Fatalf("%d comparisons of profiles", len(all))
	}
	return all[0]
}

// A call path shows how often one call to the scope runs its kernel.
func TestKernelRuns(t *testing.T) {
	p := profiles(t, "MatMul_10x10=2*6 MatMul_10x10/MatMul_Iteration=6*2", "MatMul_10x10=2*3 MatMul_10x10/MatMul_Iteration=6*1")
	if k := p.Kernels[0]; len(p.Kernels) != 1 || k.FLOPs != 6000 || math.Abs(k.GFLOPS.Base-0.001) > 1e-12 || math.Abs(k.GFLOPS.Head-0.002) > 1e-12 || len(p.Repeats) != 0 {
		t.Errorf("kernel %+v of %+v, repeats %v: want 3 runs a call", k, k.GFLOPS, p.Repeats)
	}
}

func TestProfiles(t *testing.T) {
	p := profiles(t,
		"A=1*10 A/B=5*1 Gone=1*3 MatMul_10x10=2*4 MatMul_Iteration=6*1 Model_Small_Inference=1*50 Model_Small_GenerateToken=25*2 Model_Medium_Inference=1*200 Model_Medium_GenerateToken=25*8",
		"A=1*20 A/B=5*2 New=1*7 MatMul_10x10=2*2 MatMul_Iteration=6*0.5 Model_Small_Inference=1*25 Model_Small_GenerateToken=25*1 Model_Medium_Inference=1*50 Model_Medium_GenerateToken=25*2")
	ms := func(x tree.Pair) string { return fmt.Sprintf("%.4g %.4g", 1e3*x.Base, 1e3*x.Head) }
	for _, tt := range []struct{ what, got, want string }{
		{"all rows", ms(p.Time), "532 194"},
		{"in no other", ms(p.Outer), "271 106"},
		{"of both", ms(p.Shared), "529 187"},
		{"methods", fmt.Sprint(p.Count, p.Both), "[9 9] 8"},
		{"single, printed", fmt.Sprint(p.Single, p.Printed), "true false"},
		{"allocations", fmt.Sprint(p.Bytes), "{NaN NaN}"},
		{"tokens", fmt.Sprintf("%.4g %.4g", p.Models[0].Tokens.Base, p.Models[0].Tokens.Head), "500 1000"},
		{"latency", ms(p.Models[1].Latency), "8 2"},
		{"memory", fmt.Sprint(p.Models[1].Memory), "{NaN NaN}"},
		{"scaling", fmt.Sprintf("%.4g %.4g %.4f", p.Scaling.Time.Base, p.Scaling.Time.Head, p.Scaling.Parameters), "4 2 7.3417"},
		{"efficiency", fmt.Sprintf("%.4f %.4f", p.Scaling.Efficiency.Base, p.Scaling.Efficiency.Head), "1.8354 3.6708"},
		{"kernel", fmt.Sprintf("%s %.4g %.4g", p.Kernels[0].Name, p.Kernels[0].GFLOPS.Base, p.Kernels[0].GFLOPS.Head), "MatMul_10x10 0.0005 0.001"},
		{"repeats", fmt.Sprint(p.Repeats), "[{MatMul 3}]"},
		{"the hottest", p.Methods[0].Name, "Model_Medium_Inference"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %s, want %s", tt.what, tt.got, tt.want)
		}
	}
}

// An _Iteration row is inside the rows for all sizes of its kernel, so its calls are divided by the
// calls to all sizes together.
func TestRepeatsOverAllSizes(t *testing.T) {
	const words = "MatMul_10x10=1*4 MatMul_20x20=2*8 MatMul_Iteration=12*1"
	if p := profiles(t, words, words); fmt.Sprint(p.Repeats) != "[{MatMul 4}]" {
		t.Errorf("repeats %v, want 12 calls to 3", p.Repeats)
	}
}

// A rate over many kernels and the code between them is not a kernel's rate.
func TestKernelsOnly(t *testing.T) {
	text := "suite: enhanced\n"
	for _, name := range []string{"MatMul_10x10", "GELU_Iteration", "TensorAdd_InPlace", "MatMulBackward_128x256x128", "Model_Small_Inference", "Train_Step", "Forward_Pass"} {
		text += "Benchmark" + name + " 1 100 ns/op 2 GFLOPS\n"
	}
	side := compare.Side{Runs: runtest.Parse(t, text)}
	var names []string
	for _, k := range Of(compare.Compare(side, side, compare.Options{}))[0].Kernels {
		names = append(names, k.Name)
	}
	if got, want := strings.Join(names, " "), "MatMul_10x10 GELU_Iteration TensorAdd_InPlace MatMulBackward_128x256x128"; got != want {
		t.Errorf("kernels %s, want %s", got, want)
	}
}

// sampled returns a side with n rounds of scopes. Each word has the form name=ms, and every other
// round is larger by the fraction off.
func sampled(t *testing.T, n int, off float64, words string) compare.Side {
	t.Helper()
	text := "profile: scopes\n"
	for i := range n {
		for _, w := range strings.Fields(words) {
			name, ms, _ := strings.Cut(w, "=")
			x, err := strconv.ParseFloat(ms, 64)
			if err != nil {
				t.Fatal(err)
			}
			x *= 1e6 * (1 + off*float64(i%2) + 1e-4*float64(i))
			text += fmt.Sprintf("Benchmark%s 1 %v ns/op %v self-ns/op %v min-ns/op %v max-ns/op %d B/op 3 allocs/op 1 widgets\n", name, x, x, x, x, 1000+i)
		}
	}
	return compare.Side{Runs: runtest.Parse(t, text)}
}

// The only hypothesis about a scope is the time of a call; constant values are decided without a
// test.
func TestTestedOfScopes(t *testing.T) {
	b, h := sampled(t, 8, 0, "A=10 A/B=5"), sampled(t, 8, 0, "A=20 A/B=15")
	for _, r := range [...]*record.Run{b.Runs[0], h.Runs[0]} {
		r.Trial = "t"
		pairs.SetDecision(r)
	}
	b.Runs[0].Side, h.Runs[0].Side = record.Base, record.Head
	c := compare.Compare(b, h, compare.Options{})
	for r := range c.Rows() {
		switch {
		case r.Unit == "sec/op" && r.Tested && r.Verdict == compare.Regressed:
		case r.Unit == "allocs/op" && r.Exact && !r.Tested && !r.Derived && r.Verdict == compare.Unchanged:
		case r.Unit != "sec/op" && r.Unit != "allocs/op" && !r.Tested && r.Derived && r.Verdict == compare.NoVerdict && r.Compared():
		default:
			t.Errorf("%s %s: tested %v, derived %v, verdict %q", r.Name, r.Unit, r.Tested, r.Derived, r.Verdict)
		}
	}
	if c.Tested != 2 {
		t.Errorf("%d rows tested, want the times of a call", c.Tested)
	}
}

// Undecided rows are not the same as unchanged rows.
func TestUndecided(t *testing.T) {
	p := func(off float64, base, head string) *Diff {
		return Of(compare.Compare(sampled(t, 6, off, base), sampled(t, 6, off, head), compare.Options{}))[0]
	}
	noisy := p(2, "A=10 A/B=9 C=5 D=1", "A=14 A/B=13 C=5 D=3")
	if len(noisy.Changes) != 0 || noisy.UndecidedRows != 4 || len(noisy.Undecided) != 2 ||
		noisy.Undecided[0].Name != "D" || noisy.Undecided[1].Name != "A/B" || noisy.Undecided[1].With[0].Name != "A" {
		t.Errorf("changes %v, %d undecided, of them large %+v", noisy.Changes, noisy.UndecidedRows, noisy.Undecided)
	}
	if quiet := p(0, "A=10 A/B=9", "A=10.01 A/B=9.01"); quiet.UndecidedRows != 0 || len(quiet.Changes)+len(quiet.Undecided) != 0 {
		t.Errorf("%d undecided of rows that hardly vary", quiet.UndecidedRows)
	}
	if single := profiles(t, "A=1*10", "A=1*30"); single.UndecidedRows != 0 || len(single.Changes) != 1 {
		t.Errorf("%d undecided without any test", single.UndecidedRows)
	}
}

// The duration of the run is the sum of the outermost scopes, so each row counts once.
func TestOuterOfCallPaths(t *testing.T) {
	p := profiles(t, "A=1*10 A/B=1*8 Gone=1*5", "A=1*20 A/B=1*18 A/B/C=1*3")
	if !p.Paths || p.Outer != (tree.Pair{Base: 0.015, Head: 0.02}) || p.OuterShared != (tree.Pair{Base: 0.01, Head: 0.02}) {
		t.Errorf("paths %v, the run %v, of both sides %v", p.Paths, p.Outer, p.OuterShared)
	}
	if flat := profiles(t, "K_1=1*10 K_Iteration=2*5", "K_1=1*10 K_Iteration=2*5"); flat.Paths {
		t.Error("names alone are no call paths")
	}
}

// If a side made more calls, its totals include more work, so the change is per call, and a caveat
// says so.
func TestProfilesOfDifferentCalls(t *testing.T) {
	p := profiles(t, "A=10*1", "A=5*1.5")
	m := p.Methods[0]
	if math.Abs(m.Change()-0.5) > 1e-9 || math.Abs(m.Time.Ratio()+0.25) > 1e-9 || len(p.Caveats) != 1 || p.Caveats[0].Code != compare.CodeCalls {
		t.Errorf("change %v, of the totals %v, caveats %v", m.Change(), m.Time.Ratio(), p.Caveats)
	}
}

// A printed 0 can be any size too small for the last digit of the report. It cannot be the base of
// a change, and it does not count as a measured 0.
func TestPrintedZero(t *testing.T) {
	const printed, counted = "profile: scopes\nBenchmarkA 1 5 ns/op 5 total-ns %d B/op\n", "profile: scopes\nBenchmarkA 1 5 ns/op %d B/op\n"
	for _, tt := range []struct {
		base, head string
		b, h       int
		noted      string
		compared   bool
	}{
		{printed, printed, 0, 0, "1 1", true},
		{printed, printed, 0, 9, "1 0", false},
		{printed, counted, 0, 0, "1 0", false},
		{counted, counted, 0, 9, "0 0", true},
		{printed, printed, 8, 9, "0 0", true},
	} {
		side := func(text string, b int) compare.Side {
			return compare.Side{Runs: runtest.Parse(t, fmt.Sprintf(text, b))}
		}
		c := compare.Compare(side(tt.base, tt.b), side(tt.head, tt.h), compare.Options{})
		for r := range c.Rows() {
			if r.Unit != "B/op" {
				continue
			}
			if noted := fmt.Sprint(len(r.Base.Notes), len(r.Head.Notes)); noted != tt.noted || r.Compared() != tt.compared {
				t.Errorf("%+v: notes %s, compared %v", tt, noted, r.Compared())
			}
		}
	}
}

// A report's totals are not a second hypothesis, and they do not count as missing if the other side
// is one of our own profiles.
func TestTotalsAreDerived(t *testing.T) {
	with, without := "profile: scopes\nBenchmarkA 1 5 ns/op 5 total-ns\n", "profile: scopes\nBenchmarkA 1 5 ns/op\n"
	c := compare.Compare(compare.Side{Runs: runtest.Parse(t, with+with)}, compare.Side{Runs: runtest.Parse(t, without+without)}, compare.Options{})
	if len(c.Missing)+len(c.New) > 0 {
		t.Errorf("missing %v, new %v", c.Missing, c.New)
	}
	c = compare.Compare(compare.Side{Runs: runtest.Parse(t, with+with)}, compare.Side{Runs: runtest.Parse(t, with+with)}, compare.Options{})
	if c.Tested != 1 {
		t.Errorf("%d rows tested, want the time alone", c.Tested)
	}
}
