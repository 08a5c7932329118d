package compare

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
)

func limits(t testing.TB, rules ...string) (all limit.List) {
	t.Helper()
	for _, rule := range rules {
		bench, text, _ := strings.Cut(rule, " ")
		l, err := limit.Parse(bench, text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// around returns ten values within 1 % of a center.
func around(center float64) string {
	var out []string
	for i := range 10 {
		out = append(out, strconv.FormatFloat(center*(1+0.002*float64(i-5)), 'g', -1, 64))
	}
	return strings.Join(out, " ")
}

func TestLimitsOfATrial(t *testing.T) {
	for _, tt := range []struct {
		name, unit, base, head, limit string
		ofBase, ofHead                limit.State
		worse                         bool
	}{
		{"both meet", "ns/op", around(80), around(90), "<= 100 ns", limit.Met, limit.Met, false},
		{"head misses", "ns/op", around(80), around(120), "<= 100 ns", limit.Met, limit.Missed, true},
		{"base misses, too", "ns/op", around(110), around(120), "<= 100 ns", limit.Missed, limit.Missed, false},
		{"head meets again", "ns/op", around(110), around(90), "<= 100 ns", limit.Missed, limit.Met, false},
		{"head straddles", "ns/op", around(80), around(100), "<= 100 ns", limit.Met, limit.Undecided, false},
		{"base straddles", "ns/op", around(100), around(120), "<= 100 ns", limit.Undecided, limit.Missed, false},
		{"higher is better", "GFLOPS", around(30), around(20), ">= 25 GFLOPS", limit.Met, limit.Missed, true},
		{"too few", "ns/op", "80 80 80 80 80 80", "120 120 120 120 120 120", "<= 100 ns", limit.Undecided, limit.Undecided, false},
		{"declared exact", "size", "80", "120", "<= 100 size", limit.Met, limit.Missed, true},
		{"declared exact, and is not", "size", "80 81", "120 121", "<= 100 size", limit.Undecided, limit.Undecided, false},
	} {
		b, h := trial(t, "X "+tt.unit+" "+tt.base, "X "+tt.unit+" "+tt.head)
		c := Compare(b, h, Options{Limits: limits(t, "X "+tt.limit)})
		r := row(t, c, "X")
		if len(r.Limits) != 1 {
			t.Errorf("%s: %d limits", tt.name, len(r.Limits))
			continue
		}
		l := r.Limits[0]
		if l.Base.State != tt.ofBase || l.Head.State != tt.ofHead || l.Worse != tt.worse {
			t.Errorf("%s: base %s, head %s, worse %v; want %s, %s, %v", tt.name, l.Base.State, l.Head.State, l.Worse, tt.ofBase, tt.ofHead, tt.worse)
		}
		if n := c.FailedLimits(false); (n > 0) != tt.worse {
			t.Errorf("%s: %d limits fail", tt.name, n)
		}
	}
}

func TestLimitsUnpairedGateOnlyWhereAsked(t *testing.T) {
	b, h := unpaired(t, "X ns/op "+around(80), "X ns/op "+around(120))
	c := Compare(b, h, Options{Limits: limits(t, "X <= 100 ns")})
	if n, m := c.FailedLimits(false), c.FailedLimits(true); n != 0 || m != 1 {
		t.Errorf("%d limits of a trial fail, and %d of any runs", n, m)
	}
}

func TestLimitOfANewBenchmark(t *testing.T) {
	b, h := trial(t, "A ns/op "+around(50), "A ns/op "+around(50)+"\nX ns/op "+around(120))
	opt := Options{Limits: limits(t, "X <= 100 ns")}
	if n := Compare(b, h, opt).FailedLimits(false); n != 1 {
		t.Errorf("a new benchmark misses its limit, and %d fail", n)
	}
	b.Runs[0].Failures = []record.Failure{{Benchmark: "X", Reason: "exit status 2"}}
	if n := Compare(b, h, opt).FailedLimits(false); n != 0 {
		t.Errorf("base could not measure X, and %d fail", n)
	}
}

func TestLimitsThatBoundNothingAreNamed(t *testing.T) {
	opt := Options{Limits: limits(t, "* <= 100 ns", "X <= 200 ns", "Y <= 1 ms", "X < 1 MB/tok")}
	b, h := trial(t, "X ns/op "+around(80), "X ns/op "+around(80))
	note := func(c *Comparison) (all []string) {
		for _, n := range c.Caveats {
			if n.Code == CodeLimit {
				all = append(all, n.Detail)
			}
		}
		return all
	}
	if got := note(Compare(b, h, opt)); len(got) != 1 || got[0] != "Y <= 1 ms; X < 1 MB/tok" {
		t.Errorf("named %q", got)
	}
	// If one of two trials has the benchmark, the limit has a match.
	b2, h2 := trial(t, "Y ns/op "+around(80), "Y ns/op "+around(80))
	b2, h2 = ofTrial("t2", "", b2, h2)
	b1, h1 := ofTrial("t1", "", b, h)
	bb, hh := together(b1, h1, b2, h2)
	both := Compare(bb, hh, opt)
	if both.Trials != 2 {
		t.Fatalf("%d trials", both.Trials)
	}
	if got := note(both); len(got) != 1 || got[0] != "X < 1 MB/tok" {
		t.Errorf("named of two trials: %q", got)
	}
	profile := run(t, "X ns/op 1")
	profile.Benchmarks[0].Kind = record.Scope
	if got := note(Compare(Side{Runs: []*record.Run{profile}}, Side{Runs: []*record.Run{profile}}, opt)); got != nil {
		t.Errorf("named of a profile: %q", got)
	}
}

// A harmless change is hardly ever blamed for a missed limit, whatever the true value is.
func TestLimitsBlameNoHarmlessChange(t *testing.T) {
	const trials, alpha = 4000, 0.05
	r := rand.New(rand.NewPCG(3, 4))
	ls := Limits{limits(t, "X <= 100 x"), alpha}
	for _, truth := range []float64{97, 99, 100, 101, 103} {
		wrong := 0
		for range trials {
			var sides [2]Judged
			for side := range sides {
				var values []float64
				for range 12 {
					values = append(values, truth+3*r.NormFloat64())
				}
				sides[side] = ls.judge(ls.List[0], values, "x", false)
			}
			if sides[base].State == limit.Met && sides[head].State == limit.Missed {
				wrong++
			}
		}
		if most := trials * alpha * alpha * 3; float64(wrong) > most {
			t.Errorf("true value %v: %d of %d blamed", truth, wrong, trials)
		}
	}
}

func TestLimitsOfRuns(t *testing.T) {
	one := run(t, "A ns/op "+around(90)+"\nB ns/op "+around(120)+"\nC allocs/op 0 0 0 0 0 0 0")
	ls := Limits{limits(t, "* <= 100 ns", "C <= 0 allocs/op", "D <= 1 ns"), 0}
	all, note, ok := ls.Of(one)
	var got []string
	for _, l := range all {
		got = append(got, l.ID.Name+" "+string(l.State))
	}
	if s := strings.Join(got, ", "); s != "A met, B missed, C met" {
		t.Error(s)
	}
	if !ok || note.Detail != "D <= 1 ns" {
		t.Errorf("unmatched %v %q", ok, note.Detail)
	}
	if a := all[0]; !(a.Lo < 90e-9 && 90e-9 < a.Hi) || a.Unit != "sec/op" || a.N != 10 {
		t.Errorf("%+v", a)
	}
}
