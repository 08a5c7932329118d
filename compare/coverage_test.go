package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/store"
)

// What is noted on a run is read back, as far as a fact has room.
func TestCheckCoverage(t *testing.T) {
	b, h := store.Run{Trial: "t", Side: store.Base}, store.Run{Trial: "t", Side: store.Head}
	for _, r := range []*store.Run{&b, &h} {
		r.Facts = r.Facts.Set(ProcedureKey, ProcedureCheck)
		SetCoverage(r, []SameCode{{"", "example.com/a=b", 3}, {"", "example.com/c", 12}}, []Rewritten{{"", "example.com/d", "Sort"}})
	}
	c := Compare(Side{Runs: []*store.Run{&b}}, Side{Runs: []*store.Run{&h}}, Options{})
	if got := fmt.Sprint(c.Same, c.Rewritten, c.LostCoverage()); got != "[{ example.com/a=b 3} { example.com/c 12}] [{ example.com/d Sort}] true" {
		t.Errorf("coverage %s", got)
	}
	var many []SameCode
	for i := range 200 {
		many = append(many, SameCode{Package: fmt.Sprintf("example.com/%d", i), Benchmarks: 1})
	}
	SetCoverage(&h, many, nil)
	if got := h.Facts.Get(sameCodeKey); len(got) > store.MaxSettingLen || !strings.HasPrefix(got, "example.com/0=1 example.com/1=1 ") || strings.HasSuffix(got, " ") {
		t.Errorf("fact %q", got)
	}
}

func checkedRun(t *testing.T, side store.Side, rows string) *store.Run {
	t.Helper()
	r := profileRun(t, rows) // reads lines of scopes
	r.Trial, r.Side = "t", side
	r.Facts = r.Facts.Set(ProcedureKey, ProcedureCheck)
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		b.Kind = store.Bench
		for n := 2; n <= 10; n++ {
			b.Rounds = append(b.Rounds, store.Round{N: n, Iters: 1})
			b.Samples[0].Values = append(b.Samples[0].Values, b.Samples[0].Values[0]+float64(n%3))
		}
	}
	return r
}

// A benchmark that was rewritten has no verdict and is in no family.
func TestRewrittenHasNoVerdict(t *testing.T) {
	b, h := checkedRun(t, store.Base, "Sort 1 100 ns/op\nFind 1 100 ns/op"), checkedRun(t, store.Head, "Sort 1 300 ns/op\nFind 1 300 ns/op")
	SetCoverage(h, nil, []Rewritten{{"", "", "Sort"}})
	c := Compare(Side{Runs: []*store.Run{b}}, Side{Runs: []*store.Run{h}}, Options{})
	verdicts := map[string]Verdict{}
	for r := range c.Rows() {
		verdicts[r.Name] = r.Verdict
	}
	if verdicts["Sort"] != Inconclusive || verdicts["Find"] != Regressed || c.Tested != 1 {
		t.Errorf("verdicts %v of %d tested", verdicts, c.Tested)
	}
}

// Each target has its part of the error rate, and no less if there were more of
// them than are compared.
func TestFamiliesShareAlpha(t *testing.T) {
	p := func(families int) float64 {
		b, h := checkedRun(t, store.Base, "Sort 1 100 ns/op"), checkedRun(t, store.Head, "Sort 1 300 ns/op")
		c := Compare(Side{Runs: []*store.Run{b}}, Side{Runs: []*store.Run{h}}, Options{Families: families, Alpha: 0.01})
		for r := range c.Rows() {
			if r.Verdict == Regressed {
				return r.Shift.Hi
			}
		}
		return 0
	}
	if one, many := p(1), p(1000); one == 0 || many != 0 {
		t.Errorf("with one family the interval ends at %g, with 1000 at %g: want it regressed, and then not", one, many)
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
