package compare

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// If the mean of all slices shows a change but the typical round does not, the row shows the change
// in the mean, and all its numbers are for the mean.
func TestMeanDecides(t *testing.T) {
	const rounds = 20
	about := func(x float64) func(int) float64 {
		return func(i int) float64 { return x * (1 + 0.01*float64(i*7%5-2)) }
	}
	now := func(i int) float64 { // larger in one of three rounds
		if i%3 == 0 {
			return 4
		}
		return 1.01
	}
	for _, tt := range []struct {
		name       string
		slower     float64 // head's typical round takes this many times as long
		base, head func(int) float64
		verdict    Verdict
		byMean     bool
		reason     string
		note       string
	}{
		{"tripled", 1, about(1.01), about(3), Regressed, true, "^mean$", `^the numbers describe the mean of all slices; the typical slice changed by less than 0.1 %; 2.1 % of the slices on head and 0.1 % on base take far longer than the others$`},
		{"fell to a third", 1, about(3), about(1.01), Improved, true, "^mean$", "2.1 % of the slices on head"},
		{"stays", 1, about(1.01), about(1.01), Unchanged, false, `^within [\d.]+%, mean within [\d.]+%$`, ""},
		{"may have grown", 1, about(1.01), now, Inconclusive, true, "^mean$", "the mean of all slices"},
		{"grew with the typical round", 1.3, about(1), about(1), Regressed, false, "^$", ""},
		{"is not known", 1, nil, nil, Unchanged, false, `^within [\d.]+%$`, ""},
	} {
		b, h := trial(t, "A ns/op"+strings.Repeat(" 100 101 99 100.5", rounds/4), fmt.Sprintf("A ns/op"+strings.Repeat(" %[1]g %[2]g %[3]g %[4]g", rounds/4), 100.3*tt.slower, 100.6*tt.slower, 99.1*tt.slower, 100.2*tt.slower))
		if tt.base != nil {
			runtest.Average(b.Runs[0], "A", 0.001, tt.base)
			runtest.Average(h.Runs[0], "A", 0.021, tt.head)
		}
		c := Compare(b, h, Options{})
		r := row(t, c, "A")
		note := ""
		if i := slices.IndexFunc(r.Notes, func(n Caveat) bool { return n.Code == CodeMean }); i >= 0 {
			note = r.Notes[i].Text
		}
		if r.Verdict != tt.verdict || r.ByMean != tt.byMean || !regexp.MustCompile(tt.reason).MatchString(r.Reason) || !regexp.MustCompile(tt.note).MatchString(note) || tt.note == "" && note != "" {
			t.Errorf("the mean %s: %s (%s), by the mean %v, note %q", tt.name, r.Verdict, r.Reason, r.ByMean, note)
		}
		if (r.Mean == nil) != (tt.base == nil) {
			t.Errorf("the mean %s: %+v", tt.name, r.Mean)
		}
		if r.Verdict == Inconclusive {
			continue
		}
		if change := r.Head.Center/r.Base.Center - 1; math.Abs(change-r.Shift.Center) > 0.02 || math.Abs(r.Delta-change) > 1e-12 {
			t.Errorf("the mean %s: %+.3f by the rounds, and %v -> %v", tt.name, r.Shift.Center, r.Base.Center, r.Head.Center)
		}
		if pairs := c.Tables[0].ByRound()(r); math.Abs(pairs[0].Head/pairs[0].Base-1-r.Shift.Center) > 0.1 {
			t.Errorf("the mean %s: round 1 shows %+v", tt.name, pairs[0])
		}
	}
}

// The repetitions in a process that ran alone take the place of slices, such as those that the
// harness of a command target makes.
func TestMeanOfRepetitions(t *testing.T) {
	b, h := trial(t, "A ns/op"+strings.Repeat(" 100 101 99 100.5", 5), "A ns/op"+strings.Repeat(" 100.3 100.6 99.1 100.2", 5))
	runtest.Average(b.Runs[0], "A", 0, func(i int) float64 { return 1.01 + 0.001*float64(i%5) })
	runtest.Average(h.Runs[0], "A", 0.1, func(i int) float64 { return 3 + 0.01*float64(i%5) })
	for _, run := range []*record.Run{b.Runs[0], h.Runs[0]} {
		run.Protocol.Methods = []record.Method{{How: record.MethodFresh, Why: "programs of kind command are restarted for each sample"}}
		for i := range run.Benchmarks[0].Rounds {
			run.Benchmarks[0].Rounds[i].Slices = 0
		}
	}
	r := row(t, Compare(b, h, Options{}), "A")
	const note = "the numbers describe the mean of all repetitions; the typical process changed by less than 0.1 %; 10 % of the repetitions on head and 0 % on base take far longer than the others"
	if i := slices.IndexFunc(r.Notes, func(n Caveat) bool { return n.Code == CodeMean }); r.Verdict != Regressed || !r.ByMean || i < 0 || r.Notes[i].Text != note {
		t.Errorf("%s, by the mean %v, notes %q", r.Verdict, r.ByMean, r.Notes)
	}
}
