package compare

import (
	"fmt"
	"math"
	"testing"
)

func TestFLOPs(t *testing.T) {
	for _, tt := range []struct {
		name string
		want float64 // 0: the name does not tell
	}{
		{"MatMul_512x512", 268_435_456}, {"Run/MatMul_2x2", 16}, {"MatMul_2x3", 0}, {"MatMul_2", 0}, {"MatMul_Iteration", 0}, {"MatMul_0x0", 0},
		{"GELU_1000", 9000}, {"Softmax_256", 1280}, {"TensorAdd_10000", 10_000}, {"BroadcastAdd_100x100", 10_000},
		{"Other_100", 0}, {"GELU_-1", 0}, {"GELU_", 0}, {"GELU", 0}, {"GELU_10x", 0}, {"GELU_99999999999", 0}, {"", 0},
	} {
		got, ok := FLOPs(tt.name)
		if !ok {
			got = 0
		}
		if got != tt.want {
			t.Errorf("FLOPs(%s) = %v, want %v", tt.name, got, tt.want)
		}
	}
}

func profiles(t *testing.T, base, head string) *Profiles {
	t.Helper()
	all := Compare(scopes(t, base), scopes(t, head), Options{}).Profiles()
	if len(all) != 1 {
		t.Fatalf("%d comparisons of profiles", len(all))
	}
	return all[0]
}

// A call path tells how often a call of the scope runs its kernel.
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
	ms := func(x Pair) string { return fmt.Sprintf("%.4g %.4g", 1e3*x.Base, 1e3*x.Head) }
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

// Where a side did more calls, its totals are of more work: the change is that
// of a call, and the reader is told.
func TestProfilesOfDifferentCalls(t *testing.T) {
	p := profiles(t, "A=10*1", "A=5*1.5")
	m := p.Methods[0]
	if math.Abs(m.Change()-0.5) > 1e-9 || math.Abs(m.Time.Ratio()+0.25) > 1e-9 || len(p.Caveats) != 1 || p.Caveats[0].Code != CodeCalls {
		t.Errorf("change %v, of the totals %v, caveats %v", m.Change(), m.Time.Ratio(), p.Caveats)
	}
}

// A 0 that a report printed is any size below its last digit: it is no base of
// a change, and no measured 0 is taken for one.
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
		side := func(text string, b int) Side {
			return Side{Runs: parse(t, fmt.Sprintf(text, b))}
		}
		c := Compare(side(tt.base, tt.b), side(tt.head, tt.h), Options{})
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

// A report's totals are neither a second hypothesis nor a row that a profile of
// our own lacks.
func TestTotalsAreDerived(t *testing.T) {
	with, without := "profile: scopes\nBenchmarkA 1 5 ns/op 5 total-ns\n", "profile: scopes\nBenchmarkA 1 5 ns/op\n"
	c := Compare(Side{Runs: parse(t, with+with)}, Side{Runs: parse(t, without+without)}, Options{})
	if len(c.Missing)+len(c.New) > 0 {
		t.Errorf("missing %v, new %v", c.Missing, c.New)
	}
	c = Compare(Side{Runs: parse(t, with+with)}, Side{Runs: parse(t, with+with)}, Options{})
	if c.Tested != 1 {
		t.Errorf("%d rows tested, want the time alone", c.Tested)
	}
}
