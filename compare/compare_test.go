package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// trial returns both sides of a trial of one target. Each line of base and head has the form "Name
// unit v v v ...".
func trial(t testing.TB, base, head string) (b, h Side) {
	b, h = unpaired(t, base, head)
	b.Runs[0].Trial, b.Runs[0].Side = "t1", record.Base
	h.Runs[0].Trial, h.Runs[0].Side = "t1", record.Head
	byPairs(b.Runs[0])
	byPairs(h.Runs[0])
	return b, h
}

// byPairs marks a run as part of a trial decided by pairs.
func byPairs(r *record.Run) { r.Protocol.Decision = pairs.Decision }

// unpaired returns two sides not measured together.
func unpaired(t testing.TB, base, head string) (b, h Side) {
	t.Helper()
	return Side{Label: "base", Runs: []*record.Run{run(t, base)}}, Side{Label: "head", Runs: []*record.Run{run(t, head)}}
}

func run(t testing.TB, series string) *record.Run {
	t.Helper()
	text := "goos: linux\ncpu: A\ngomaxprocs: 4\nUnit score better=higher\nUnit size better=lower assume=exact\n"
	var names []string
	rounds := map[string][]string{} // each benchmark's output, by round
	for l := range strings.Lines(strings.TrimSpace(series)) {
		f := strings.Fields(l)
		if rounds[f[0]] == nil {
			names = append(names, f[0])
		}
		for i, v := range f[2:] {
			if i == len(rounds[f[0]]) {
				rounds[f[0]] = append(rounds[f[0]], "")
			}
			rounds[f[0]][i] += " " + v + " " + f[1]
		}
	}
	for _, name := range names {
		for _, values := range rounds[name] {
			text += "Benchmark" + name + "-4 1" + values + "\n"
		}
	}
	return parse(t, text)[0]
}

// row returns the row with the given name. The comparison must have only one.
func row(t testing.TB, c *Comparison, name string) *Row {
	t.Helper()
	for r := range c.Rows() {
		if r.Name == name {
			return r
		}
	}
	t.Fatalf("no row %s", name)
	return nil
}

func TestVerdict(t *testing.T) {
	const (
		ten     = "100 101 102 103 104 105 106 107 108 109"
		plus20  = "120 121 122 123 124 125 126 127 128 129"
		minus20 = "80 81 82 83 84 85 86 87 88 89"
		tight   = "100 100.1 100.2 100.3 100.4 100.5 100.6 100.7 100.8 100.9"
		plus2   = "102 102.1 102.2 102.3 102.4 102.5 102.6 102.7 102.8 102.9"
		wild    = "70 80 90 100 105 110 120 130 150 190"
	)
	for _, tt := range []struct {
		name, unit, base, head string
		want                   Verdict
		reason                 string
	}{
		{"slower", "ns/op", ten, plus20, Regressed, ""},
		{"faster", "ns/op", ten, minus20, Improved, ""},
		{"higher is better", "score", ten, plus20, Improved, ""},
		{"no direction", "widgets", ten, plus20, Changed, ""},
		{"equal in each round", "ns/op", tight, tight, Unchanged, ""},
		{"proven", "ns/op", tight, "100.1 100 100.3 100.2 100.5 100.4 100.7 100.6 100.9 100.8", Unchanged, "within"},
		{"significant and proven small", "ns/op", tight, plus2, Unchanged, "within"},
		{"noise", "ns/op", wild, "80 70 100 90 110 105 130 120 190 150", Inconclusive, "needs "},
		{"too few", "ns/op", "100 101 102 103", "200 201 202 203", NotChecked, "4 of 7 rounds"},
		{"one sample", "ns/op", "100", "200", NotChecked, "1 of 7 rounds"},
		{"one sample of a count", "allocs/op", "1", "2", NotChecked, "1 of 7 rounds"},
		{"one sample of a unit declared exact", "size", "1", "2", NotChecked, "1 of 2 rounds"},
		{"allocs equal", "allocs/op", "3 3 3", "3 3 3", Unchanged, ""},
		{"one alloc more of many", "allocs/op", repeat(10, 5000, 0, 0), repeat(10, 5001, 0, 0), Regressed, ""},
		{"one alloc more in four rounds", "allocs/op", repeat(4, 5, 0, 0), repeat(4, 6, 0, 0), NotChecked, "4 of 7 rounds"},
		{"first alloc", "allocs/op", repeat(10, 0, 0, 0), repeat(10, 1, 0, 0), Regressed, ""},
		{"last alloc", "allocs/op", repeat(10, 1, 0, 0), repeat(10, 0, 0, 0), Improved, ""},
		{"16 bytes", "B/op", "100 100", "116 116", Unchanged, "too small"},
		{"17 bytes", "B/op", repeat(10, 100, 0, 0), repeat(10, 117, 0, 0), Regressed, ""},
		{"17 bytes fewer", "B/op", repeat(10, 117, 0, 0), repeat(10, 100, 0, 0), Improved, ""},
		{"1 % of bytes", "B/op", "10000 10000", "10100 10100", Unchanged, "too small"},
		{"above 1 % of bytes", "B/op", repeat(10, 10000, 0, 0), repeat(10, 10101, 0, 0), Regressed, ""},
		{"above 1 % of bytes, down", "B/op", repeat(10, 10101, 0, 0), repeat(10, 10000, 0, 0), Improved, ""},
		{"exact size down", "size", "10 10", "9 9", Improved, ""},
		{"bytes from zero, varying", "B/op", "0 0 0 0 0 0 0 0", "32 33 32 33 32 33 32 33", Regressed, ""},
		{"bytes from zero, few and varying", "B/op", "0 0 0 0 0 0", "1 2 1 2 1 2", Unchanged, "too small"},
		{"allocs now and then", "allocs/op", "0 0 0 0 0 0 0 1 0 0 " + repeat(10, 0, 0, 0), "0 0 0 0 0 0 0 0 0 1 " + repeat(10, 0, 0, 0), Unchanged, ""},
		{"medians differ, the pairs do not", "ns/op", repeat(11, 100, 9, 110), repeat(9, 102, 11, 111), Unchanged, "within 2.3%"},
		{"medians near, the pairs are not", "ns/op", repeat(9, 90, 11, 100), repeat(11, 101, 9, 110), Regressed, ""},
		{"errors from zero", "errors/op", repeat(12, 0, 0, 0), repeat(12, 3, 0, 0), Changed, ""},
		{"times from zero", "ns/op", repeat(12, 0, 0, 0), repeat(12, 3, 0, 0), Regressed, ""},
		{"times of zero", "ns/op", repeat(10, 0, 0, 0), repeat(10, 0, 0, 0), Unchanged, ""},
		{"times of zero, too few", "ns/op", "0 0 0", "0 0 0", NotChecked, "3 of "},
		{"a small change beside a time of zero", "ns/op", "0 " + repeat(19, 1000, 0, 0), "0 " + repeat(19, 1010, 0, 0), Unchanged, "within "},
		{"a large change beside a time of zero", "ns/op", "0 " + repeat(19, 1000, 0, 0), "0 " + repeat(19, 1100, 0, 0), Regressed, ""},
		{"small varying bytes", "B/op", "8 9 8 9 8 9 8 9 8 9", "16 17 16 17 16 17 16 17 16 17", Unchanged, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			line := "X " + tt.unit + " "
			b, h := trial(t, line+tt.base, line+tt.head)
			r := row(t, Compare(b, h, Options{}), "X")
			if r.Verdict != tt.want || !strings.HasPrefix(r.Reason, tt.reason) {
				t.Errorf("verdict %q (%s), want %q (%s); adjusted p %v, shift %+v", r.Verdict, r.Reason, tt.want, tt.reason, r.AdjustedP, r.Shift)
			}
		})
	}
}

// repeat returns a list with v repeated n times, followed by w repeated m times.
func repeat(n, v, m, w int) string {
	return strings.Repeat(fmt.Sprintf("%d ", v), n) + strings.Repeat(fmt.Sprintf("%d ", w), m)
}

// Pairs can prove changes that benchstat shows as ~, because benchstat mistakes noise shared by
// both sides for uncertainty about the change.
func TestBenchstatHasNoSay(t *testing.T) {
	b, h := trial(t, "X ns/op 100 110 120 130 140 150", "X ns/op 122 133 141 152 161 172")
	c := Compare(b, h, Options{Alpha: 0.2})
	if r := row(t, c, "X"); r.P <= 0.05 || r.P > 0.2 || r.Delta < 0.05 || r.Verdict != Regressed || len(c.Caveats) > 0 {
		t.Errorf("p %v, delta %v: verdict %q, %v", r.P, r.Delta, r.Verdict, c.Caveats)
	}
}

// Without pairs, a changed row is suspect, never regressed or improved.
func TestUnpaired(t *testing.T) {
	const base = "Slow ns/op 100 101 102 103 104 105\nSame ns/op 10 10.1 10.2 10.1 10 10.2\nMem allocs/op 1 1 1"
	const head = "Slow ns/op 200 201 202 203 204 205\nSame ns/op 10 10.1 10.2 10.1 10 10.2\nMem allocs/op 2 2 2"
	b, h := unpaired(t, base, head)
	b.Runs[0].Commit.SHA = strings.Repeat("ab", 20)
	c := Compare(b, h, Options{})
	for name, want := range map[string]Verdict{"Slow": Suspect, "Same": NoVerdict, "Mem": Suspect} {
		if r := row(t, c, name); r.Verdict != want {
			t.Errorf("%s: verdict %q, want %q", name, r.Verdict, want)
		}
	}
	notes := row(t, c, "Slow").Notes
	if len(notes) != 1 || notes[0].Code != CodeUnpaired || !strings.HasSuffix(notes[0].String(), "perftrack run --against abababababab") {
		t.Errorf("notes %v do not name the command that decides", notes)
	}
	if c.Trial() {
		t.Error("called a trial")
	}
}

func TestDecideCommand(t *testing.T) {
	sha := func(c string, dirty bool) []*record.Run {
		return []*record.Run{{Commit: record.Commit{SHA: strings.Repeat(c, 40), Dirty: dirty}}}
	}
	for _, tt := range []struct {
		base, head []*record.Run
		want       string
	}{
		{nil, nil, "perftrack run --against REV"},
		{sha("a", false), sha("b", false), "perftrack run --against aaaaaaaaaaaa --rev bbbbbbbbbbbb"},
		{sha("a", false), sha("b", true), "perftrack run --against aaaaaaaaaaaa"},
		{append(sha("a", false), sha("b", false)...), nil, "perftrack run --against REV"},
		{[]*record.Run{{Commit: record.Commit{SHA: "; rm -rf / #"}}}, nil, "perftrack run --against REV"},
	} {
		c := &Comparison{Base: Side{Runs: tt.base}, Head: Side{Runs: tt.head}}
		if got := c.DecideCommand(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// In a trial, all runs of a target must have the same trial id and be on the right side.
func TestTrialOfTarget(t *testing.T) {
	const series = "X ns/op 1 2 3"
	change := map[string]func(b, h *record.Run){
		"":                func(b, h *record.Run) {},
		"no id":           func(b, h *record.Run) { b.Trial, h.Trial = "", "" },
		"other trial":     func(b, h *record.Run) { h.Trial = "t2" },
		"both base":       func(b, h *record.Run) { h.Side = record.Base },
		"other machine":   func(b, h *record.Run) { h.Env = h.Env.Set("cpu", "B") },
		"other toolchain": func(b, h *record.Run) { h.Env = h.Env.Set("goversion", "go1.27") },
	}
	want := map[string]bool{"": true, "other toolchain": true}
	for name, f := range change {
		b, h := trial(t, series, series)
		f(b.Runs[0], h.Runs[0])
		if got := Compare(b, h, Options{}).Trial(); got != want[name] {
			t.Errorf("%s: trial %v, want %v", name, got, want[name])
		}
	}
}

func TestEnvironments(t *testing.T) {
	const series = "X ns/op 10 11 12 13 14 15"
	t.Run("unpaired and different", func(t *testing.T) {
		b, h := unpaired(t, series, series)
		h.Runs[0].Env = h.Runs[0].Env.Set("cpu", "B")
		c := Compare(b, h, Options{})
		r := row(t, c, "X")
		if r.Compared() || r.Delta == r.Delta || r.Base.Center != r.Head.Center || r.Base.N != 6 || c.Tested != 0 {
			t.Errorf("compared: %+v", r)
		}
		if len(r.Notes) != 1 || !strings.Contains(r.Notes[0].String(), "cpu: A vs B") {
			t.Errorf("notes %v", r.Notes)
		}
		if g := c.Tables[0].Geomean; g.Ratio == g.Ratio || len(g.Notes) > 0 {
			t.Errorf("geomean %+v", g)
		}
	})
	t.Run("unpaired and of two toolchains", func(t *testing.T) {
		b, h := unpaired(t, series, series)
		h.Runs[0].Env = h.Runs[0].Env.Set("goversion", "go1.27")
		if row(t, Compare(b, h, Options{}), "X").Compared() {
			t.Error("compared")
		}
	})
	t.Run("trial of toolchains", func(t *testing.T) {
		const series = "X ns/op 10 11 12 13 14 15 16 17 18 19"
		b, h := trial(t, series, series)
		b.Runs[0].Env = b.Runs[0].Env.Set("goversion", "go1.26")
		h.Runs[0].Env = h.Runs[0].Env.Set("goversion", "go1.27")
		c := Compare(b, h, Options{})
		if !row(t, c, "X").Compared() || len(c.Caveats) != 1 || !strings.Contains(c.Caveats[0].String(), "goversion: go1.26 vs go1.27") {
			t.Errorf("caveats %v", c.Caveats)
		}
	})
	t.Run("several a side", func(t *testing.T) {
		side := func(values ...string) Side {
			var s Side
			for _, v := range values {
				cpu, procs, _ := strings.Cut(v, "/")
				r := run(t, series)
				r.Env = r.Env.Set("cpu", cpu).Set("gomaxprocs", procs)
				s.Runs = append(s.Runs, r)
			}
			return s
		}
		c := Compare(side("A/1", "A/2", "B/8"), side("A/2", "A/1", "C/8", "D/8"), Options{})
		var got []string
		for _, tab := range c.Tables {
			s := fmt.Sprint(tab.Comparable)
			for _, env := range tab.Env {
				s += " " + env.Get("cpu") + "/" + env.Get("gomaxprocs")
			}
			got = append(got, s)
		}
		if s := strings.Join(got, ", "); s != "true A/1 A/1, true A/2 A/2, false B/8 C/8, false / D/8" {
			t.Errorf("paired %s", s)
		}
		if len(c.New) != 1 || len(c.Missing) != 0 {
			t.Errorf("new %v, missing %v", c.New, c.Missing)
		}
		if n := len(c.Caveats); n != 2 || !strings.HasPrefix(c.Caveats[1].Text, "the base side has no matching run") {
			t.Errorf("caveats %v", c.Caveats)
		}
	})
}

func TestCoverage(t *testing.T) {
	b, h := trial(t, "Kept ns/op 1 2 3\nKept GFLOPS 1 2 3\nGone ns/op 1 2 3\nGone B/op 1 1 1", "Kept ns/op 1 2 3\nFresh ns/op 1 2 3")
	h.Runs[0].Failures = []record.Failure{{Benchmark: "Gone", Reason: "exit status 2"}}
	h.Runs[0].Status = record.Failed
	b.Runs[0].Commit.Dirty = true
	c := Compare(b, h, Options{})
	var missing, fresh []string
	for _, u := range c.Missing {
		missing = append(missing, u.Name+" "+u.Unit)
	}
	for _, u := range c.New {
		fresh = append(fresh, u.Name+" "+u.Unit)
	}
	if s := strings.Join(missing, ","); s != "Gone ,Kept GFLOPS" {
		t.Errorf("missing %q", s)
	}
	if s := strings.Join(fresh, ","); s != "Fresh " {
		t.Errorf("new %q", s)
	}
	if len(c.Failures) != 1 || c.Failures[0].Side != record.Head || c.Failures[0].Reason != "exit status 2" {
		t.Errorf("failures %v", c.Failures)
	}
	if len(c.Caveats) != 3 || c.Caveats[0].Code != CodeDirty || c.Caveats[1].Code != CodeRunStatus || c.Caveats[2].Code != CodeNotChecked {
		t.Errorf("caveats %v", c.Caveats)
	}
}

// GFLOPS and the time they are computed from are one hypothesis. Without the time, GFLOPS are
// tested themselves.
func TestDerived(t *testing.T) {
	const time, rate = "X ns/op 10 11 12 13 14 15", "X GFLOPS 5 6 7 8 9 10"
	const time2, rate2 = "X ns/op 11 10 13 12 15 14", "X GFLOPS 6 5 8 7 10 9"
	for _, tt := range []struct {
		base, head string
		derived    bool
		tested     int
	}{
		{time + "\n" + rate, time2 + "\n" + rate2, true, 1},
		{rate, rate2, false, 1},
		{time + "\n" + rate, rate2, false, 1},
	} {
		b, h := trial(t, tt.base, tt.head)
		c := Compare(b, h, Options{})
		for r := range c.Rows() {
			if r.Unit != "GFLOPS" {
				continue
			}
			if r.Derived != tt.derived || c.Tested != tt.tested || r.Derived && (r.Verdict != NoVerdict || !r.Compared()) {
				t.Errorf("derived %v, tested %d, verdict %q", r.Derived, c.Tested, r.Verdict)
			}
		}
	}
}

func TestBaseSideDeclaresDirection(t *testing.T) {
	const base, head = "X score 100 101 102 103 104 105 106", "X score 80 81 82 83 84 85 86"
	b, h := trial(t, base, head)
	h.Runs[0].Units = []record.Unit{{Name: "score", Better: -1}}
	r := row(t, Compare(b, h, Options{}), "X")
	if r.Verdict != Regressed || len(r.Notes) != 1 || r.Notes[0].Code != CodeDirection {
		t.Errorf("verdict %q, notes %v", r.Verdict, r.Notes)
	}
}

// A continued trial adds its rounds to the earlier ones.
func TestContinuedTrial(t *testing.T) {
	b, h := trial(t, "X ns/op 1 2 3", "X ns/op 4 5 6")
	b2, h2 := trial(t, "X ns/op 1.5 2.5", "X ns/op 4.5")
	b.Runs, h.Runs = append(b.Runs, b2.Runs...), append(h.Runs, h2.Runs...)
	r := row(t, Compare(b, h, Options{}), "X")
	gotB, gotH := r.Samples()
	want := []float64{1, 2, 3, 1.5, 2.5}
	for i := range want {
		if len(gotB) != 5 || len(gotH) != 4 || math.Abs(gotB[i]-want[i]*1e-9) > 1e-20 {
			t.Fatalf("samples %v, %v", gotB, gotH)
		}
	}
}
