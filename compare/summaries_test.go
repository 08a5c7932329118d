package compare

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/limit"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// A row with a summary on either side shows the centers and their difference, and gets no test.
func TestSummaries(t *testing.T) {
	samples := strings.Repeat("X 1 1000 ns/op\n", 50)
	const sd, bounds = "X 1 100 ns/op 3 sd-ns/op 100 summary-n\n", "X 1 110 ns/op 90 low-ns/op 130 high-ns/op 0 summary-n\n"
	for _, tt := range []struct {
		name, base, head string
		delta            float64
		note             string // "" if the row is compared as usual
	}{
		{"both", sd, sd, 0, "each side is a summary of 100 samples, no test"},
		{"different numbers", sd, bounds, 0.1, "base is a summary of 100 samples, head a summary of an unknown number of samples, no test"},
		{"base", sd, samples, 9, "base is a summary of 100 samples, no test"},
		{"head", samples, "X 1 100 ns/op 1 summary-n\n", -0.9, "head is a summary of 1 sample, no test"},
		{"several processes", strings.Repeat(sd, 20), samples, 9, ""},
		{"samples", samples, samples, 0, ""},
	} {
		read := func(text string) Side { return Side{Runs: []*record.Run{runtest.Read(t, text)}} }
		l, err := limit.Parse("X", "<= 1 s")
		if err != nil {
			t.Fatal(err)
		}
		c := Compare(read(tt.base), read(tt.head), Options{Limits: limit.List{l}})
		var units, notes []string
		for r := range c.Rows() {
			units = append(units, r.OrigUnit)
			for _, n := range r.Notes {
				if n.Code == CodeSummary {
					notes = append(notes, n.Text)
				}
			}
			if r.Summarized() != (tt.note != "") || math.Abs(r.Delta-tt.delta) > 1e-9 {
				t.Errorf("%s: summarized %v, delta %v, want %v", tt.name, r.Summarized(), r.Delta, tt.delta)
			}
			if tt.note != "" && (r.Verdict != NoVerdict || r.Tested || r.Exact || r.P == r.P || r.Compared() || len(r.Limits) != 1) {
				t.Errorf("%s: a verdict without a test: %+v", tt.name, r)
			}
		}
		if got := strings.Join(units, " "); got != "ns/op" || len(c.New)+len(c.Missing) > 0 {
			t.Errorf("%s: rows in %s, new %v, missing %v", tt.name, got, c.New, c.Missing)
		}
		if got := strings.Join(notes, "; "); got != tt.note {
			t.Errorf("%s: note %q, want %q", tt.name, got, tt.note)
		}
		if tt.note != "" && (c.Count(Unchanged) > 0 || c.Tested > 0 || c.UndecidedLimits() > 1 || math.Abs(c.Tables[0].Geomean.Ratio-1-tt.delta) > 1e-9) {
			t.Errorf("%s: %d tested, %d undecided limits, geomean %v", tt.name, c.Tested, c.UndecidedLimits(), c.Tables[0].Geomean.Ratio)
		}
	}
}

// Summaries of one commit in several runs have a common number of samples, but no common spread.
func TestSeveralSummaries(t *testing.T) {
	run := runtest.Read(t, "X 1 100 ns/op 3 sd-ns/op 100 summary-n\n")
	other := runtest.Read(t, "X 1 110 ns/op 3 sd-ns/op 20 summary-n\n")
	c := Compare(Side{Runs: []*record.Run{run, other}}, Side{Runs: []*record.Run{other}}, Options{})
	for r := range c.Rows() {
		if told := fmt.Sprint(*r.Base.Told, *r.Head.Told); told != "{NaN NaN NaN NaN 120} {1.1e-07 3.0000000000000004e-09 NaN NaN 20}" {
			t.Error(told)
		}
		if r.P == r.P {
			t.Errorf("p is %v", r.P)
		}
	}
}

// In a trial the rounds are the samples, and what each of them summarizes does not matter.
func TestSummariesInATrial(t *testing.T) {
	side := func(s record.Side, ns float64) Side {
		text := ""
		for n := range 20 {
			text += fmt.Sprintf("round: %d\nX 1 %v ns/op 3 sd-ns/op 100 summary-n\n", n+1, ns+float64(n*7%10)/1e3)
		}
		r := runtest.Read(t, text)
		r.Trial, r.Side = "t", s
		pairs.SetDecision(r)
		return Side{Runs: []*record.Run{r}}
	}
	c := Compare(side(record.Base, 100), side(record.Head, 100.1), Options{})
	for r := range c.Rows() {
		if r.OrigUnit != "ns/op" || r.Verdict != Unchanged || !r.Tested {
			t.Errorf("%s: %s (%s), tested %v", r.OrigUnit, r.Verdict, r.Reason, r.Tested)
		}
	}
}
